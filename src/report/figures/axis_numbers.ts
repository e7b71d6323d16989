/** Numbers of axes as people write them: years without commas, and exponents in place of zeros. */

/** Sizes from which numbers of an axis are written with an exponent. */
const plainSizes = { least: 1e-4, most: 1e6 };

/**
 * A number of an axis: a year without a comma, and 2e+12 in place of thirteen digits. Vega's own rule
 * writes 1,965 and 0.0000000000025.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { axisNumber } from "./axis_numbers.ts";
 * assert.deepEqual([1965, -0.5, 0.30000000000000004, 2e12, 2.5e-13].map(axisNumber), [
 *   "1965", "−0.5", "0.3", "2e+12", "2.5e-13",
 * ]);
 * ```
 */
export function axisNumber(value: number): string {
  const rounded = Number(value.toPrecision(10));
  const size = Math.abs(rounded);
  const isPlain = size === 0 || (size >= plainSizes.least && size < plainSizes.most);
  return (isPlain ? `${rounded}` : rounded.toExponential()).replace(/^-/, "−");
}

/** A channel of a drawing, as far as its axis is concerned. */
interface Channel {
  readonly type?: unknown;
  readonly axis?: object | null;
}

/**
 * A specification in which axes of numbers are written so, unless a layer sets another format:
 * layers share their axes.
 */
export function withAxisNumbers<T>(specification: T): T {
  const plain = (["x", "y"] as const).filter((name) => {
    return !channelsOf(specification, name).some(({ axis }) =>
      axis === null || (axis && ("format" in axis || "labelExpr" in axis))
    );
  });
  return changed(specification, (name, one) => {
    if (!plain.some((own) => own === name) || one.type !== "quantitative") return one;
    return { ...one, axis: { ...one.axis, labelExpr: "axisNumber(datum.value)" } };
  });
}

/** All channels of this name. */
function channelsOf(specification: unknown, wanted: string): Channel[] {
  const found: Channel[] = [];
  changed(specification, (name, one) => {
    if (name === wanted) found.push(one);
    return one;
  });
  return found;
}

/** Every x and y put through a function. */
function changed<T>(part: T, change: (name: string, channel: Channel) => Channel): T {
  if (Array.isArray(part)) return part.map((one) => changed(one, change)) as T;
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([name, inner]) => {
    if (name === "data") return [name, inner];
    const isChannel = (name === "x" || name === "y") && typeof inner === "object";
    return [name, isChannel ? change(name, inner as Channel) : changed(inner, change)];
  });
  return Object.fromEntries(entries) as T;
}
