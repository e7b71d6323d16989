/** Which values a node can take, as far as its operations determine it: interval arithmetic on the graph. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { GraphNode, MapNode, NodeId } from "../ir/node.ts";
import { sizeOf } from "../ir/shape.ts";
import {
  atan,
  erf,
  exp,
  expm1,
  log,
  log1p,
  sigmoid,
  softplus,
  tanh,
} from "../../../numerics/math/mod.ts";

/** An interval; an open end is not attained (except by rounding). */
interface Range {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

const everything: Range = { low: -Infinity, high: Infinity, lowOpen: true, highOpen: true };

const closed = (low: number, high: number): Range => ({
  low,
  high,
  lowOpen: false,
  highOpen: false,
});
const open = (low: number, high: number): Range => ({ low, high, lowOpen: true, highOpen: true });

const known = new WeakMap<GraphBuilder, Map<NodeId, Range>>();

/** The range of a node; columns are read where the builder holds them. */
export function rangeOf(g: GraphBuilder, x: NodeId): Range {
  let ranges = known.get(g);
  if (!ranges) known.set(g, ranges = new Map());
  let range = ranges.get(x);
  if (!range) {
    const value = g.valueOf(x);
    range = value ? rangeOfValues(value.values) : rangeOfNode(g, g.nodes[x]);
    ranges.set(x, range);
  }
  return range;
}

/** Whether every value is above 0, by construction. */
export function knownPositive(g: GraphBuilder, x: NodeId): boolean {
  return isPositive(rangeOf(g, x));
}

/** Whether no value is below 0, by construction. */
export function knownNonNegative(g: GraphBuilder, x: NodeId): boolean {
  return rangeOf(g, x).low >= 0;
}

/** Whether no value is above `bound`, by construction. */
export function knownAtMost(g: GraphBuilder, x: NodeId, bound: number): boolean {
  return rangeOf(g, x).high <= bound;
}

/** Whether every value is below `bound`, by construction. */
export function knownBelow(g: GraphBuilder, x: NodeId, bound: number): boolean {
  const { high, highOpen } = rangeOf(g, x);
  return high < bound || (high === bound && highOpen);
}

const isPositive = ({ low, lowOpen }: Range): boolean => low > 0 || (low === 0 && lowOpen);

function rangeOfValues(values: Float64Array): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value !== value) return everything;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return closed(low, high);
}

function rangeOfNode(g: GraphBuilder, node: GraphNode): Range {
  const ranges = node.args.map((arg) => rangeOf(g, arg));
  switch (node.kind) {
    case "map":
      return rangeOfMap(node, ranges);
    case "reduce":
    case "scan": {
      if (node.kind === "reduce" && (node.op === "max" || node.op === "min")) return ranges[0];
      const products = node.op === "prod" || node.op === "cumprod";
      return products && ranges[0].low < 0 ? everything : keepsSign(ranges[0]);
    }
    case "gather":
      return rangeAt(g, node.args[0], node.index);
    case "take":
    case "reshape":
      return ranges[0];
    case "join":
      return ranges.reduce(hull);
    case "matmul":
      return keepsSign(product(ranges[0], ranges[1]));
    default:
      return everything;
  }
}

/**
 * The range of chosen elements (flat indices; −1 is a zero): through selections and joins it is that
 * of the parts that the elements come from.
 */
function rangeAt(g: GraphBuilder, x: NodeId, index: Int32Array): Range {
  const node = g.nodes[x];
  if (index.includes(-1)) {
    const others = index.filter((at) => at >= 0);
    return others.length === 0 ? closed(0, 0) : hull(rangeAt(g, x, others), closed(0, 0));
  }
  switch (node.kind) {
    case "reshape":
      return rangeAt(g, node.args[0], index);
    case "gather":
      return rangeAt(g, node.args[0], index.map((at) => node.index[at]));
    case "join":
      return rangeOfJoined(g, node.args, index);
    default:
      return rangeOf(g, x);
  }
}

/** Of elements of arrays one after another. */
function rangeOfJoined(g: GraphBuilder, parts: readonly NodeId[], index: Int32Array): Range {
  let [offset, range] = [0, undefined as Range | undefined];
  for (const part of parts) {
    const size = sizeOf(g.shapeOf(part));
    const inside = index.filter((at) => at >= offset && at < offset + size);
    if (inside.length > 0) {
      const here = rangeAt(g, part, inside.map((at) => at - offset));
      range = range ? hull(range, here) : here;
    }
    offset += size;
  }
  return range ?? everything;
}

/** Whether numbers do not descend along the last axis, because they are sums of steps upwards. */
export function knownAscending(g: GraphBuilder, x: NodeId): boolean {
  const node = g.nodes[x];
  if (node.kind !== "scan" || node.op !== "cumsum" || node.axis !== node.shape.length - 1) {
    return false;
  }
  const extent = node.shape[node.axis];
  const steps = Int32Array.from({ length: sizeOf(node.shape) }, (_, at) => at)
    .filter((at) => at % extent > 0);
  return steps.length === 0 || rangeAt(g, node.args[0], steps).low >= 0;
}

/** Of sums of numbers of one sign: positive ones stay positive, negative ones negative. */
function keepsSign(range: Range): Range {
  if (range.high <= 0 && range.low < 0) return negated(keepsSign(negated(range)));
  if (range.low < 0) return everything;
  return { low: 0, high: Infinity, lowOpen: isPositive(range), highOpen: true };
}

function rangeOfMap(node: MapNode, [a, b, c]: readonly Range[]): Range {
  switch (node.op) {
    case "neg":
      return negated(a);
    case "erfc":
      return open(0, 2);
    case "abs":
      return a.low >= 0
        ? a
        : { low: 0, high: Infinity, lowOpen: isPositive(negated(a)), highOpen: true };
    case "add":
      return sum(a, b);
    case "sub":
      return sum(a, negated(b));
    case "mul":
      return node.args[0] === node.args[1] ? square(a) : product(a, b);
    case "div":
      return isPositive(b) ? product(a, reciprocal(b)) : everything;
    case "pow":
      return power(a);
    case "maximum":
      return {
        ...larger(a, b),
        high: Math.max(a.high, b.high),
        highOpen: a.highOpen && b.highOpen,
      };
    case "minimum":
      return negated({
        ...larger(negated(a), negated(b)),
        high: Math.max(-a.low, -b.low),
        highOpen: a.lowOpen && b.lowOpen,
      });
    case "where":
      return hull(b, c);
    default:
      return increasing(node.op, a) ?? (truthOps.has(node.op) ? closed(0, 1) : everything);
  }
}

/** Increasing functions with the ends of their own ranges, which are not attained. */
const increasingOps: Readonly<Record<string, readonly [(x: number) => number, number, number]>> = {
  exp: [exp, 0, Infinity],
  softplus: [softplus, 0, Infinity],
  sigmoid: [sigmoid, 0, 1],
  tanh: [tanh, -1, 1],
  erf: [erf, -1, 1],
  expm1: [expm1, -1, Infinity],
  sqrt: [Math.sqrt, -Infinity, Infinity],
  log: [log, -Infinity, Infinity],
  log1p: [log1p, -Infinity, Infinity],
  atan: [atan, -Math.PI, Math.PI],
};

/** The range of an increasing function, whose ends are open where those of its argument are. */
function increasing(op: string, a: Range): Range | undefined {
  const known = increasingOps[op];
  if (!known) return undefined;
  const [f, least, most] = known;
  const [low, high] = [f(a.low), f(a.high)];
  // Below their domain the root and the logarithms are not numbers.
  if (low !== low || high !== high) return everything;
  return {
    low,
    high,
    lowOpen: a.lowOpen || low === least,
    highOpen: a.highOpen || high === most,
  };
}

const truthOps: ReadonlySet<string> = new Set(
  ["not", "is_nan", "lt", "le", "gt", "ge", "eq", "ne", "and", "or"],
);

function negated({ low, high, lowOpen, highOpen }: Range): Range {
  return { low: -high, high: -low, lowOpen: highOpen, highOpen: lowOpen };
}

function sum(a: Range, b: Range): Range {
  const [low, high] = [a.low + b.low, a.high + b.high];
  if (low !== low || high !== high) return everything;
  return { low, high, lowOpen: a.lowOpen || b.lowOpen, highOpen: a.highOpen || b.highOpen };
}

function square(a: Range): Range {
  const away = isPositive(a) || isPositive(negated(a));
  const size = Math.max(Math.abs(a.low), Math.abs(a.high));
  return { low: 0, high: size * size, lowOpen: away, highOpen: a.lowOpen && a.highOpen };
}

/** Of numbers that are not negative; of others nothing is said, except by a constant factor. */
function product(a: Range, b: Range): Range {
  if (a.low === a.high && a.low < 0) return product(closed(-a.low, -a.low), negated(b));
  if (b.low === b.high && b.low < 0) return product(b, a);
  if (a.low < 0 && b.low >= 0 && a.high <= 0) return negated(product(negated(a), b));
  if (b.low < 0 && a.low >= 0 && b.high <= 0) return negated(product(a, negated(b)));
  if (a.low < 0 || b.low < 0) return everything;
  const low = a.low * b.low;
  const high = a.high === 0 || b.high === 0 ? 0 : a.high * b.high;
  return {
    low: low === low ? low : 0,
    high,
    lowOpen: low > 0 ? a.lowOpen || b.lowOpen : isPositive(a) && isPositive(b),
    highOpen: a.highOpen || b.highOpen,
  };
}

/** Of positive numbers. */
function reciprocal(a: Range): Range {
  return {
    low: a.high === Infinity ? 0 : 1 / a.high,
    high: 1 / a.low,
    lowOpen: a.highOpen,
    highOpen: a.lowOpen,
  };
}

function power(base: Range): Range {
  if (base.low < 0) return everything;
  return { low: 0, high: Infinity, lowOpen: isPositive(base), highOpen: true };
}

/** The larger lower end. */
function larger(a: Range, b: Range): Range {
  if (a.low === b.low) return a.lowOpen ? a : b;
  return a.low > b.low ? a : b;
}

function hull(a: Range, b: Range): Range {
  return {
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
    lowOpen: a.low === b.low ? a.lowOpen && b.lowOpen : (a.low < b.low ? a : b).lowOpen,
    highOpen: a.high === b.high ? a.highOpen && b.highOpen : (a.high > b.high ? a : b).highOpen,
  };
}
