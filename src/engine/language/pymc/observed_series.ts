/** Series that are observed: `pm.AR`, `pm.GaussianRandomWalk` as a term for each row given those before it. */
import { responseNumbers } from "../interpreter/response_rows.ts";
import type { Arguments } from "../interpreter/bind.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import type { ResponseTransform } from "../ir/response_transform.ts";
import type { ModelState } from "./model_state.ts";

const series: ReadonlySet<string> = new Set(["ar", "gaussian_random_walk"]);

/** Advice where rows may be one series. */
export const seriesMend =
  '; where rows follow each other in time, write time = "column" in the target (--time column)';

/** Whether a distribution is that of one series. */
export function isSeries({ family }: Distribution): boolean {
  return series.has(family);
}

/** Reports a series whose first rows are not normal, as the others are. */
export function checkSeries(
  checking: ModelState,
  { call }: Arguments,
  { components }: Distribution,
): void {
  const start = components![0];
  if (start.family === "normal") return;
  const message = `Cannot observe ${checking.text(call.callee)}: its first rows are not normal`;
  const hint =
    "write init_dist=pm.Normal.dist(...), or observe from the first row that has one before it";
  checking.error("unsupported/likelihood", message, call.callee, hint);
}

/** Observed transform, and its first row. */
interface Observed {
  readonly from: number;
  readonly transform?: ResponseTransform;
}

/**
 * A series of rows with a normal start as a normal distribution of each row: of the first with the start's location and
 * scale, of each later one around what the rows before it give. Other distributions stay what they are.
 */
export function asRows(
  checking: ModelState,
  distribution: Distribution,
  { from, transform }: Observed,
): Distribution {
  const isOne = isSeries(distribution) && distribution.shape.length === 1;
  const start = distribution.components?.[0];
  if (!checking.isTimed || !isOne || start?.family !== "normal") return distribution;
  const { graph } = checking;
  const value = { kind: "response", from, ...(transform && { transform }) } as const;
  const rows = responseNumbers(checking, value).node;
  const [count] = distribution.shape;
  const { order, location } = laterRows(checking, rows, distribution);
  const join = (first: NodeId, later: NodeId) =>
    graph.join([
      graph.broadcast(flatStart(checking, first), [order]),
      graph.broadcast(flatStart(checking, later), [count - order]),
    ]);
  const [, scale] = distribution.args;
  return {
    family: "normal",
    args: [join(start.args[0], location), join(start.args[1], scale)],
    shape: [count],
  };
}

/** A number without the axes of length one in front of it. */
function flatStart({ graph }: ModelState, x: NodeId): NodeId {
  return graph.shapeOf(x).length <= 1 ? x : graph.reshape(x, graph.shapeOf(x).slice(-1));
}

/** How many rows come first, and what is expected of each later one. */
function laterRows(
  { graph }: ModelState,
  rows: NodeId,
  { family, args: [first], shape: [count], sizes = [] }: Distribution,
): { readonly order: number; readonly location: NodeId } {
  const before = (lag: number, order: number) => {
    const index = Int32Array.from({ length: count - order }, (_, i) => i + order - lag);
    return graph.gather(rows, index, [count - order]);
  };
  if (family !== "ar") return { order: 1, location: graph.add(before(1, 1), first) };
  const [order, constant = 0] = sizes;
  const coefficient = (k: number) => graph.gather(first, Int32Array.of(k), []);
  const terms = Array.from(
    { length: order },
    (_, k) => graph.mul(coefficient(k + constant), before(k + 1, order)),
  );
  const start = constant === 1 ? [coefficient(0)] : [];
  return { order, location: [...start, ...terms].reduce((sum, term) => graph.add(sum, term)) };
}
