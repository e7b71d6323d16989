/** Checks the parameters of a stage, and turns the paths among them into absolute ones. */
import type { Json } from "../../base/canonical_json.ts";
import { nearest } from "../../base/nearest.ts";
import { type Files, missingFile, resolveWritten } from "../toml/files.ts";
import { choices, describe, schemasAt } from "../toml/json_schema.ts";
import { nodeAt, plainValue, spanOfNode, without } from "../toml/located.ts";
import { formatPath, type Path } from "../toml/path.ts";
import { checkSchema } from "../toml/schema.ts";
import { isParameterPath } from "./declaration.ts";
import { reservedKeys, type StageDraft } from "./draft.ts";
import type { Findings } from "./findings.ts";
import { findMistypedNames, findPaths } from "../contract/path_param.ts";
import type { NamedFile } from "./resolved.ts";

/** The checked parameters of one stage. */
export interface StageParams {
  readonly params: unknown;
  readonly rawParams: Readonly<Record<string, Json>>;
  readonly files: readonly NamedFile[];
  readonly modules: readonly NamedFile[];
  /** True if they could not be read. */
  readonly isWrong?: boolean;
}

const noParams: StageParams = { params: {}, rawParams: {}, files: [], modules: [], isWrong: true };

/** Checks a stage whose kind is known; faults go to `findings`. */
export async function readParams(
  stage: StageDraft,
  place: { readonly files: Files; readonly sluiceRoot: string },
  findings: Findings,
): Promise<StageParams> {
  const { declaration } = stage;
  if (!declaration) return noParams;
  const wired = Object.keys(declaration.wired ?? {}).filter((name) => !isParameterPath(name));
  const node = without(stage.rest, new Set(wired));
  const rawParams = plainValue(node) as Record<string, Json>;
  const what = `Cannot read stage "${stage.name}"`;
  const paths = await readPaths(stage, rawParams, place, findings);
  const result = checkSchema({
    schema: declaration.params,
    node,
    value: paths.value,
    what,
    alsoKnown: [...reservedKeys, ...(stage.loop ? ["state", "next", "stages"] : [])],
    alsoListed: stage.loop ? ["state", "next", "stages"] : wired,
  });
  if (result.kind === "wrong") findings.push(...result.diagnostics);
  if (result.kind === "wrong") return noParams;
  reportMistypedNames(stage, rawParams, what, findings);
  const { files, modules, isWrong } = paths;
  return { params: result.output, rawParams, files, modules, ...(isWrong && { isWrong }) };
}

async function readPaths(
  stage: StageDraft,
  rawParams: Readonly<Record<string, Json>>,
  { files, sluiceRoot }: { readonly files: Files; readonly sluiceRoot: string },
  findings: Findings,
): Promise<{ value: unknown; files: NamedFile[]; modules: NamedFile[]; isWrong: boolean }> {
  const value = structuredClone(rawParams);
  const found = { value, files: [] as NamedFile[], modules: [] as NamedFile[], isWrong: false };
  for (const { path, written, role } of findPaths(stage.declaration!.paramsJsonSchema, rawParams)) {
    const node = nodeAt(stage.rest, path)!;
    const absolute = resolveWritten(written, node.origin.folder, sluiceRoot);
    setAt(value, path, absolute);
    found[role === "file" ? "files" : "modules"].push({ param: formatPath(path), path: absolute });
    if (await files.exists(absolute)) continue;
    const what = `Cannot read stage "${stage.name}"`;
    found.isWrong = true;
    findings.push(await missingFile(what, written, absolute, spanOfNode(node), files));
  }
  return found;
}

function setAt(value: unknown, path: Path, leaf: string): void {
  let here = value as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) here = here[part] as Record<string | number, unknown>;
  here[path[path.length - 1]] = leaf;
}

/** A mistyped name passes zod where a path would be legal too. */
function reportMistypedNames(
  stage: StageDraft,
  rawParams: Readonly<Record<string, Json>>,
  what: string,
  findings: Findings,
): void {
  const schema = stage.declaration!.paramsJsonSchema;
  for (const path of findMistypedNames(schema, rawParams)) {
    const node = nodeAt(stage.rest, path)!;
    const schemas = schemasAt(schema, rawParams, path);
    const value = `${plainValue(node)}`;
    const near = nearest(value, choices(schemas));
    const message = `${what}: ${formatPath(path)} is "${value}", wanted ${describe(schemas)}`;
    const hint = near ? `did you mean "${near}"?` : undefined;
    findings.add("toml/wrong-value", message, spanOfNode(node), hint);
  }
}
