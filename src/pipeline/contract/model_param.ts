/** Language models that parameters name: which they are, and where they are found. */
import { type JsonSchema, placesOf } from "../toml/json_schema.ts";

/** Language models that were added to a project. */
export interface ModelLookup {
  /** Where all of them lie. */
  readonly folder: string;
  /** The model of that name. @throws MissingPartError with the command that adds it. */
  find(name: string): { readonly sha256: string };
}

/** A stage's parameters and their schema, and those of the stages of a loop. */
interface Parametrised {
  readonly params: unknown;
  readonly declaration: { readonly paramsJsonSchema: JsonSchema };
  readonly loop?: { readonly stages: readonly Parametrised[] };
}

/** Names of the models that a stage, or a stage of its loop, names. */
export function modelsNamed(stage: Parametrised): string[] {
  const units = [stage, ...stage.loop?.stages ?? []];
  const names = units.flatMap(({ params, declaration }) =>
    [...placesOf(declaration.paramsJsonSchema, params)]
      .filter(({ schemas }) => schemas.some(({ format }) => format === "model-name"))
      .flatMap(({ value }) => typeof value === "string" ? [value] : [])
  );
  return [...new Set(names)].sort();
}
