/** The tangent, as a quotient of sine and cosine. */
import { cos, sin } from "./trigonometric.ts";

/**
 * The tangent of an angle in radians, within 2 units in the last place.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { tan } from "./tangent.ts";
 * assert.ok(Math.abs(tan(0.5) - 0.5463024898437905) < 2e-16);
 * ```
 */
export function tan(x: number): number {
  return sin(x) / cos(x);
}
