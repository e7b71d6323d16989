/** The plain meaning of every node on numbers: folding, host arrays, and the reference back end. */
import type { ArrayValue } from "./array_value.ts";
import { choleskyOf, matrixProduct, solveTriangular } from "./matrix.ts";
import type { GraphNode, MapNode, ReduceNode, ScanNode } from "./node.ts";
import { applyBinary, applyTernary, applyUnary } from "./operations.ts";
import { broadcastIndex, sameShape, type Shape, sizeOf, stridesOf } from "./shape.ts";

/**
 * The value of a node from the values of its arguments, written into `out` `[sizeOf(node.shape)]`.
 * Outside of domains NaN or an infinity, never an exception.
 *
 * @throws internal, for a leaf.
 */
export function evaluateInto(node: GraphNode, args: readonly ArrayValue[], out: Float64Array) {
  switch (node.kind) {
    case "constant":
      return out.set(node.values);
    case "map":
      return evaluateMap(node, args, out);
    case "reduce":
      return evaluateReduce(node, args[0], out);
    case "scan":
      return evaluateScan(node, args[0], out);
    case "reshape":
      return out.set(args[0].values);
    case "gather":
      return gatherInto(args[0].values, node.index, out);
    case "scatter":
      return scatterInto(args[0].values, node.index, out);
    case "take":
      return takeInto(args[0].values, args[1].values, out);
    case "join":
      return joinInto(args, out);
    case "matmul":
      return matrixProduct(args[0], args[1], out);
    case "cholesky":
      return choleskyOf(args[0].values, node.shape[0], out);
    case "solve":
      return solveTriangular(args[0].values, args[1], node.transposed, out);
    default:
      throw new Error(`internal: a ${node.kind} has no value of its own`);
  }
}

/** `evaluateInto` a new array. */
export function evaluateNode(node: GraphNode, args: readonly ArrayValue[]): Float64Array {
  const out = new Float64Array(sizeOf(node.shape));
  evaluateInto(node, args, out);
  return out;
}

/**
 * Σ x over `count` elements from `begin` with `stride`, in the one order of the engine: elements of
 * even and of odd position are summed apart, then added. It is the order of two SIMD lanes.
 */
export function sumInOrder(x: Float64Array, begin = 0, count = x.length, stride = 1): number {
  let [even, odd] = [0, 0];
  const last = count - (count & 1);
  let at = begin;
  for (let i = 0; i < last; i += 2) {
    even += x[at];
    odd += x[at + stride];
    at += 2 * stride;
  }
  if (last < count) even += x[at];
  return even + odd;
}

function evaluateMap(node: MapNode, args: readonly ArrayValue[], out: Float64Array): void {
  const read = args.map((value) => reader(value, node.shape));
  switch (args.length) {
    case 1: {
      const apply = applyUnary[node.op as keyof typeof applyUnary];
      for (let i = 0; i < out.length; i++) out[i] = apply(read[0](i));
      return;
    }
    case 2: {
      const apply = applyBinary[node.op as keyof typeof applyBinary];
      for (let i = 0; i < out.length; i++) out[i] = apply(read[0](i), read[1](i));
      return;
    }
    default: {
      const apply = applyTernary[node.op as keyof typeof applyTernary];
      for (let i = 0; i < out.length; i++) out[i] = apply(read[0](i), read[1](i), read[2](i));
    }
  }
}

function reader({ shape, values }: ArrayValue, to: Shape): (i: number) => number {
  if (values.length === 1) return () => values[0];
  if (sameShape(shape, to)) return (i) => values[i];
  const index = broadcastIndex(shape, to);
  return (i) => values[index[i]];
}

/** Π x, those of even and of odd position apart, as `sumInOrder` sums. */
function productInOrder(x: Float64Array, begin: number, count: number, stride: number): number {
  let [even, odd] = [1, 1];
  for (let i = 0; i < count; i += 2) even *= x[begin + i * stride];
  for (let i = 1; i < count; i += 2) odd *= x[begin + i * stride];
  return even * odd;
}

const joinTwo: { readonly [op in "max" | "min"]: (a: number, b: number) => number } = {
  max: (a, b) => Math.max(a, b),
  min: (a, b) => Math.min(a, b),
};
const startOf = { max: -Infinity, min: Infinity } as const;

function evaluateReduce(node: ReduceNode, { shape, values }: ArrayValue, out: Float64Array): void {
  const { bases, offsets } = planOf(node, shape);
  const count = offsets.length;
  const stride = strideOf(offsets);
  const slice = stride === undefined ? new Float64Array(count) : values;
  for (let k = 0; k < bases.length; k++) {
    const begin = stride === undefined ? 0 : bases[k];
    if (stride === undefined) {
      for (let j = 0; j < count; j++) slice[j] = values[bases[k] + offsets[j]];
    }
    out[k] = reduced(node, slice, begin, count, stride ?? 1);
  }
}

function reduced(
  { op }: ReduceNode,
  x: Float64Array,
  begin: number,
  count: number,
  stride: number,
): number {
  if (op === "sum") return sumInOrder(x, begin, count, stride);
  if (op === "prod") return productInOrder(x, begin, count, stride);
  const join = joinTwo[op];
  let result: number = startOf[op];
  for (let j = 0, at = begin; j < count; j++, at += stride) result = join(result, x[at]);
  return result;
}

const plans = new WeakMap<ReduceNode, ReturnType<typeof reductionPlan>>();

/** The plan of a node, whose argument has one shape. */
function planOf(node: ReduceNode, shape: Shape): ReturnType<typeof reductionPlan> {
  const known = plans.get(node) ?? reductionPlan(shape, node.axes);
  plans.set(node, known);
  return known;
}

/** The distance of offsets that are as far from one another everywhere. */
function strideOf(offsets: Int32Array): number | undefined {
  const stride = offsets[1] ?? 1;
  return offsets.every((offset, j) => offset === j * stride) ? stride : undefined;
}

/** Flat offsets of the kept elements, and of the reduced elements below each of them. */
export function reductionPlan(
  shape: Shape,
  axes: readonly number[],
): { readonly bases: Int32Array; readonly offsets: Int32Array } {
  const strides = stridesOf(shape);
  const kept = shape.map((_, i) => i).filter((i) => !axes.includes(i));
  return { bases: offsetsOf(shape, strides, kept), offsets: offsetsOf(shape, strides, axes) };
}

function offsetsOf(shape: Shape, strides: readonly number[], axes: readonly number[]): Int32Array {
  let offsets = [0];
  for (const axis of axes) {
    const steps = Array.from({ length: shape[axis] }, (_, i) => i * strides[axis]);
    offsets = offsets.flatMap((base) => steps.map((step) => base + step));
  }
  return Int32Array.from(offsets);
}

function evaluateScan(node: ScanNode, { shape, values }: ArrayValue, out: Float64Array): void {
  const stride = stridesOf(shape)[node.axis];
  const extent = shape[node.axis];
  for (let i = 0; i < out.length; i++) {
    const first = Math.floor(i / stride) % extent === 0;
    const before = first ? (node.op === "cumsum" ? 0 : 1) : out[i - stride];
    out[i] = node.op === "cumsum" ? before + values[i] : before * values[i];
  }
}

function gatherInto(x: Float64Array, index: Int32Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = index[i] < 0 ? 0 : x[index[i]];
}

function scatterInto(x: Float64Array, index: Int32Array, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < x.length; i++) if (index[i] >= 0) out[index[i]] += x[i];
}

function takeInto(x: Float64Array, index: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = x[index[i]];
}

function joinInto(args: readonly ArrayValue[], out: Float64Array): void {
  let at = 0;
  for (const { values } of args) {
    out.set(values, at);
    at += values.length;
  }
}
