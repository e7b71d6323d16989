/** Columns that know of the response beside it: real PyMC is given placeholders for them as well. */
import { type Column, type Dataset, knowsResponse } from "../../base/dataset.ts";
import { isRecord } from "../../base/record.ts";
import { placeholder } from "./placeholder.ts";

/** Numbers that PyMC sees in place of a column's values, by column. */
export type MaskedColumns = Readonly<Record<string, readonly number[]>>;

/**
 * Placeholders for limits and events, drawn from `key`; limits lie above the placeholders of responses
 * that are real. If they are to be `unlike` others, they are of another size, and two of them are
 * equal: the graph of a program that compares or counts limits differs then, and the program is refused.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { maskedColumns, unmasked } from "./masked_columns.ts";
 * const values = Float64Array.of(4, 9);
 * const data = makeDataset("d", [{ name: "limit", role: "limit", type: "real", values }]);
 * const masked = maskedColumns(data, ["first", "a program"]);
 * const bound = { nodes: [{ op: "constant", values: masked.limit }] };
 * assert.deepEqual(unmasked(bound, masked, data), { nodes: [{ op: "constant", values: [4, 9] }] });
 * ```
 */
export function maskedColumns(
  dataset: Dataset,
  key: readonly string[],
  unlike = false,
): MaskedColumns {
  return Object.fromEntries(
    dataset.columns.filter(knowsResponse).map((
      column,
    ) => [column.name, masked(column, key, unlike)]),
  );
}

function masked(column: Column, key: readonly string[], unlike: boolean): number[] {
  const own = [...key, column.name];
  if (column.role !== "limit") return placeholder(column, own);
  const limits = placeholder({ ...column, type: "real" }, own).map((value) => 1 + value);
  if (!unlike) return limits;
  return limits.map((value, row) => 1e6 * (row === 1 ? limits[0] : value));
}

/** A graph in which constants that are a placeholder, whole, are the column that it stands for. */
export function unmasked(graph: unknown, shown: MaskedColumns, { columns }: Dataset): unknown {
  if (!isRecord(graph) || !Array.isArray(graph.nodes)) return graph;
  const pairs = columns.filter(({ name }) => Object.hasOwn(shown, name))
    .map(({ name, values }) => ({ shown: shown[name], own: [...values] }));
  if (pairs.length === 0) return graph;
  const nodes = graph.nodes.map((node: unknown) => {
    if (!isRecord(node) || node.op !== "constant" || !Array.isArray(node.values)) return node;
    const values: readonly unknown[] = node.values;
    const found = pairs.find(({ shown }) =>
      shown.length === values.length && shown.every((value, i) => value === values[i])
    );
    return found ? { ...node, values: found.own } : node;
  });
  return { ...graph, nodes };
}
