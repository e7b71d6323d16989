/** One node as a kernel over buffers: run by the plain back end, called out for by modules. */
import { evaluateInto, reductionPlan, sumInOrder } from "./evaluate.ts";
import type { ArrayValue } from "./array_value.ts";
import type { GraphNode, MapNode, ReduceNode, ScanNode } from "./node.ts";
import { applyBinary, applyTernary, applyUnary } from "./operations.ts";
import { broadcastIndex, sameShape, type Shape, sizeOf, stridesOf } from "./shape.ts";

/** Computes one node from its arguments' buffers into its own; plans are made once. */
export type Kernel = () => void;

/** The kernel of a node; its bits are those of `evaluateInto`. */
export function kernelOf(
  node: GraphNode,
  args: readonly ArrayValue[],
  out: Float64Array,
): Kernel {
  switch (node.kind) {
    case "map":
      return mapKernel(node, args, out);
    case "reduce":
      return reduceKernel(node, args[0], out);
    case "scan":
      return scanKernel(node, args[0].values, out);
    default:
      return () => evaluateInto(node, args, out);
  }
}

function reduceKernel(node: ReduceNode, { shape, values }: ArrayValue, out: Float64Array): Kernel {
  const { bases, offsets } = reductionPlan(shape, node.axes);
  const step = offsets.length > 1 ? offsets[1] - offsets[0] : 1;
  const even = offsets.every((offset, i) => offset === offsets[0] + i * step);
  if (node.op !== "sum" || !even) return () => evaluateInto(node, [{ shape, values }], out);
  return () => {
    for (let k = 0; k < bases.length; k++) {
      out[k] = sumInOrder(values, bases[k], offsets.length, step);
    }
  };
}

function scanKernel(node: ScanNode, values: Float64Array, out: Float64Array): Kernel {
  const stride = stridesOf(node.shape)[node.axis];
  const length = node.shape[node.axis] * stride;
  const isSum = node.op === "cumsum";
  return () => {
    for (let block = 0; block < out.length; block += length) {
      for (let i = block; i < block + stride; i++) out[i] = isSum ? 0 + values[i] : values[i];
      for (let i = block + stride; i < block + length; i++) {
        out[i] = isSum ? out[i - stride] + values[i] : out[i - stride] * values[i];
      }
    }
  };
}

/** An operand of an elementwise kernel: element i of the result reads `values[at(i)]`. */
interface Operand {
  readonly values: Float64Array;
  /** 1: its own element; 0: always the first. */
  readonly stride: 0 | 1;
}

function mapKernel(node: MapNode, args: readonly ArrayValue[], out: Float64Array): Kernel {
  const spread = args.map((arg) => spreadOperand(arg, node.shape));
  const [a, b, c] = spread.map(({ operand }) => operand);
  const kernel = elementKernel(node, out, a, b, c);
  const moves = spread.flatMap(({ move }) => move ?? []);
  if (moves.length === 0) return kernel;
  return () => {
    for (const move of moves) move();
    kernel();
  };
}

/** Arrays that are broadcast along some axes are first copied out. */
function spreadOperand(
  { shape, values }: ArrayValue,
  to: Shape,
): { readonly operand: Operand; readonly move?: () => void } {
  if (values.length === 1) return { operand: { values, stride: 0 } };
  if (sameShape(shape, to) || values.length === sizeOf(to)) {
    return { operand: { values, stride: 1 } };
  }
  const index = broadcastIndex(shape, to);
  const copy = new Float64Array(index.length);
  const move = () => {
    for (let i = 0; i < index.length; i++) copy[i] = values[index[i]];
  };
  return { operand: { values: copy, stride: 1 }, move };
}

function elementKernel(
  { op, args }: MapNode,
  out: Float64Array,
  a: Operand,
  b: Operand,
  c: Operand,
): Kernel {
  if (args.length === 1) return unaryKernel(applyUnary[op as keyof typeof applyUnary], out, a);
  if (args.length === 2) {
    return binaryKernels[op]?.(out, a, b) ??
      binaryKernel(applyBinary[op as keyof typeof applyBinary], out, a, b);
  }
  return ternaryKernel(applyTernary[op as keyof typeof applyTernary], out, a, b, c);
}

function unaryKernel(f: (x: number) => number, out: Float64Array, a: Operand): Kernel {
  return () => {
    for (let i = 0; i < out.length; i++) out[i] = f(a.values[i * a.stride]);
  };
}

function binaryKernel(
  f: (x: number, y: number) => number,
  out: Float64Array,
  a: Operand,
  b: Operand,
): Kernel {
  return () => {
    for (let i = 0; i < out.length; i++) {
      out[i] = f(a.values[i * a.stride], b.values[i * b.stride]);
    }
  };
}

function ternaryKernel(
  f: (x: number, y: number, z: number) => number,
  out: Float64Array,
  a: Operand,
  b: Operand,
  c: Operand,
): Kernel {
  return () => {
    for (let i = 0; i < out.length; i++) {
      out[i] = f(a.values[i * a.stride], b.values[i * b.stride], c.values[i * c.stride]);
    }
  };
}

type BinaryKernel = (out: Float64Array, a: Operand, b: Operand) => () => void;

/** Arithmetic, without a call for each element. */
const binaryKernels: Readonly<Record<string, BinaryKernel | undefined>> = {
  add: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] + y[i * t];
  },
  sub: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] - y[i * t];
  },
  mul: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] * y[i * t];
  },
  div: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] / y[i * t];
  },
};
