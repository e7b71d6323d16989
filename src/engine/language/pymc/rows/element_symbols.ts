/** Symbols of the elements of a distribution's values: hashes of all that each depends on. */
import { eventRankOf, families } from "../../distributions/table.ts";
import type { NodeId } from "../../ir/node.ts";
import type { Distribution } from "../../ir/program.ts";
import { broadcastIndex, broadcastShapes, sameShape, type Shape, sizeOf } from "../../ir/shape.ts";
import { mix, symbolOf, type Twin } from "./symbols.ts";
import type { TwinGraphs } from "./twin_graphs.ts";

/** Families whose values have an order of their own: a step depends on those before it. */
const walks: ReadonlySet<string> = new Set(["gaussian_random_walk", "ar", "lkj_cholesky_cov"]);

/**
 * Symbols of the elements of a value with distribution `one`, and of its counterpart with `other`; elements with
 * equal symbols are distributed alike. Undefined if the two are not of one kind.
 */
export function elementSymbols(
  graphs: TwinGraphs,
  one: Distribution,
  other: Distribution,
): Twin | undefined {
  const [components, others] = [one.components ?? [], other.components ?? []];
  const alike = one.family === other.family && sameShape(one.shape, other.shape) &&
    one.args.length === other.args.length && components.length === others.length &&
    `${one.sizes}` === `${other.sizes}`;
  if (!alike) return undefined;
  const args = one.args.map((id, k) => graphs.of(id, other.args[k]));
  const parts = components.map((part, k) => elementSymbols(graphs, part, others[k]));
  if (parts.some((part) => part === undefined)) return undefined;
  const side = (which: keyof Twin) =>
    sideOf(
      graphs,
      which,
      which === "first" ? one : other,
      args.map((twin) => twin[which]),
      parts.map((twin) => twin![which]),
    );
  return { first: side("first"), second: side("second") };
}

function sideOf(
  graphs: TwinGraphs,
  which: keyof Twin,
  distribution: Distribution,
  args: readonly Int32Array[],
  parts: readonly Int32Array[],
): Int32Array {
  const { family, shape, components = [] } = distribution;
  const event = eventRankOf(distribution);
  const batch = shape.slice(0, shape.length - event);
  const within = shape.slice(shape.length - event);
  const out = new Int32Array(sizeOf(shape)).fill(symbolOf(family));
  const add = (symbolAt: (element: number) => number) => {
    for (let i = 0; i < out.length; i++) out[i] = mix(out[i], symbolAt(i));
  };
  const { graph } = graphs[which];
  const ranks = families[family].parameterRanks;
  const vector = ranks.findIndex((rank) => rank === 1);
  args.forEach((symbols, k) => {
    const own = graph.shapeOf(distribution.args[k] as NodeId);
    add(readArgument(symbols, own, ranks[k] ?? 0, batch, within, args[vector]));
  });
  parts.forEach((symbols, k) => {
    const mixed = components.length === 1 && family === "mixture";
    add(readComponent(symbols, components[k].shape, batch, within, mixed));
  });
  if (walks.has(family)) {
    const length = sizeOf(within);
    add((i) => i % length);
  }
  return out;
}

type Reader = (element: number) => number;

/** Symbol of one argument for element `i` of a value. */
function readArgument(
  symbols: Int32Array,
  shape: Shape,
  rank: number,
  batch: Shape,
  within: Shape,
  vector: Int32Array | undefined,
): Reader {
  const outer = shape.slice(0, shape.length - rank);
  const inner = shape.slice(shape.length - rank);
  const width = sizeOf(inner);
  const eventSize = sizeOf(within);
  const spread = spreadTo(outer, batch);
  const at = (i: number) => spread(Math.floor(i / eventSize)) * width;
  const extent = within.at(-1);
  if (rank === 0) return (i) => symbols[spread(Math.floor(i / eventSize))];
  if (rank === 1 && inner[0] === extent) return (i) => symbols[at(i) + i % width];
  if (rank === 2 && inner[0] === extent && inner[1] === extent) {
    const met = vector?.length === extent ? vector : new Int32Array(extent);
    const rows = new Map<number, number>();
    return (i) => {
      const row = at(i) + (i % extent) * extent;
      const known = rows.get(row);
      if (known !== undefined) return known;
      let sum = 0;
      for (let j = 0; j < extent; j++) sum = (sum + mix(symbols[row + j], met[j])) | 0;
      const symbol = mix(symbols[row + i % extent], sum);
      rows.set(row, symbol);
      return symbol;
    };
  }
  return (i) => inOrder(symbols, at(i), width);
}

/** Symbol for element `i` of a component, or of all components along the last axis. */
function readComponent(
  symbols: Int32Array,
  shape: Shape,
  batch: Shape,
  within: Shape,
  mixed: boolean,
): Reader {
  if (mixed) {
    const count = shape.at(-1) ?? 1;
    const spread = spreadTo(shape.slice(0, -1), batch);
    return (i) => inOrder(symbols, spread(i) * count, count);
  }
  const spread = spreadTo(shape, [...batch, ...within]);
  return spread(0) < 0 ? () => inOrder(symbols, 0, symbols.length) : (i) => symbols[spread(i)];
}

/** The flat index within `from` of an element of `to`; −1 if the one does not broadcast to the other. */
function spreadTo(from: Shape, to: Shape): Reader {
  if (sizeOf(from) === 1) return () => 0;
  if (sameShape(from, to)) return (i) => i;
  const joint = broadcastShapes(from, to);
  if (!joint || !sameShape(joint, to)) return () => -1;
  const index = broadcastIndex(from, to);
  return (i) => index[i];
}

function inOrder(symbols: Int32Array, from: number, count: number): number {
  let sum = count;
  for (let k = Math.max(0, from); k < from + count; k++) sum = mix(sum, symbols[k] ?? 0);
  return sum;
}
