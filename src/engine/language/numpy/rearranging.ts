/** Functions that put the elements of arrays elsewhere: shapes, repetitions, differences, triangles. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { describeShape, sizeOf } from "../ir/shape.ts";
import {
  arrayAliases,
  arrayArgument,
  type ArrayFunction,
  asRank,
  oneAxis,
  refuseAxis,
  shapeArgument,
  wholeArgument,
} from "./array_function.ts";
import { applyMap, type CallSite, fold, shapeOf, widest } from "../interpreter/arrays.ts";
import { broadcastTo } from "../interpreter/conversions.ts";
import { transpose } from "../interpreter/linear_algebra.ts";
import type { NumericValue } from "../interpreter/values.ts";

/** Elements under another shape; one −1 stands for the remaining length. */
export function reshapeArray(
  site: CallSite,
  x: NumericValue,
  wanted: readonly number[],
): NumericValue | undefined {
  const { checking } = site;
  const from = shapeOf(checking, x);
  const size = sizeOf(from);
  const rest = sizeOf(wanted.filter((extent) => extent !== -1));
  const unknown = wanted.filter((extent) => extent === -1).length;
  const shape = wanted.map((extent) => (extent === -1 ? size / rest : extent));
  if (unknown > 1 || sizeOf(shape) !== size || !shape.every(Number.isInteger)) {
    const message = `Cannot reshape an array of ${describeShape(from)} to (${wanted.join(", ")})`;
    return void checking.error("shapes/reshape", message, site.place, `there are ${size} elements`);
  }
  return { ...x, node: checking.graph.reshape(x.node, shape) };
}

/** `reshape(x, shape)`. */
export const reshape: ArrayFunction = {
  names: ["a", "shape"],
  aliases: arrayAliases,
  required: 2,
  ignored: ["ndim"],
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const given = bound.get("shape");
    const shape = x && given && shapeArgument(site, given, true);
    return shape && reshapeArray(site, x, shape);
  },
};

/** `flatten(x)`, `ravel(x)`. */
export const flatten: ArrayFunction = {
  names: ["a"],
  aliases: arrayAliases,
  required: 1,
  ignored: ["ndim"],
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    return x && asRank(site, x, (shape) => [sizeOf(shape)]);
  },
};

/** `expand_dims(x, axis)`. */
export const expandDims: ArrayFunction = {
  names: ["a", "axis"],
  aliases: arrayAliases,
  required: 2,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const axis = wholeArgument(site, bound, "axis", 0);
    if (!x || axis === undefined) return undefined;
    const from = shapeOf(site.checking, x);
    const at = axis < 0 ? axis + from.length + 1 : axis;
    if (at < 0 || at > from.length) return refuseAxis(site, axis, from);
    return asRank(site, x, (shape) => [...shape.slice(0, at), 1, ...shape.slice(at)]);
  },
};

/** `squeeze(x)`: without axes of one element. */
export const squeeze: ArrayFunction = {
  names: ["a"],
  aliases: arrayAliases,
  required: 1,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    return x && asRank(site, x, (shape) => shape.filter((extent) => extent !== 1));
  },
};

/** `transpose(x)`. */
export const transposeFunction: ArrayFunction = {
  names: ["a"],
  aliases: arrayAliases,
  required: 1,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    return x && transpose(site.checking, x, site.place);
  },
};

/** `broadcast_to(x, shape)`. */
export const broadcastToFunction: ArrayFunction = {
  names: ["a", "shape"],
  aliases: arrayAliases,
  required: 2,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const given = bound.get("shape");
    const shape = x && given && shapeArgument(site, given);
    return shape && broadcastTo(site, x, shape);
  },
};

/** `repeat(x, n)`: each element n times, or as often as an array states. */
export const repeat: ArrayFunction = {
  names: ["a", "repeats", "axis"],
  aliases: arrayAliases,
  required: 2,
  apply: (site, bound) => {
    const { checking } = site;
    const x = arrayArgument(site, bound, "a");
    const counts = x && arrayArgument(site, bound, "repeats");
    const times = counts && checking.graph.valueOf(counts.node);
    if (!x || !counts) return undefined;
    const shape = shapeOf(checking, x);
    const axis = bound.has("axis") && bound.get("axis")?.value.kind !== "none"
      ? oneAxis(site, bound, shape, 0)
      : undefined;
    const flat = axis === undefined ? asRank(site, x, (from) => [sizeOf(from)]) : x;
    const along = axis ?? 0;
    const extent = shapeOf(checking, flat)[along];
    const fits = times && (times.values.length === 1 || times.values.length === extent);
    if (!times || !fits || !times.values.every((n) => Number.isInteger(n) && n >= 0)) {
      const message =
        `Cannot call ${site.text}: wanted one whole number, or one for each of ${extent}`;
      return void checking.error("shapes/repeat", message, site.place);
    }
    const count = (i: number) => times.values[times.values.length === 1 ? 0 : i];
    checking.allocate(
      Array.from({ length: extent }, (_, i) => count(i)).reduce((a, b) => a + b, 0),
      site.place,
    );
    const positions = Array.from({ length: extent }, (_, i) => new Array<number>(count(i)).fill(i));
    return takeAlong(site, flat, along, positions.flat());
  },
};

/** Elements at positions along one axis. */
export function takeAlong(
  site: CallSite,
  x: NumericValue,
  axis: number,
  positions: readonly number[],
): NumericValue {
  const { checking } = site;
  const from = shapeOf(checking, x);
  const to = from.map((extent, i) => (i === axis ? positions.length : extent));
  const inner = sizeOf(from.slice(axis + 1));
  const size = sizeOf(to);
  checking.allocate(size, site.place);
  const index = new Int32Array(size);
  for (let flat = 0; flat < size; flat++) {
    const k = Math.floor(flat / inner) % positions.length;
    const block = Math.floor(flat / (inner * positions.length));
    index[flat] = (block * from[axis] + positions[k]) * inner + flat % inner;
  }
  const origin = x.origin === "tensor" ? "tensor" : "numpy";
  return fold(checking, { ...x, origin, node: checking.graph.gather(x.node, index, to) });
}

/** `tile(x, n)`, `tile(x, (n, m))`. */
export const tile: ArrayFunction = {
  names: ["a", "reps"],
  aliases: arrayAliases,
  required: 2,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const given = bound.get("reps");
    const reps = x && given && shapeArgument(site, given);
    if (!x || !reps) return undefined;
    let tiled = asRank(site, x, (shape) => [
      ...new Array<number>(Math.max(0, reps.length - shape.length)).fill(1),
      ...shape,
    ]);
    const rank = shapeOf(site.checking, tiled).length;
    for (const [i, times] of reps.entries()) {
      const axis = rank - reps.length + i;
      const extent = shapeOf(site.checking, tiled)[axis];
      site.checking.allocate(extent * times, site.place);
      const positions = Array.from({ length: extent * times }, (_, k) => k % extent);
      tiled = takeAlong(site, tiled, axis, positions);
    }
    return tiled;
  },
};

/** `diff(x)`: neighbours' differences along the last axis. */
export const diff: ArrayFunction = {
  names: ["a", "n", "axis"],
  aliases: arrayAliases,
  required: 1,
  apply: (site, bound) => {
    const { checking, place } = site;
    let x = arrayArgument(site, bound, "a");
    const order = wholeArgument(site, bound, "n", 1);
    if (!x || order === undefined) return undefined;
    const axis = oneAxis(site, bound, shapeOf(checking, x), -1);
    if (axis === undefined) return undefined;
    for (let i = 0; i < order && x; i++) {
      const extent = shapeOf(checking, x)[axis] ?? 0;
      const below = Array.from({ length: Math.max(0, extent - 1) }, (_, k) => k);
      const [low, high] = [below, below.map((k) => k + 1)].map((at) =>
        takeAlong(site, x!, axis, at)
      );
      x = applyMap(checking, "sub", [high, low], place, widest(x));
    }
    return x && fold(checking, x);
  },
};

/** `diag(x)`: a matrix from a vector, the diagonal of a matrix. */
export const diag: ArrayFunction = {
  names: ["a"],
  aliases: arrayAliases,
  required: 1,
  apply: (site, bound) => {
    const { checking } = site;
    const x = arrayArgument(site, bound, "a");
    if (!x) return undefined;
    const shape = shapeOf(checking, x);
    const n = shape.length === 2 ? Math.min(...shape) : shape[0] ?? 1;
    const vector = shape.length < 2;
    checking.allocate(vector ? n * n : n, site.place);
    const index = vector
      ? Int32Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? i / (n + 1) : -1))
      : Int32Array.from({ length: n }, (_, i) => i * shape[1] + i);
    const node = checking.graph.gather(x.node, index, vector ? [n, n] : [n]);
    return fold(checking, { ...x, node });
  },
};

/** `tril(x)`, `triu(x)`: zeros above or below the diagonal. */
export function triangle(lower: boolean): ArrayFunction {
  return {
    names: ["a", "k"],
    aliases: arrayAliases,
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const k = wholeArgument(site, bound, "k", 0);
      if (!x || k === undefined) return undefined;
      const shape = shapeOf(site.checking, x);
      if (shape.length !== 2) return refuseAxis(site, 1, shape);
      const index = Int32Array.from({ length: sizeOf(shape) }, (_, flat) => {
        const above = flat % shape[1] - Math.floor(flat / shape[1]);
        return (lower ? above <= k : above >= k) ? flat : -1;
      });
      return fold(site.checking, { ...x, node: site.checking.graph.gather(x.node, index, shape) });
    },
  };
}

/** `expand_packed_triangular(n, packed)`: a lower triangle, packed row by row, as a matrix. */
export const expandPacked: ArrayFunction = {
  names: ["n", "packed"],
  required: 2,
  ignored: ["lower"],
  apply: (site, bound) => {
    const { checking } = site;
    const n = wholeArgument(site, bound, "n", 0);
    const packed = arrayArgument(site, bound, "packed");
    if (n === undefined || !packed) return undefined;
    const shape = shapeOf(checking, packed);
    if (`${shape}` !== `${n * (n + 1) / 2}`) {
      const message = `Cannot call ${site.text}: wanted ${n * (n + 1) / 2} elements, found ` +
        describeShape(shape);
      return void checking.error("shapes/packed", message, site.place);
    }
    checking.allocate(n * n, site.place);
    return fold(checking, { ...packed, node: unpack(checking.graph, packed.node, n) });
  },
};

/** The lower triangle, packed row by row, as a matrix with zeros above. */
export function unpack(g: GraphBuilder, packed: NodeId, n: number): NodeId {
  const index = Int32Array.from({ length: n * n }, (_, flat) => {
    const [i, j] = [Math.floor(flat / n), flat % n];
    return j <= i ? i * (i + 1) / 2 + j : -1;
  });
  return g.gather(packed, index, [n, n]);
}
