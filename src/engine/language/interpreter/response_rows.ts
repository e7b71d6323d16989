/** Rows of the response where they follow each other in time: `y[1:]` to be observed, `y[:-1]` to predict it. */
import type { NodeId } from "../ir/node.ts";
import type { ResponseStep } from "../ir/response_transform.ts";
import { shapeOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import type { Subscript } from "../syntax/tree.ts";
import { type NumericValue, type ResponseValue, touchesResponse, type Value } from "./values.ts";

/**
 * Result of `y[index]`: from a row to the last, a response, which may be observed; any other part
 * is one of the numbers that this returns, known only while sampling, and `checkEarlierRows` checks
 * that they come early enough. Refused where rows do not follow each other.
 */
export function partOfResponse(
  checking: Checking,
  e: Subscript,
  object: ResponseValue,
  index: Value,
): Value {
  const isVector = checking.responseShape.length === 1;
  if (!checking.isTimed || !isVector || touchesResponse(index)) {
    return checking.derivePart(e, object, index);
  }
  const rows = rowsOfResponse(checking, object);
  const from = firstOfEnd(index, rows);
  if (from !== undefined) return { ...object, from: (object.from ?? 0) + from };
  return responseNumbers(checking, object);
}

/** How many rows of the response a value holds. */
function rowsOfResponse({ responseShape }: Checking, { from = 0 }: ResponseValue): number {
  return (responseShape[0] ?? 1) - from;
}

/** Of `[k:]` with 0 ≤ k < rows, k. */
function firstOfEnd(index: Value, rows: number): number | undefined {
  if (index.kind !== "slice") return undefined;
  const [from = 0, to, step = 1] = index.parts;
  return to === undefined && step === 1 && from >= 0 && from < rows ? from : undefined;
}

/** The values as numbers that nothing can look at before sampling. */
export function responseNumbers(checking: Checking, value: ResponseValue): NumericValue {
  const { graph, response } = checking;
  const all = graph.column(response!.name, checking.responseShape);
  const rows = rowsOfResponse(checking, value);
  const index = Int32Array.from({ length: rows }, (_, i) => i + (value.from ?? 0));
  let node = graph.gather(all, index, [rows]);
  for (const step of value.transform ?? []) node = stepped(checking, node, step);
  return { kind: "numeric", node, dtype: "float", origin: "numpy" };
}

function stepped({ graph }: Checking, x: NodeId, step: ResponseStep): NodeId {
  switch (step.kind) {
    case "add":
      return graph.add(x, graph.scalar(step.by));
    case "multiply":
      return graph.mul(x, graph.scalar(step.by));
    case "power":
      return graph.map("pow", x, graph.scalar(step.by));
    case "reciprocal":
      return graph.div(graph.scalar(1), x);
    case "logit":
      return graph.sub(graph.log(x), graph.map("log1p", graph.neg(x)));
    default:
      return graph.map(step.kind, x);
  }
}

/** How long a value is that holds rows of the response. */
export function shapeOfResponse(checking: Checking, value: Value): readonly number[] {
  if (value.kind === "numeric") return shapeOf(checking, value);
  if (value.kind !== "response" || !value.from) return checking.responseShape;
  return [rowsOfResponse(checking, value)];
}
