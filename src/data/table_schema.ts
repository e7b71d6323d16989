/** Tables of JSON with a schema, as pandas writes them: columns with declared types and levels. */
/** Declared type of a column, where its cells alone would not show it. */
export interface DeclaredColumn {
  /** Levels in their order, of those that some row has. */
  readonly levels: readonly string[];
  /** Whether the levels are steps of a scale. */
  readonly ordered: boolean;
}

/** Rows of a table, and its declared categories. */
export interface SchemaTable {
  readonly names: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly declared: ReadonlyMap<string, DeclaredColumn>;
}

interface Field {
  readonly name: string;
  readonly type?: string;
  readonly ordered?: boolean;
  readonly constraints?: { readonly enum?: readonly unknown[] };
  readonly categories?: readonly unknown[];
  readonly categoriesOrdered?: boolean;
}

/**
 * A table of `{ "schema": { "fields": […] }, "data": [{…}] }`: Table Schema of Frictionless Data, and
 * the output of `DataFrame.to_json(orient="table")`. Undefined for any other JSON.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { schemaTable } from "./table_schema.ts";
 * const dose = { name: "dose", type: "any", constraints: { enum: ["low", "high"] }, ordered: true };
 * const table = { schema: { fields: [dose] }, data: [{ dose: "high" }, { dose: "low" }] };
 * assert.deepEqual(schemaTable(table)!.declared.get("dose"), {
 *   levels: ["low", "high"],
 *   ordered: true,
 * });
 * assert.equal(schemaTable({ data: [1, 2] }), undefined);
 * ```
 */
export function schemaTable(value: unknown): SchemaTable | undefined {
  const { schema, data } = (value ?? {}) as { schema?: { fields?: unknown }; data?: unknown };
  const fields = schema?.fields;
  if (!Array.isArray(fields) || !fields.every(isField)) return undefined;
  if (!Array.isArray(data) || !data.every(isRow)) return undefined;
  const declared = fields.flatMap((field) => {
    const levels = levelsOf(field, data);
    if (!levels) return [];
    const ordered = field.ordered === true || field.categoriesOrdered === true;
    return [[field.name, { levels, ordered }] as const];
  });
  return { names: fields.map(({ name }) => name), rows: data, declared: new Map(declared) };
}

function isField(value: unknown): value is Field {
  return typeof (value as Field | null)?.name === "string";
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Declared levels; of texts that look like numbers the levels that occur. */
function levelsOf(
  { name, type, constraints, categories }: Field,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly string[] | undefined {
  const held = new Set<unknown>(rows.map((row) => row[name]).filter((cell) => cell != null));
  const said = constraints?.enum ?? categories?.map(labelled);
  if (said) return said.filter((level) => held.has(level)).map(String);
  const isOfWords = type === "string" && [...held].every((cell) => typeof cell === "string");
  const isOfNumbers = isOfWords && held.size > 0 &&
    [...held].every((cell) => /^[+-]?\d+(\.\d+)?$/.test(cell as string));
  if (!isOfNumbers) return undefined;
  return ([...held] as string[]).sort((a, b) => Number(a) - Number(b));
}

/** A category of Frictionless Data may have a label beside its value. */
function labelled(category: unknown): unknown {
  return isRow(category) ? category.value : category;
}

/** Cells of a column, in the order of the rows. */
export function cellsOf({ rows }: SchemaTable, name: string): readonly unknown[] {
  return rows.map((row) => row[name]);
}
