/** The rules of what a program can begin with: which pipelines want them, and where they lie. */
import { dirname, extname, join } from "node:path";
import { type JsonSchema, placesOf } from "../toml/json_schema.ts";
import type { SluiceHome } from "../project/project.ts";

/** A stage's parameters and their schema, and those of the stages of a loop. */
interface Parametrised {
  readonly params: unknown;
  readonly declaration: { readonly paramsJsonSchema: JsonSchema };
  readonly loop?: { readonly stages: readonly Parametrised[] };
}

/**
 * Modules beside the stages' own: where a stage masks tokens by the language, all stages may meet its
 * texts, and their processes import what reads beginnings of programs. All others stay without it.
 */
export function rulesOfPrograms(
  stages: readonly Parametrised[],
  { host }: Pick<SluiceHome, "host">,
): string[] {
  if (!stages.some(masksByLanguage)) return [];
  const source = join(dirname(host), "..", "..");
  return [join(source, "engine", "language", "pymc", `viable_prefix${extname(host)}`)];
}

function masksByLanguage({ params, declaration, loop }: Parametrised): boolean {
  const own = JSON.stringify(params).includes('"language"') &&
    [...placesOf(declaration.paramsJsonSchema, params)].some(({ value, schemas }) => {
      return value === "language" && schemas.some(({ format }) => format === "token-mask");
    });
  return own || (loop?.stages ?? []).some(masksByLanguage);
}
