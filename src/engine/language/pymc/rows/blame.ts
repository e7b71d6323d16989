/** Finds the first part of a model that distinguishes rows, in the order of the program. */
import { distributionNodes } from "../../ir/canonical.ts";
import type { NodeId } from "../../ir/node.ts";
import { type Shape, stridesOf } from "../../ir/shape.ts";
import type { KnownPair, RowModel, TwinGraphs } from "./twin_graphs.ts";

/** Part of a program that distinguishes rows. */
interface Blame {
  /** In the words of a message. */
  readonly what: string;
  /** The part: a node, or a variable. */
  readonly node?: NodeId;
  readonly parameter?: number;
}

/** Names the part of a model that distinguishes rows, from its visited graphs. */
export function blame(graphs: TwinGraphs, order: Int32Array): Blame {
  const { first } = graphs;
  const found = [
    ...graphs.known.flatMap((pair) => blameNumbers(pair, order)),
    ...walks(first, order.length),
    ...sums(first, order.length),
  ].sort((a, b) => placeIn(first, a) - placeIn(first, b));
  return found[0] ??
    { what: "a likelihood that takes its rows one after another", node: lastNode(first) };
}

function placeIn({ graph, parameters }: RowModel, { node, parameter }: Blame): number {
  if (node !== undefined) return node;
  return graph.nodes.findIndex((one) => one.kind === "parameter" && one.parameter === parameter) +
    parameters.length / 1e6;
}

function blameNumbers({ node, shape, twin, alike }: KnownPair, order: Int32Array): Blame[] {
  if (!alike) {
    const what = shape.length === 0
      ? "a number that is another one when the rows stand in another order"
      : "numbers that are others when the rows stand in another order";
    return [{ what, node }];
  }
  const axes = shape.flatMap((extent, axis) => extent === order.length ? [axis] : []);
  if (axes.length === 0) return [];
  const followed = [axes, ...axes.map((axis) => [axis])].some((some) => {
    const from = movedAlong(shape, some, order);
    return twin.second.every((symbol, i) => symbol === twin.first[from(i)]);
  });
  return followed ? [] : [{ what: `${order.length} values by row number`, node }];
}

function movedAlong(shape: Shape, axes: readonly number[], order: Int32Array) {
  const strides = stridesOf(shape);
  return (i: number) =>
    axes.reduce((sum, axis) => {
      const at = Math.floor(i / strides[axis]) % shape[axis];
      return sum + (order[at] - at) * strides[axis];
    }, i);
}

function walks({ parameters }: RowModel, rows: number): Blame[] {
  return parameters.flatMap(({ name, shape, prior }, parameter) => {
    const walk = prior.family === "gaussian_random_walk" || prior.family === "ar";
    const what = `"${name}", whose values follow one another row by row`;
    return walk && shape.includes(rows) ? [{ what, parameter }] : [];
  });
}

function sums({ graph }: RowModel, rows: number): Blame[] {
  return graph.nodes.flatMap((one, node) => {
    if (graph.isHost(node)) return [];
    const running = one.kind === "scan" && one.shape[one.axis] === rows;
    return running ? [{ what: "a running sum or product over the rows", node }] : [];
  });
}

function lastNode({ likelihood }: RowModel): NodeId | undefined {
  return likelihood && Math.max(...distributionNodes(likelihood.distribution));
}
