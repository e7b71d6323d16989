/** Signatures of functions of arrays, and their arguments as arrays, numbers, axes. */
import { describeShape, type Shape } from "../ir/shape.ts";
import { type CallSite, numberOf, numeric, shapeOf, wholeNumber } from "../interpreter/arrays.ts";
import type { GivenValue } from "../interpreter/bind.ts";
import type { NumericValue, Value } from "../interpreter/values.ts";

/** Arguments of one call by name. */
export type Bound = ReadonlyMap<string, GivenValue>;

/** A function of arrays: its signature and its meaning; undefined after a finding. */
export interface ArrayFunction {
  readonly names: readonly string[];
  readonly required: number;
  readonly keywordOnly?: readonly string[];
  readonly ignored?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
  readonly apply: (site: CallSite, bound: Bound) => Value | undefined;
}

/** How libraries call the array `a` that a function takes first. */
export const arrayAliases = { input: "a", x: "a", array: "a", arr: "a", object: "a" } as const;

/** An argument as an array. */
export function arrayArgument(
  site: CallSite,
  bound: Bound,
  name: string,
): NumericValue | undefined {
  const given = bound.get(name);
  return given && numeric(site.checking, given.value, given.place, site.text);
}

/** An argument as a whole number; `fallback` where it is left out or None. */
export function wholeArgument(
  site: CallSite,
  bound: Bound,
  name: string,
  fallback: number,
): number | undefined {
  const given = bound.get(name);
  if (!given || given.value.kind === "none") return fallback;
  return wholeNumber(site.checking, given.value, given.place, name);
}

/** An argument as a truth. */
export function flagArgument(
  site: CallSite,
  bound: Bound,
  name: string,
  fallback: boolean,
): boolean {
  const found = numberOf(site.checking, bound.get(name)?.value);
  return found === undefined ? fallback : found !== 0;
}

/** Axes of an argument `axis`, counted from 0; undefined with a finding if there are no such axes. */
export function axesArgument(
  site: CallSite,
  bound: Bound,
  shape: Shape,
  name = "axis",
): number[] | undefined {
  const given = bound.get(name);
  if (!given || given.value.kind === "none") return shape.map((_, i) => i);
  const values = given.value.kind === "sequence" ? given.value.items : [given.value];
  const axes: number[] = [];
  for (const value of values) {
    const axis = wholeNumber(site.checking, value, given.place, name);
    if (axis === undefined) return undefined;
    if (axis < -shape.length || axis >= shape.length) {
      const message = `Cannot call ${site.text} over axis ${axis} of ${describeShape(shape)}`;
      const last = shape.length - 1;
      const hint = shape.length === 0 ? "leave axis= out" : `axes are counted from 0 to ${last}`;
      site.checking.error("shapes/axis", message, given.place, hint);
      return undefined;
    }
    axes.push(axis < 0 ? axis + shape.length : axis);
  }
  return [...new Set(axes)];
}

/** One axis of an argument `axis`; `fallback` where it is left out. */
export function oneAxis(
  site: CallSite,
  bound: Bound,
  shape: Shape,
  fallback: number,
): number | undefined {
  if (!bound.has("axis")) return fallback < 0 ? fallback + shape.length : fallback;
  return axesArgument(site, bound, shape)?.[0];
}

/** Reports an axis that an array does not have. */
export function refuseAxis(site: CallSite, axis: number, shape: Shape): undefined {
  const message = `Cannot call ${site.text} along axis ${axis} of ${describeShape(shape)}`;
  site.checking.error("shapes/axis", message, site.place);
}

/** Elements of `x` under a shape made of the old one. */
export function asRank(
  site: CallSite,
  x: NumericValue,
  make: (shape: Shape) => Shape,
): NumericValue {
  const { graph } = site.checking;
  const shape = make(shapeOf(site.checking, x));
  site.checking.checkAxes(shape.length, site.place);
  return { ...x, node: graph.reshape(x.node, shape) };
}

/** A shape argument: a number or a tuple; −1 stands for what is left, where it is `open`. */
export function shapeArgument(
  site: CallSite,
  given: GivenValue,
  open = false,
): number[] | undefined {
  const { checking } = site;
  const items = given.value.kind === "sequence" ? given.value.items : undefined;
  checking.checkAxes(items?.length ?? 1, given.place);
  const shape: number[] = [];
  for (const item of items ?? [given.value]) {
    const extent = wholeNumber(checking, item, given.place, "shape");
    if (extent === undefined) return undefined;
    shape.push(extent);
  }
  const negative = shape.find((extent) => extent < (open ? -1 : 0));
  if (negative === undefined) return shape;
  const message = `Cannot use the shape (${shape.join(", ")}): ${negative} is negative`;
  return void checking.error("shapes/shape", message, given.place);
}
