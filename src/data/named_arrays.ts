/** JSON data as a dictionary: numbers, vectors and matrices by name, as programs read them. */
import type { Column, ColumnRole } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { schemaTable } from "./table_schema.ts";

/** An array of numbers, or of names as codes. */
interface NamedArray {
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: Float64Array;
  /** Names of the codes. */
  readonly categories?: readonly string[];
}

/**
 * The entries of a JSON object: numbers, lists, lists of lists. `undefined` if the text is no such
 * dictionary but a list of rows, or a table with a schema. true counts as 1 and false as 0.
 *
 * @throws InputError for ragged lists, gaps, and mixtures of numbers and names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { namedArrays } from "./named_arrays.ts";
 * const found = namedArrays('{"N": 2, "x": [[1, 2], [3, 4]]}', "data.json")!;
 * assert.deepEqual(found.get("N")!.shape, []);
 * assert.deepEqual([...found.get("x")!.values], [1, 2, 3, 4]);
 * ```
 */
export function namedArrays(
  text: string,
  file: string,
): ReadonlyMap<string, NamedArray> | undefined {
  const value = parsed(text, file);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if (schemaTable(value)) return undefined;
  return new Map(
    Object.entries(value).map(([name, entry]) => [name, namedArray(name, entry, file)]),
  );
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw inputError("data/json", `Cannot read ${file}: ${(error as Error).message}`);
  }
}

function namedArray(name: string, entry: unknown, file: string): NamedArray {
  const shape: number[] = [];
  for (let level = entry; Array.isArray(level); level = level[0]) shape.push(level.length);
  const cells: unknown[] = [];
  if (!collect(entry, shape, 0, cells)) {
    throw wrong(file, name, "lists of different length", "give each list as many entries");
  }
  if (cells.every((cell) => typeof cell === "string")) {
    const categories = [...new Set(cells as string[])].sort();
    const values = Float64Array.from(cells as string[], (cell) => categories.indexOf(cell));
    return { shape, values, categories };
  }
  const values = Float64Array.from(cells, (cell) => {
    if (cell === Infinity || cell === -Infinity) {
      throw wrong(file, name, "a number beyond 1.8e308", "correct it; wanted finite numbers");
    }
    if (typeof cell === "number" || typeof cell === "boolean") return Number(cell);
    throw wrong(file, name, JSON.stringify(cell), "complete the data; wanted numbers only");
  });
  return { shape, values };
}

/** Adds the cells below `entry` in order; false if it does not have the shape. */
function collect(entry: unknown, shape: readonly number[], depth: number, cells: unknown[]) {
  if (depth === shape.length) {
    cells.push(entry);
    return !Array.isArray(entry);
  }
  if (!Array.isArray(entry) || entry.length !== shape[depth]) return false;
  for (const inner of entry) if (!collect(inner, shape, depth + 1, cells)) return false;
  return true;
}

function wrong(file: string, name: string, found: string, hint: string) {
  const message = `Cannot read ${file}: "${name}" holds ${found}`;
  return inputError("data/array", message, undefined, hint);
}

/**
 * A named array as a column with this role; vectors as long as the data have rows have no shape of their own.
 *
 * @param rows how many observations the response has.
 */
export function arrayColumn(
  name: string,
  { shape, values, categories }: NamedArray,
  role: ColumnRole,
  rows: number,
): Column {
  return {
    name,
    role,
    values,
    type: categories ? "category" : "real",
    ...(shape.length === 1 && shape[0] === rows ? {} : { shape }),
    ...(categories ? { categories } : {}),
  };
}
