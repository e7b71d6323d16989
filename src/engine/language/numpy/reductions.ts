/** Functions that reduce axes: sums, moments, extremes, logarithms of sums. */
import type { ReduceOp } from "../ir/node.ts";
import { sizeOf } from "../ir/shape.ts";
import {
  arrayAliases,
  arrayArgument,
  type ArrayFunction,
  axesArgument,
  type Bound,
  flagArgument,
  oneAxis,
  wholeArgument,
} from "./array_function.ts";
import { applyMap, type CallSite, fold, pythonNumber, shapeOf } from "../interpreter/arrays.ts";
import type { Dtype, NumericValue } from "../interpreter/values.ts";

/** A reduction of the graph over `axis`, with `keepdims`. */
function reduceArray(
  site: CallSite,
  bound: Bound,
  op: ReduceOp,
  dtype: (x: NumericValue) => Dtype,
  keepByDefault = false,
): NumericValue | undefined {
  const x = arrayArgument(site, bound, "a");
  const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
  if (!x || !axes) return undefined;
  return reduceOver(
    site,
    x,
    op,
    axes,
    flagArgument(site, bound, "keepdims", keepByDefault),
    dtype(x),
  );
}

/** A reduction over axes. */
export function reduceOver(
  site: CallSite,
  x: NumericValue,
  op: ReduceOp,
  axes: readonly number[],
  keep: boolean,
  dtype: Dtype,
): NumericValue | undefined {
  const { graph } = site.checking;
  const shape = shapeOf(site.checking, x);
  if (axes.some((axis) => shape[axis] === 0) && op !== "sum" && op !== "prod") {
    const message = `Cannot call ${site.text} on an empty array`;
    return void site.checking.error("shapes/empty", message, site.place);
  }
  const reduced = graph.reduce(op, x.node, axes);
  const kept = shape.map((extent, i) => (axes.includes(i) ? 1 : extent));
  const node = keep ? graph.reshape(reduced, kept) : reduced;
  const origin = x.origin === "tensor" ? "tensor" : "numpy";
  return fold(site.checking, { kind: "numeric", node, dtype, origin });
}

/** Sums of truths are whole numbers. */
export const counted = (x: NumericValue): Dtype => x.dtype === "bool" ? "int" : x.dtype;

/** Sum over axes divided by their size. */
export function meanOver(
  site: CallSite,
  x: NumericValue,
  axes: readonly number[],
  keep: boolean,
  lost = 0,
): NumericValue | undefined {
  const shape = shapeOf(site.checking, x);
  const count = sizeOf(axes.map((axis) => shape[axis])) - lost;
  const total = reduceOver(site, x, "sum", axes, keep, "float");
  const divisor = pythonNumber(site.checking, count, "int");
  const mean = total && applyMap(site.checking, "div", [total, divisor], site.place, "float");
  return mean && fold(site.checking, mean);
}

/** Mean squared distance from the mean; the divisor is the size − ddof. */
export function varianceOver(
  site: CallSite,
  x: NumericValue,
  axes: readonly number[],
  keep: boolean,
  ddof: number,
): NumericValue | undefined {
  const { checking, place } = site;
  const mean = meanOver(site, x, axes, true);
  const gap = mean && applyMap(checking, "sub", [x, mean], place, "float");
  const square = gap && applyMap(checking, "mul", [gap, gap], place, "float");
  return square && meanOver(site, square, axes, keep, ddof);
}

/** `mean`, `var` and `std` over axes. */
export function moments(kind: "mean" | "var" | "std"): ArrayFunction {
  return {
    names: ["a", "axis"],
    aliases: arrayAliases,
    required: 1,
    keywordOnly: kind === "mean" ? ["keepdims"] : ["keepdims", "ddof"],
    ignored: ["dtype"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
      const ddof = wholeArgument(site, bound, "ddof", 0);
      if (!x || !axes || ddof === undefined) return undefined;
      const keep = flagArgument(site, bound, "keepdims", false);
      if (kind === "mean") return meanOver(site, x, axes, keep);
      const variance = varianceOver(site, x, axes, keep, ddof);
      if (!variance || kind === "var") return variance;
      const root = applyMap(site.checking, "sqrt", [variance], site.place, "float");
      return root && fold(site.checking, root);
    },
  };
}

/** A reduction over axes, all of them by default. */
export function reduction(op: ReduceOp, dtype: (x: NumericValue) => Dtype): ArrayFunction {
  return {
    names: ["a", "axis"],
    aliases: arrayAliases,
    required: 1,
    keywordOnly: ["keepdims"],
    ignored: ["dtype"],
    apply: (site, bound) => reduceArray(site, bound, op, dtype),
  };
}

/** `any` and `all`: the greatest or least of truths. */
export function logic(op: ReduceOp): ArrayFunction {
  return reduction(op, () => "bool");
}

/** Cumulative sums and products along an axis, of the flat array by default. */
export function scan(op: "cumsum" | "cumprod"): ArrayFunction {
  return {
    names: ["a", "axis"],
    aliases: arrayAliases,
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      if (!x) return undefined;
      const shape = shapeOf(site.checking, x);
      const flat = bound.has("axis")
        ? x.node
        : site.checking.graph.reshape(x.node, [sizeOf(shape)]);
      const axis = bound.has("axis") ? oneAxis(site, bound, shape, 0) : 0;
      if (axis === undefined) return undefined;
      const node = site.checking.graph.scan(op, flat, axis);
      return fold(site.checking, { ...x, node, dtype: counted(x) });
    },
  };
}

/** log Σ exp(x) over axes, shifted by the greatest. */
export function logSumExp(keepByDefault: boolean): ArrayFunction {
  return {
    names: ["a", "axis"],
    aliases: arrayAliases,
    required: 1,
    keywordOnly: ["keepdims"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
      if (!x || !axes) return undefined;
      return logSumOver(site, x, axes, flagArgument(site, bound, "keepdims", keepByDefault));
    },
  };
}

function logSumOver(
  site: CallSite,
  x: NumericValue,
  axes: readonly number[],
  keep: boolean,
): NumericValue | undefined {
  const { graph } = site.checking;
  const greatest = reduceOver(site, x, "max", axes, true, "float");
  if (!greatest) return undefined;
  // Any shift near the greatest will do; of a whole number there is no slope to follow.
  const top = { ...greatest, node: graph.map("round", greatest.node) };
  const total = graph.reduce("sum", graph.exp(graph.sub(x.node, top.node)), axes);
  const kept = graph.add(graph.log(graph.reshape(total, shapeOf(site.checking, top))), top.node);
  const shape = shapeOf(site.checking, x).filter((_, i) => !axes.includes(i));
  const node = keep ? kept : graph.reshape(kept, shape);
  return fold(site.checking, { ...x, node, dtype: "float" });
}

/** e^x / Σ e^x over axes, or its logarithm. */
export function softmax(log: boolean): ArrayFunction {
  return {
    names: ["a", "axis"],
    aliases: arrayAliases,
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
      const total = x && axes && logSumOver(site, x, axes, true);
      const shifted = total && applyMap(site.checking, "sub", [x, total], site.place, "float");
      if (!shifted || log) return shifted;
      return applyMap(site.checking, "exp", [shifted], site.place, "float");
    },
  };
}
