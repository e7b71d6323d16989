/** Standard normal random numbers from a random stream. */
import type { RandomStream } from "../../base/random.ts";
import { log } from "./elementary.ts";

/**
 * Fills `out[offset .. offset + length)` with standard normals, by Marsaglia's polar method.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { fillNormal } from "./random_normal.ts";
 * const out = new Float64Array(1000);
 * fillNormal(new RandomStream("seed"), out);
 * const mean = out.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean) < 0.13); // four standard errors
 * ```
 */
export function fillNormal(
  stream: RandomStream,
  out: Float64Array,
  offset: number = 0,
  length: number = out.length - offset,
): void {
  const end = offset + length;
  for (let i = offset; i < end; i += 2) {
    let x = 0;
    let y = 0;
    let square = 0;
    do {
      x = 2 * stream.uniform() - 1;
      y = 2 * stream.uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const scale = Math.sqrt(-2 * log(square) / square);
    out[i] = x * scale;
    if (i + 1 < end) out[i + 1] = y * scale;
  }
}
