/** Functions of NumPy that look at numbers: on data only, their results are constants. */
import { quantile } from "../../../numerics/math/mod.ts";
import { choleskyOf } from "../ir/matrix.ts";
import { describeShape, type Shape, sizeOf } from "../ir/shape.ts";
import { applyMap, type CallSite, hostArray, numberOf } from "../interpreter/arrays.ts";
import { nonZero } from "../interpreter/indexing.ts";
import { wordColumn, wordsIn } from "../interpreter/words.ts";
import {
  arrayAliases,
  arrayArgument,
  type ArrayFunction,
  axesArgument,
  type Bound,
  flagArgument,
  wholeArgument,
} from "./array_function.ts";
import { stackArrays } from "./joining.ts";
import { takeAlong } from "./rearranging.ts";
import { meanOver, reduceOver } from "./reductions.ts";
import { refuseRandom } from "./refuse_random.ts";
import type { NumericValue, SequenceValue, Value } from "../interpreter/values.ts";

/** An argument whose numbers are known before sampling. */
interface Known {
  readonly value: NumericValue;
  readonly shape: Shape;
  readonly numbers: Float64Array;
}

function known(site: CallSite, bound: Bound, name: string): Known | undefined {
  const value = arrayArgument(site, bound, name);
  if (!value) return undefined;
  const found = site.checking.graph.valueOf(value.node);
  if (found) return { value, shape: found.shape, numbers: found.values };
  return refuseRandom(site);
}

function tuple(...items: readonly Value[]): SequenceValue {
  return { kind: "sequence", form: "tuple", items: [...items] };
}

function vector(
  site: CallSite,
  numbers: ArrayLike<number>,
  like: NumericValue["dtype"],
): NumericValue {
  return hostArray(site.checking, Float64Array.from(numbers), [numbers.length], like, site.place);
}

/** Positions of ascending order; equal values keep their order. */
export function ascending(numbers: Float64Array): number[] {
  return [...numbers.keys()].sort((i, j) => numbers[i] - numbers[j] || i - j);
}

type Apply = (site: CallSite, x: Known, bound: Bound) => Value | undefined;
type More = Partial<Pick<ArrayFunction, "keywordOnly" | "ignored">>;

function host(
  names: readonly string[],
  required: number,
  apply: Apply,
  more: More = {},
): ArrayFunction {
  return {
    names,
    required,
    ...more,
    apply: (site, bound) => {
      const x = known(site, bound, names[0]);
      return x && apply(site, x, bound);
    },
  };
}

/** A function of an array `a` that has an element at least. */
function ofArray(
  others: readonly string[],
  required: number,
  apply: Apply,
  more: More = {},
): ArrayFunction {
  const refusing: Apply = (site, x, bound) => {
    if (x.numbers.length > 0) return apply(site, x, bound);
    const message = `Cannot call ${site.text} on an empty array`;
    return void site.checking.error("shapes/empty", message, site.place);
  };
  return { ...host(["a", ...others], required, refusing, more), aliases: arrayAliases };
}

/** A statistic of all numbers, or along one axis. */
function alongAxis(
  site: CallSite,
  x: Known,
  bound: Bound,
  statistic: (numbers: Float64Array) => number,
  dtype: NumericValue["dtype"] = "float",
): Value | undefined {
  const axes = axesArgument(site, bound, x.shape);
  if (!axes) return undefined;
  const axis = axes[0];
  if (axes.length === x.shape.length) return pythonFloat(site, statistic(x.numbers), dtype);
  const inner = sizeOf(x.shape.slice(axis + 1));
  const extent = x.shape[axis];
  const shape = x.shape.filter((_, i) => i !== axis);
  const values = Float64Array.from({ length: sizeOf(shape) }, (_, flat) => {
    const base = Math.floor(flat / inner) * extent * inner + flat % inner;
    return statistic(Float64Array.from({ length: extent }, (_, k) => x.numbers[base + k * inner]));
  });
  return hostArray(site.checking, values, shape, dtype, site.place);
}

function pythonFloat(site: CallSite, value: number, dtype: NumericValue["dtype"]): NumericValue {
  return { kind: "numeric", node: site.checking.graph.scalar(value), dtype, origin: "numpy" };
}

function quantiles(scale: number): ArrayFunction {
  return ofArray(["q", "axis"], 2, (site, x, bound) => {
    const q = known(site, bound, "q");
    if (!q) return undefined;
    const outside = q.numbers.find((value) => !(value >= 0 && value <= scale));
    if (outside !== undefined) {
      const message =
        `Cannot call ${site.text}: wanted numbers between 0 and ${scale}, found ${outside}`;
      return void site.checking.error("support/number", message, site.place);
    }
    const one = (share: number) =>
      alongAxis(site, x, bound, (numbers) => quantile(numbers.toSorted(), share / scale));
    if (q.shape.length === 0) return one(q.numbers[0]);
    const parts = Array.from(q.numbers, one);
    const fine = parts.filter((part): part is NumericValue => part?.kind === "numeric");
    return fine.length === parts.length ? stackArrays(site, fine, 0) : undefined;
  });
}

/** Words in the order of the alphabet, which NumPy has them in whatever the order of their categories. */
function byAlphabet({ checking, place }: CallSite, x: Known): Known {
  const words = x.value.levels && wordsIn(checking, x.value);
  if (!words) return x;
  const value = wordColumn(checking, words, place);
  return { ...x, value, numbers: checking.graph.valueOf(value.node)!.values };
}

/** `np.unique(x, return_inverse=True, return_counts=True, return_index=True)`. */
const unique = ofArray([], 1, (site, given, bound) => {
  const x = byAlphabet(site, given);
  const order = ascending(x.numbers);
  const firsts = order.filter((i, k) => k === 0 || x.numbers[i] !== x.numbers[order[k - 1]]);
  const values = firsts.map((i) => x.numbers[i]);
  const codes = new Map(values.map((value, code) => [value, code]));
  const inverse = Array.from(x.numbers, (value) => codes.get(value) ?? 0);
  const results: Value[] = [vector(site, values, x.value.dtype)];
  if (flagArgument(site, bound, "return_index", false)) results.push(vector(site, firsts, "int"));
  if (flagArgument(site, bound, "return_inverse", false)) {
    results.push(vector(site, inverse, "int"));
  }
  if (flagArgument(site, bound, "return_counts", false)) {
    const counts = new Float64Array(values.length);
    for (const code of inverse) counts[code]++;
    results.push(vector(site, counts, "int"));
  }
  return results.length === 1 ? results[0] : tuple(...results);
}, { keywordOnly: ["return_index", "return_inverse", "return_counts"] });

const sort = ofArray(["axis"], 1, (site, x) => {
  if (x.shape.length <= 1) return vector(site, x.numbers.toSorted(), x.value.dtype);
  return refuseRank(site, x);
});

const argsort = ofArray(["axis", "kind"], 1, (site, x, bound) => {
  if (x.shape.length > 1) return refuseRank(site, x);
  const kind = bound.get("kind")?.value;
  const isStable = kind?.kind === "text" && /^(stable|mergesort)$/.test(kind.value);
  if (!isStable && new Set(x.numbers).size < x.numbers.length) {
    const message = `Cannot call ${site.text}: values tie, and NumPy leaves open which comes first`;
    return void site.checking.error("names/wrong-kind", message, site.place, 'write kind="stable"');
  }
  return vector(site, ascending(x.numbers), "int");
});

function refuseRank(site: CallSite, x: Known): undefined {
  const message = `Cannot call ${site.text}: wanted a vector, found ${describeShape(x.shape)}`;
  site.checking.error("shapes/rank", message, site.place);
}

function extreme(sign: 1 | -1): ArrayFunction {
  return ofArray(["axis"], 1, (site, x, bound) =>
    alongAxis(site, x, bound, (numbers) => {
      let best = 0;
      for (let i = 1; i < numbers.length; i++) {
        if (sign * numbers[i] > sign * numbers[best]) best = i;
      }
      return best;
    }, "int"));
}

/** The first position from which on a condition holds, by bisection. */
export function firstOf(numbers: Float64Array, holds: (number: number) => boolean): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(numbers[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** First position at which each value could be inserted. */
function search(names: readonly [string, string], digitize: boolean): ArrayFunction {
  return host(names, 2, (site, first, bound) => {
    const second = known(site, bound, names[1]);
    if (!second) return undefined;
    const [edges, values] = digitize ? [second, first] : [first, second];
    const side = bound.get("side")?.value;
    const right = digitize !== flagArgument(site, bound, "right", false) ||
      (side?.kind === "text" && side.value === "right");
    const after = (edge: number, value: number) => right ? edge > value : edge >= value;
    const ascends = edges.numbers.every((edge, i) => i === 0 || edges.numbers[i - 1] <= edge);
    if (!ascends) site.checking.collect(edges.numbers.length * values.numbers.length, site.place);
    const at = (value: number) => {
      if (ascends) return firstOf(edges.numbers, (edge) => after(edge, value));
      const found = edges.numbers.findIndex((edge) => after(edge, value));
      return found < 0 ? edges.numbers.length : found;
    };
    const positions = Float64Array.from(values.numbers, at);
    return hostArray(site.checking, positions, values.shape, "int", site.place);
  }, { keywordOnly: ["side", "right"] });
}

const isIn = host(["x", "values"], 2, (site, x, bound) => {
  const values = known(site, bound, "values");
  if (!values) return undefined;
  const wanted = new Set(values.numbers);
  const found = Float64Array.from(x.numbers, (one) => (wanted.has(one) ? 1 : 0));
  return hostArray(site.checking, found, x.shape, "bool", site.place);
});

const binCount = ofArray([], 1, (site, x, bound) => {
  const least = wholeArgument(site, bound, "minlength", 0);
  if (least === undefined || !x.numbers.every((n) => Number.isInteger(n) && n >= 0)) {
    const message = `Cannot call ${site.text}: wanted whole numbers from 0`;
    return void site.checking.error("support/number", message, site.place);
  }
  const length = x.numbers.reduce((most, n) => Math.max(most, n + 1), least);
  site.checking.allocate(length, site.place);
  const counts = new Float64Array(length);
  for (const n of x.numbers) counts[n]++;
  return vector(site, counts, "int");
}, { keywordOnly: ["minlength"] });

const nonzero: ArrayFunction = {
  names: ["a"],
  aliases: arrayAliases,
  required: 1,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const found = x && nonZero(site.checking, x, site.place);
    return found && tuple(...found);
  },
};

const countNonzero = host(["x"], 1, (site, x) => {
  return pythonFloat(site, x.numbers.filter((n) => n !== 0).length, "int");
});

const flip = host(["x", "axis"], 1, (site, x, bound) => {
  const axes = axesArgument(site, bound, x.shape);
  return axes?.reduce(
    (value, axis) => takeAlong(site, value, axis, [...Array(x.shape[axis]).keys()].reverse()),
    x.value,
  );
});

const range = ofArray(
  ["axis"],
  1,
  (site, x, bound) =>
    alongAxis(
      site,
      x,
      bound,
      (n) => n.reduce((a, b) => Math.max(a, b)) - n.reduce((a, b) => Math.min(a, b)),
      x.value.dtype,
    ),
);

const median = ofArray(
  ["axis"],
  1,
  (site, x, bound) => alongAxis(site, x, bound, (numbers) => quantile(numbers.toSorted(), 0.5)),
);

/** `np.average(x, weights=w)`. */
const average = ofArray(["axis", "weights"], 1, (site, x, bound) => {
  const axes = axesArgument(site, bound, x.shape);
  if (!axes) return undefined;
  const weights = arrayArgument(site, bound, "weights");
  if (!weights) return bound.has("weights") ? undefined : meanOver(site, x.value, axes, false);
  const { checking, place } = site;
  const product = applyMap(checking, "mul", [x.value, weights], place, "float");
  const total = product && reduceOver(site, product, "sum", axes, false, "float");
  const weight = total && reduceOver(site, weights, "sum", axes, false, "float");
  return weight && applyMap(checking, "div", [total, weight], place, "float");
});

const meshgrid: ArrayFunction = {
  names: ["x", "y"],
  required: 2,
  keywordOnly: ["indexing"],
  apply: (site, bound) => {
    const [x, y] = [known(site, bound, "x"), known(site, bound, "y")];
    if (!x || !y) return undefined;
    const kind = bound.get("indexing")?.value;
    const ij = kind?.kind === "text" && kind.value === "ij";
    const [n, m] = [x.numbers.length, y.numbers.length];
    const shape = ij ? [n, m] : [m, n];
    site.checking.allocate(2 * n * m, site.place);
    const at = (of: "x" | "y") =>
      Float64Array.from({ length: n * m }, (_, flat) => {
        const [row, column] = [Math.floor(flat / shape[1]), flat % shape[1]];
        return of === "x" ? x.numbers[ij ? row : column] : y.numbers[ij ? column : row];
      });
    const made = (["x", "y"] as const).map((of) =>
      hostArray(site.checking, at(of), shape, "float", site.place)
    );
    return { kind: "sequence", form: "list", items: made };
  },
};

/** `np.vander(x, n, increasing=False)`: powers of x as columns. */
const vander = host(["x", "n"], 1, (site, x, bound) => {
  const n = wholeArgument(site, bound, "n", x.numbers.length);
  if (n === undefined || n < 0 || x.shape.length !== 1) return refuseRank(site, x);
  const up = flagArgument(site, bound, "increasing", false);
  site.checking.allocate(n * x.numbers.length, site.place);
  const values = new Float64Array(n * x.numbers.length);
  x.numbers.forEach((value, row) => {
    for (let k = 0, power = 1; k < n; k++, power *= value) {
      values[row * n + (up ? k : n - 1 - k)] = power;
    }
  });
  return hostArray(site.checking, values, [x.numbers.length, n], x.value.dtype, site.place);
}, { keywordOnly: ["increasing"] });

function square(site: CallSite, x: Known): number | undefined {
  const [n, m] = x.shape;
  if (x.shape.length === 2 && n === m) return n;
  const message = `Cannot call ${site.text}: wanted a square matrix, found ${
    describeShape(x.shape)
  }`;
  return void site.checking.error("shapes/square", message, site.place);
}

const cholesky = ofArray([], 1, (site, x) => {
  const n = square(site, x);
  if (n === undefined) return undefined;
  site.checking.multiply(n ** 3 / 3, site.place);
  const factor = new Float64Array(n * n);
  choleskyOf(x.numbers, n, factor);
  if (factor.every(Number.isFinite)) {
    return hostArray(site.checking, factor, [n, n], "float", site.place);
  }
  const message = `Cannot call ${site.text}: the matrix is not positive definite`;
  return void site.checking.error("support/number", message, site.place);
});

/** Inverse by Gauss and Jordan with partial pivoting. */
const inverse = ofArray([], 1, (site, x) => {
  const n = square(site, x);
  if (n === undefined) return undefined;
  site.checking.multiply(8 * n ** 3, site.place);
  const a = Array.from({ length: n }, (_, i) => [
    ...x.numbers.slice(i * n, i * n + n),
    ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)),
  ]);
  for (let k = 0; k < n; k++) {
    const pivot = a.slice(k).reduce(
      (best, row, i) => Math.abs(row[k]) > Math.abs(a[best][k]) ? k + i : best,
      k,
    );
    [a[k], a[pivot]] = [a[pivot], a[k]];
    if (a[k][k] === 0) {
      const message = `Cannot call ${site.text}: the matrix is singular`;
      return void site.checking.error("support/number", message, site.place);
    }
    a[k] = a[k].map((value) => value / a[k][k]);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = a[i][k];
      a[i] = a[i].map((value, j) => value - factor * a[k][j]);
    }
  }
  const values = Float64Array.from(a.flatMap((row) => row.slice(n)));
  return hostArray(site.checking, values, [n, n], "float", site.place);
});

/** Places in ascending order from 1; equal values share the mean of theirs, so that no row comes first. */
const rankData = ofArray([], 1, (site, { numbers }) => {
  const order = ascending(numbers);
  const ranks = new Float64Array(numbers.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && numbers[order[to]] === numbers[order[from]]) to++;
    for (let k = from; k < to; k++) ranks[order[k]] = (from + 1 + to) / 2;
    from = to;
  }
  return vector(site, ranks, "float");
});

/** Distances from the mean in standard deviations that divide by n. */
const zScore = ofArray(["ddof"], 1, (site, { numbers }, bound) => {
  const sorted = numbers.toSorted(); // rounding does not depend on the order of rows
  const mean = sorted.reduce((sum, one) => sum + one, 0) / numbers.length;
  const squares = sorted.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const ddof = numberOf(site.checking, bound.get("ddof")?.value) ?? 0;
  const deviation = Math.sqrt(squares / (numbers.length - ddof));
  return vector(site, numbers.map((one) => (one - mean) / deviation), "float");
});

/** SciPy's functions on data, of `scipy.stats`. */
export const statsFunctions: Readonly<Record<string, ArrayFunction>> = {
  rankdata: rankData,
  zscore: zScore,
};

/** NumPy's functions by name. */
export const numpyFunctions: Readonly<Record<string, ArrayFunction>> = {
  median,
  quantile: quantiles(1),
  percentile: quantiles(100),
  unique,
  sort,
  argsort,
  argmax: extreme(1),
  argmin: extreme(-1),
  searchsorted: search(["edges", "v"], false),
  digitize: search(["x", "bins"], true),
  isin: isIn,
  in1d: isIn,
  bincount: binCount,
  nonzero,
  flatnonzero: nonzero,
  count_nonzero: countNonzero,
  flip,
  ptp: range,
  average,
  meshgrid,
  vander,
};

/** Functions of `np.linalg`. */
export const linalgFunctions: Readonly<Record<string, ArrayFunction>> = {
  cholesky,
  inv: inverse,
};
