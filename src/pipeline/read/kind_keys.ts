/** Lists the keys of a stage kind for help: where each stands, its values, default and meaning. */
import { alternatives, choices, describe, type JsonSchema } from "../toml/json_schema.ts";
import { inputSchema } from "../toml/schema.ts";
import type { StageSignature } from "../contract/stage.ts";

/** A key that a stage of a kind may have. */
export interface KindKey {
  /** Its place: `replay.capacity`, `mix[].share`, `policy(mlp).width` of the table with that kind. */
  readonly path: string;
  /** Values that it takes: "a whole number of at least 1". */
  readonly values: string;
  /** True if a stage without it is refused. */
  readonly required: boolean;
  /** Value of a stage without it; undefined where its meaning states it, or nothing happens. */
  readonly standard?: unknown;
  /** Its meaning, a sentence or less. */
  readonly meaning: string;
}

/**
 * The keys of a kind in the order of its schema, each before the keys of its tables.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { z } from "../../base/zod.ts";
 * import { keysOfKind } from "./kind_keys.ts";
 * const params = z.strictObject({ steps: z.int().min(1).default(60).describe("gradient steps") });
 * const [steps] = keysOfKind({ params });
 * assert.equal(steps.path, "steps");
 * assert.equal(steps.values, "a whole number of at least 1");
 * assert.deepEqual([steps.standard, steps.required, steps.meaning], [60, false, "gradient steps"]);
 * ```
 */
export function keysOfKind({ params }: Pick<StageSignature, "params">): KindKey[] {
  const root = inputSchema(params);
  const keys = alternatives(root, root).flatMap((table) => keysOfTable(table, root, ""));
  return unique(keys.filter(({ values }) => values !== ""));
}

function keysOfTable(table: JsonSchema, root: JsonSchema, prefix: string): KindKey[] {
  const before = prefix === "" ? "" : `${prefix}.`;
  return Object.entries(table.properties ?? {})
    .filter(([key]) => key !== constantOf(table)?.[0])
    .flatMap(([key, schema]) => {
      const required = (table.required ?? []).includes(key);
      return keyAndBelow(schema, root, `${before}${key}`, required);
    });
}

function keyAndBelow(schema: JsonSchema, root: JsonSchema, path: string, required: boolean) {
  const forms = alternatives(schema, root);
  const meaning = schema.description ?? forms.find((form) => form.description)?.description ?? "";
  const values = listOf(forms, root) ?? describe(forms.filter(isWritten).map(asTable));
  const key = { path, values, required, standard: schema.default, meaning };
  return [key, ...forms.flatMap((form) => keysBelow(form, root, path))];
}

/** Keys of a table, of the tables of a list, and of tables under names of the user's. */
function keysBelow(form: JsonSchema, root: JsonSchema, path: string): KindKey[] {
  const { items, additionalProperties: named } = form;
  const below = (schema: JsonSchema, at: string) =>
    alternatives(schema, root).flatMap((one) => keysBelow(one, root, at));
  if (typeof items === "object" && !Array.isArray(items)) {
    return below(items as JsonSchema, `${path}[]`);
  }
  const own = keysOfTable(form, root, pathOf(path, form));
  return typeof named === "object" ? [...own, ...below(named, `${path}.NAME`)] : own;
}

/** The place of a table that one fixed value, as of `kind` or `judge`, distinguishes from others. */
function pathOf(path: string, table: JsonSchema): string {
  const constant = constantOf(table);
  return constant ? `${path}(${constant[1]})` : path;
}

function constantOf(table: JsonSchema): readonly [key: string, value: string] | undefined {
  const found = Object.entries(table.properties ?? {})
    .find(([, { const: value }]) => typeof value === "string");
  return found && [found[0], `${found[1].const}`];
}

/** A table by its fixed value, as its keys stand below. */
function asTable(form: JsonSchema): JsonSchema {
  if (!form.properties) return form;
  const constant = constantOf(form);
  return constant ? { const: `{ ${constant[0]} = "${constant[1]}" }` } : { type: "object" };
}

/** Whether a file can hold the value: stages fill in others. */
function isWritten({ type, const: fixed, enum: names }: JsonSchema): boolean {
  return type !== undefined || fixed !== undefined || names !== undefined;
}

/** "a list of normal, student_t, …" of a list whose items are names; otherwise undefined. */
function listOf([form, ...others]: readonly JsonSchema[], root: JsonSchema): string | undefined {
  if (others.length > 0 || typeof form?.items !== "object" || Array.isArray(form.items)) return;
  const names = choices(alternatives(form.items as JsonSchema, root));
  return names.length > 0 ? `a list of ${names.join(", ")}` : undefined;
}

/** Keys that stand in several alternatives alike, once. */
function unique(keys: readonly KindKey[]): KindKey[] {
  const seen = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return [...seen.values()];
}
