/** Functions that make arrays: filled, ranges, conversions between kinds of numbers. */
import { type Shape, sizeOf } from "../ir/shape.ts";
import {
  arrayAliases,
  arrayArgument,
  type ArrayFunction,
  type Bound,
  flagArgument,
  shapeArgument,
  wholeArgument,
} from "./array_function.ts";
import { type CallSite, hostArray, numberOf, shapeOf } from "../interpreter/arrays.ts";
import { broadcastTo, castArray } from "../interpreter/conversions.ts";
import type { NumericValue } from "../interpreter/values.ts";

/** An array of one number under a shape. */
export function filled(value: number | "fill_value"): ArrayFunction {
  const names = value === "fill_value" ? ["shape", "fill_value"] : ["shape"];
  return {
    names: [...names, "dtype"],
    required: names.length,
    ignored: ["order"],
    apply: (site, bound) => {
      const given = bound.get("shape");
      const shape = given && shapeArgument(site, given);
      return shape && toBeFilled(site, bound, fill(site, bound, value, shape));
    },
  };
}

/** An array of one number under the shape of another. */
export function filledLike(value: number | "fill_value"): ArrayFunction {
  const names = value === "fill_value" ? ["a", "fill_value"] : ["a"];
  return {
    names: [...names, "dtype"],
    aliases: arrayAliases,
    required: names.length,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const made = x && fill(site, bound, value, shapeOf(site.checking, x));
      return made && toBeFilled(site, bound, { ...made, dtype: x.dtype });
    },
  };
}

/** An array that elements may be assigned to, of the type that is asked for. */
function toBeFilled(
  site: CallSite,
  bound: Bound,
  made: NumericValue | undefined,
): NumericValue | undefined {
  const dtype = bound.get("dtype")?.value;
  const cast = made && dtype && dtype.kind !== "none" ? castArray(site, made, dtype) : made;
  return cast && { ...cast, filling: { open: true } };
}

function fill(
  site: CallSite,
  bound: Bound,
  value: number | "fill_value",
  shape: Shape,
): NumericValue | undefined {
  const { checking, place } = site;
  checking.allocate(sizeOf(shape), place);
  if (value !== "fill_value") {
    return hostArray(checking, new Float64Array(sizeOf(shape)).fill(value), shape, "float", place);
  }
  const x = arrayArgument(site, bound, "fill_value");
  return x && broadcastTo(site, x, shape);
}

/** `eye(n)`. */
export const eye: ArrayFunction = {
  names: ["n"],
  required: 1,
  ignored: ["dtype"],
  apply: (site, bound) => {
    const n = wholeArgument(site, bound, "n", 0);
    if (n === undefined || n < 0) return undefined;
    site.checking.allocate(n * n, site.place);
    const values = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    return hostArray(site.checking, values, [n, n], "float", site.place);
  },
};

/** `arange(stop)`, `arange(start, stop, step)`. */
export const arange: ArrayFunction = {
  names: ["start", "stop", "step"],
  required: 1,
  ignored: ["dtype"],
  apply: (site, bound) => {
    const { checking, place } = site;
    const given = ["start", "stop", "step"].map((name) => bound.get(name));
    const numbers = given.map((one) => numberOf(checking, one?.value));
    if (given.some((one, i) => one && one.value.kind !== "none" && numbers[i] === undefined)) {
      const message = `Cannot call ${site.text}: wanted numbers known before sampling`;
      return void checking.error("names/wrong-kind", message, place);
    }
    const single = numbers[1] === undefined;
    const [start, stop, step] = single
      ? [0, numbers[0] ?? 0, numbers[2] ?? 1]
      : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1];
    const length = step === 0 ? NaN : Math.max(0, Math.ceil((stop - start) / step));
    if (!Number.isFinite(length)) {
      return void checking.error(
        "support/number",
        `Cannot call ${site.text}: the step is 0`,
        place,
      );
    }
    checking.allocate(length, place);
    const values = Float64Array.from({ length }, (_, i) => start + i * step);
    const whole = [start, step].every(Number.isInteger) &&
      given.every((one) => one?.value.kind !== "numeric" || one.value.dtype !== "float");
    return hostArray(checking, values, [length], whole ? "int" : "float", place);
  },
};

/** `linspace(start, stop, num, endpoint=True)`. */
export const linspace: ArrayFunction = {
  names: ["start", "stop", "num", "endpoint"],
  required: 2,
  ignored: ["dtype"],
  apply: (site, bound) => {
    const { checking, place } = site;
    const start = numberOf(checking, bound.get("start")?.value);
    const stop = numberOf(checking, bound.get("stop")?.value);
    const count = wholeArgument(site, bound, "num", 50);
    if (start === undefined || stop === undefined || count === undefined || count < 0) {
      const message = `Cannot call ${site.text}: wanted numbers known before sampling`;
      return void checking.error("names/wrong-kind", message, place);
    }
    checking.allocate(count, place);
    const closed = flagArgument(site, bound, "endpoint", true);
    const values = evenNumbers(start, stop, count, closed);
    return hostArray(checking, values, [count], "float", place);
  },
};

/** Numbers at one distance, the last of them `stop` where the end is closed. */
export function evenNumbers(
  start: number,
  stop: number,
  count: number,
  closed = true,
): Float64Array {
  const step = (stop - start) / Math.max(1, closed ? count - 1 : count);
  const at = (i: number) => closed && i === count - 1 && i > 0 ? stop : start + i * step;
  return Float64Array.from({ length: count }, (_, i) => at(i));
}

/** `np.array(x)`, `pt.as_tensor(x)`. */
export function asArray(tensor: boolean): ArrayFunction {
  return {
    names: ["a", "dtype"],
    aliases: arrayAliases,
    required: 1,
    ignored: ["name", "ndim", "copy", "order"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      if (!x) return undefined;
      if (tensor) return { ...x, origin: "tensor" };
      const dtype = bound.get("dtype")?.value;
      const made: NumericValue = { ...x, origin: x.origin === "tensor" ? "tensor" : "numpy" };
      return dtype ? castArray(site, made, dtype) : made;
    },
  };
}
