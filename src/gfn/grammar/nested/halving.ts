/** The number of an interval that was halved: its midpoint, in the fewest distinctive digits. */
import { exp, log } from "../../../numerics/math/mod.ts";
import type { NumberRange } from "../spec.ts";

/** An interval: the `index`-th of 2^halvings equal parts. */
export interface Part {
  readonly halvings: number;
  readonly index: number;
}

/** The ends of a part, on the scale of the numbers. */
export function endsOf(range: NumberRange, { halvings, index }: Part): readonly [number, number] {
  const parts = 2 ** halvings;
  return [numberAt(range, index / parts), numberAt(range, (index + 1) / parts)];
}

/**
 * The shortest decimal near the midpoint of a part, on the scale that is halved. No other part of
 * the range, coarser or finer, has the same: midpoints are at least half of the finest width apart,
 * and a decimal is less than a quarter of it from its own.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { numberOfPart } from "./halving.ts";
 * const range = { low: 0.1, high: 10, scale: "log", bits: 3 } as const;
 * assert.equal(numberOfPart(range, { halvings: 0, index: 0 }), "1");
 * assert.equal(numberOfPart(range, { halvings: 1, index: 1 }), "3");
 * ```
 */
export function numberOfPart(range: NumberRange, { halvings, index }: Part): string {
  const place = (index + 0.5) / 2 ** halvings;
  const quarter = 0.25 / 2 ** range.bits;
  const [low, high] = [numberAt(range, place - quarter), numberAt(range, place + quarter)];
  const middle = numberAt(range, place);
  if (low < 0 && high > 0) return "0";
  for (let digits = 1; digits <= 17; digits++) {
    const rounded = Number(middle.toPrecision(digits));
    if (rounded > low && rounded < high) return String(rounded);
  }
  return String(middle);
}

/** The number at a fraction of the range from low to high. */
function numberAt({ low, high, scale }: NumberRange, share: number): number {
  if (scale === "linear") return low + share * (high - low);
  return exp(log(low) + share * (log(high) - log(low)));
}

/** Whether doubles distinguish the finest parts of a range. */
export function tellsApart(range: NumberRange): boolean {
  const finest = { halvings: range.bits, index: 0 };
  const last = { halvings: range.bits, index: 2 ** range.bits - 1 };
  return [finest, last].every((part) => {
    const [low, high] = endsOf(range, part);
    return (high - low) > 1e-12 * Math.max(Math.abs(low), Math.abs(high));
  });
}
