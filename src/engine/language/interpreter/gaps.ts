/** Columns that lack values, until a program fills them: `x.fillna(x.median())`. */
import { fold, hostArray, numeric, shapeOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { FrameValue, NumericValue, Value } from "./values.ts";

/** The column with these numbers, or this one, where it lacks its own; undefined of what is no such number. */
export function filledColumn(
  checking: Checking,
  x: NumericValue,
  value: Value,
  place: Place,
): NumericValue | undefined {
  const { gaps, ...whole } = x;
  if (!gaps) return x;
  const by = numeric(checking, value, place, "fillna");
  const shape = by && shapeOf(checking, by);
  if (!by || shape!.length > 1 || (shape!.length === 1 && shape![0] !== gaps.length)) {
    return undefined;
  }
  const lacks = lacking(checking, x, true, place);
  const node = checking.graph.where(lacks.node, by.node, whole.node);
  return fold(checking, { ...whole, node, dtype: "float" });
}

/** Which rows lack a value, or have one. */
export function lacking(
  checking: Checking,
  { gaps }: NumericValue,
  isWanted: boolean,
  place: Place,
): NumericValue {
  const flags = gaps!.map((gap) => (gap > 0) === isWanted ? 1 : 0);
  return { ...hostArray(checking, flags, [flags.length], "bool", place), origin: "series" };
}

/** `frame.isna()`: of each column whether it lacks a value; the response lacks none. */
export function lackingFrame(
  checking: Checking,
  frame: FrameValue,
  isWanted: boolean,
  place: Place,
): FrameValue {
  const rows = frame.rows ?? checking.dataset.rows;
  const none = () => {
    const flags = new Float64Array(rows).fill(isWanted ? 0 : 1);
    return { ...hostArray(checking, flags, [rows], "bool", place), origin: "series" as const };
  };
  const columns = [...frame.columns].map(([name, column]): [string, Value] => [
    name,
    column.kind === "numeric" && column.gaps ? lacking(checking, column, isWanted, place) : none(),
  ]);
  return { ...frame, columns: new Map(columns) };
}

/** The values that a column has, in rising order. */
export function heldValues(
  checking: Checking,
  { gaps, node }: NumericValue,
  place: Place,
): NumericValue | undefined {
  const held = checking.graph.valueOf(node)?.values.filter((_, row) => !(gaps![row] > 0));
  if (!held || held.length === 0) return undefined;
  const column = hostArray(checking, held.sort(), [held.length], "float", place);
  return { ...column, origin: "series" };
}

/** `frame.fillna(0)`, `frame.fillna(frame.mean())`, `frame.fillna({"x": 0})`; undefined of other values. */
export function filledFrame(
  checking: Checking,
  frame: FrameValue,
  value: Value | undefined,
  place: Place,
): FrameValue | undefined {
  const columns = new Map(frame.columns);
  for (const [name, column] of frame.columns) {
    if (column.kind !== "numeric" || !column.gaps) continue;
    const by = value?.kind === "frame"
      ? value.columns.get(name)
      : value?.kind === "dictionary"
      ? value.entries.get(name)
      : value;
    if (!by && value) continue;
    const made = by && filledColumn(checking, column, by, place);
    if (!made) return undefined;
    columns.set(name, made);
  }
  return { ...frame, columns };
}
