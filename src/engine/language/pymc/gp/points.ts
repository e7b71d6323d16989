/** The points at which a Gaussian process is evaluated: a table of numbers, a row each. */
import type { GraphBuilder } from "../../ir/builder.ts";
import type { NodeId } from "../../ir/node.ts";
import { numeric } from "../../interpreter/arrays.ts";
import type { GivenValue } from "../../interpreter/bind.ts";
import { describeShape } from "../../ir/shape.ts";
import type { ModelState } from "../model_state.ts";

/** Points as a node `[rows, columns]`. */
export interface Points {
  readonly node: NodeId;
  readonly rows: number;
  readonly columns: number;
}

/** An argument as points; undefined after a finding. */
export function pointsOf(
  checking: ModelState,
  { value, place }: GivenValue,
  text: string,
): Points | undefined {
  const found = numeric(checking, value, place, text);
  if (!found) return undefined;
  const { node } = found;
  const shape = checking.graph.shapeOf(node);
  if (shape.length === 2) return { node, rows: shape[0], columns: shape[1] };
  const message = `Cannot look at ${text} at ${describeShape(shape)}: wanted a table, a row ` +
    "for each point";
  const hint = shape.length === 1 ? `write ${checking.text(place)}[:, None]` : undefined;
  checking.error("shapes/points", message, place, hint);
  return undefined;
}

/** One column of points `[rows]`. */
export function stridedColumn(g: GraphBuilder, x: Points, column: number): NodeId {
  const { node, rows, columns } = x;
  if (columns === 1) return g.reshape(node, [rows]);
  return g.gather(node, Int32Array.from({ length: rows }, (_, i) => i * columns + column), [rows]);
}
