/** Invertible functions of the response, applied to each value: `np.log(y)`, `(y - 3) / 2`. */
import { exp, expm1, log, log1p, pow } from "../../../numerics/math/mod.ts";

/** One step of a transform. Numbers are finite, factors and powers not 0. */
export type ResponseStep =
  | { readonly kind: "log" }
  | { readonly kind: "log1p" }
  | { readonly kind: "exp" }
  | { readonly kind: "expm1" }
  | { readonly kind: "logit" }
  | { readonly kind: "reciprocal" }
  | { readonly kind: "power"; readonly by: number }
  | { readonly kind: "add"; readonly by: number }
  | { readonly kind: "multiply"; readonly by: number };

/** Steps in the order in which they are applied; none for the response as it is. */
export type ResponseTransform = readonly ResponseStep[];

/** An interval of values. */
interface Interval {
  /** Its lower end. */
  readonly low: number;
  /** Its upper end. */
  readonly high: number;
}

/** A step of a transform: value, slope, inverse and domain. */
interface StepFunctions {
  readonly value: (x: number) => number;
  /** log |slope|. */
  readonly logSlope: (x: number) => number;
  readonly inverse: (z: number) => number;
  /** The interval around a number on which it is invertible; `undefined` where it is not. */
  readonly domain: (x: number) => Interval | undefined;
}

const everywhere: Interval = { low: -Infinity, high: Infinity };

/** The open interval, if a number lies in it. */
function inside(x: number, low: number, high: number): Interval | undefined {
  return x > low && x < high ? { low, high } : undefined;
}

function functionsOf(step: ResponseStep): StepFunctions {
  switch (step.kind) {
    case "log":
      return {
        value: log,
        logSlope: (x) => -log(x),
        inverse: exp,
        domain: (x) => inside(x, 0, Infinity),
      };
    case "log1p":
      return {
        value: log1p,
        logSlope: (x) => -log1p(x),
        inverse: expm1,
        domain: (x) => inside(x, -1, Infinity),
      };
    case "exp":
      return { value: exp, logSlope: (x) => x, inverse: log, domain: () => everywhere };
    case "expm1":
      return { value: expm1, logSlope: (x) => x, inverse: log1p, domain: () => everywhere };
    case "logit":
      return {
        value: (x) => log(x) - log1p(-x),
        logSlope: (x) => -log(x) - log1p(-x),
        inverse: (z) => 1 / (1 + exp(-z)),
        domain: (x) => inside(x, 0, 1),
      };
    case "reciprocal":
      return {
        value: (x) => 1 / x,
        logSlope: (x) => -2 * log(Math.abs(x)),
        inverse: (z) => 1 / z,
        domain: (x) => inside(x, 0, Infinity) ?? inside(x, -Infinity, 0),
      };
    case "power": {
      const { by } = step;
      return {
        value: by === 0.5 ? Math.sqrt : (x) => pow(x, by),
        logSlope: (x) => log(Math.abs(by)) + (by - 1) * log(x),
        inverse: (z) => pow(z, 1 / by),
        domain: (x) => inside(x, 0, Infinity),
      };
    }
    case "add": {
      const { by } = step;
      return {
        value: (x) => x + by,
        logSlope: () => 0,
        inverse: (z) => z - by,
        domain: () => everywhere,
      };
    }
    case "multiply": {
      const { by } = step;
      const slope = log(Math.abs(by));
      return {
        value: (x) => x * by,
        logSlope: () => slope,
        inverse: (z) => z / by,
        domain: () => everywhere,
      };
    }
  }
}

/** The transformed value; NaN or infinite where there is none. */
export function transformed(transform: ResponseTransform, y: number): number {
  return transform.reduce((x, step) => functionsOf(step).value(x), y);
}

/** log |dT/dy|: added to a log density of the transformed value to make it one of the value. */
export function logSlopeOf(transform: ResponseTransform, y: number): number {
  let sum = 0;
  transform.reduce((x, step) => {
    const { value, logSlope } = functionsOf(step);
    sum += logSlope(x);
    return value(x);
  }, y);
  return sum;
}

/** The value that a transformed one comes from. */
export function untransformed(transform: ResponseTransform, z: number): number {
  return transform.reduceRight((x, step) => functionsOf(step).inverse(x), z);
}

/** Whether the transform is invertible around a value, with a finite result and slope. */
export function isInvertibleAt(transform: ResponseTransform, y: number): boolean {
  let x = y;
  for (const step of transform) {
    const { value, domain } = functionsOf(step);
    if (!domain(x)) return false;
    x = value(x);
  }
  return Number.isFinite(x) && Number.isFinite(logSlopeOf(transform, y));
}

/**
 * The transformed values of all numbers between `low` and `high`, which `y` lies between; the part
 * outside of the domain is left out.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { transformedInterval } from "./response_transform.ts";
 * const { low, high } = transformedInterval([{ kind: "log" }], 0.5, { low: -0.5, high: 1 });
 * assert.deepEqual([low, high], [-Infinity, 0]);
 * ```
 */
export function transformedInterval(
  transform: ResponseTransform,
  y: number,
  { low, high }: Interval,
): Interval {
  let [from, at, to] = [low, y, high];
  for (const step of transform) {
    const { value, domain } = functionsOf(step);
    const own = domain(at) ?? everywhere;
    const ends = [Math.max(from, own.low), Math.min(to, own.high)];
    const [a, b] = ends.map((x) => endValue(step, value, x, at));
    [from, at, to] = [Math.min(a, b), value(at), Math.max(a, b)];
  }
  return { low: from, high: to };
}

/** The limit at an end of the domain, from the side of `at`. */
function endValue(
  step: ResponseStep,
  value: (x: number) => number,
  x: number,
  at: number,
): number {
  const atZero = x === 0 && (step.kind === "reciprocal" || (step.kind === "power" && step.by < 0));
  if (atZero) return at > 0 ? Infinity : -Infinity;
  return value(x);
}

/** Digits by which factors and terms of a transform are distinguished. */
const digits = 12;

function rounded(x: number): number {
  return Number(x.toPrecision(digits));
}

/**
 * The canonical form of a transform, which is hashed: factors and terms that follow each other are
 * one factor and one term, rounded to twelve digits.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { canonicalTransform } from "./response_transform.ts";
 * const steps = [{ kind: "add", by: -3 }, { kind: "multiply", by: 0.5 }, { kind: "log" }] as const;
 * assert.deepEqual(canonicalTransform(steps), [
 *   { kind: "multiply", by: 0.5 },
 *   { kind: "add", by: -1.5 },
 *   { kind: "log" },
 * ]);
 * ```
 */
export function canonicalTransform(transform: ResponseTransform): ResponseTransform {
  const out: ResponseStep[] = [];
  let [factor, term] = [1, 0];
  const flush = () => {
    out.push(...affineSteps(factor, term));
    [factor, term] = [1, 0];
  };
  for (const step of transform) {
    if (step.kind === "add") term += step.by;
    else if (step.kind === "multiply") [factor, term] = [factor * step.by, term * step.by];
    else {
      flush();
      if (step.kind !== "power" || step.by !== 1) out.push(step);
    }
  }
  flush();
  return out;
}

/** x · factor + term. */
export function affineSteps(factor: number, term: number): ResponseStep[] {
  const [by, more] = [rounded(factor), rounded(term)];
  return [
    ...(by === 1 ? [] : [{ kind: "multiply", by } as const]),
    ...(more === 0 ? [] : [{ kind: "add", by: more } as const]),
  ];
}

/** Whether whole numbers stay whole and as far apart as they were: shifted, or counted from the other end. */
export function keepsSteps(transform: ResponseTransform): boolean {
  return transform.every((step) =>
    (step.kind === "add" && Number.isInteger(step.by)) ||
    (step.kind === "multiply" && Math.abs(step.by) === 1)
  );
}
