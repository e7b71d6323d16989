/** Language models that parameters name: which they are, and where they are found. */
import { type JsonSchema, placesOf } from "../toml/json_schema.ts";
import type { Path } from "../toml/path.ts";

/** Language models that were added to a project. */
export interface ModelLookup {
  /** Where all of them lie. */
  readonly folder: string;
  /** The model of that name. @throws MissingPartError with the command that adds it. */
  find(name: string): { readonly sha256: string };
}

/** A stage's parameters and their schema, and those of the stages of a loop. */
export interface Parametrised {
  /** Values by key, as the schema describes them. */
  readonly params: unknown;
  /** The kind's declaration, of which the schema alone is read. */
  readonly declaration: { readonly paramsJsonSchema: JsonSchema };
  /** Stages within a loop. */
  readonly loop?: { readonly stages: readonly Parametrised[] };
}

/** Names of the models that a stage, or a stage of its loop, names. */
export function modelsNamed(stage: Parametrised): string[] {
  const units = [stage, ...stage.loop?.stages ?? []];
  const names = units.flatMap((unit) => modelPlaces(unit).map(({ name }) => name));
  return [...new Set(names)].sort();
}

/**
 * The models that parameters of one stage name, with the keys to each.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { modelPlaces } from "./model_param.ts";
 * const paramsJsonSchema = { properties: { model: { type: "string", format: "model-name" } } };
 * const stage = { params: { model: "smollm2-135m" }, declaration: { paramsJsonSchema } };
 * assert.deepEqual(modelPlaces(stage as never).map(({ name }) => name), ["smollm2-135m"]);
 * ```
 */
export function modelPlaces(
  { params, declaration }: Parametrised,
): { readonly name: string; readonly path: Path }[] {
  const schema = declaration.paramsJsonSchema;
  if (!hasModels(schema)) return [];
  return [...placesOf(schema, params)]
    .filter(({ schemas }) => schemas.some(({ format }) => format === "model-name"))
    .flatMap(({ value, path }) => typeof value === "string" ? [{ name: value, path }] : []);
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether a schema has models at all: a plan asks for every stage, and few kinds do. */
function hasModels(schema: JsonSchema): boolean {
  const found = known.get(schema) ?? JSON.stringify(schema).includes('"model-name"');
  known.set(schema, found);
  return found;
}
