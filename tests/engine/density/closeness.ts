/** Comparisons of floating-point numbers, with messages that show both. */
import assert from "node:assert/strict";

/** |actual − expected| <= tolerance · max(1, |expected|); infinities must agree. */
export function assertClose(actual: number, expected: number, tolerance: number, what = ""): void {
  if (actual === expected) return;
  const error = Math.abs(actual - expected) / Math.max(1, Math.abs(expected));
  assert.ok(error <= tolerance, `${what}: ${actual} is not ${expected} (error ${error})`);
}

/** The derivative of `f` at `x` by central differences with Richardson's extrapolation. */
export function derivative(f: (x: number) => number, x: number): number {
  const step = 1e-3 * Math.max(1e-2, Math.abs(x));
  const central = (h: number) => (f(x + h) - f(x - h)) / (2 * h);
  const [coarse, middle, fine] = [central(step), central(step / 2), central(step / 4)];
  const [first, second] = [(4 * middle - coarse) / 3, (4 * fine - middle) / 3];
  return (16 * second - first) / 15;
}
