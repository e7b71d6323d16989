/** Measures how wide a prior of single numbers is: half of the distance between its quantiles of 16 and 84 %. */
import { RandomStream } from "../../../base/random.ts";
import type { Distribution } from "../ir/program.ts";
import { families } from "./table.ts";

/**
 * The least half width, over the deviation of the response, of a prior whose arguments may be statistics of the
 * response: a half normal of that deviation has 0.6.
 */
export const leastWidth = 0.4;

/** Draws by which the width is measured. */
const draws = 401;

/**
 * Half of the distance between the quantiles of 16 and 84 %; undefined where it cannot be drawn from.
 *
 * @param prior its arguments are not read.
 * @param numbers one for each argument.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { halfWidth } from "./width.ts";
 * const width = halfWidth({ family: "normal", args: [], shape: [] }, [3, 2]);
 * assert(Math.abs(width! - 2) < 0.2);
 * ```
 */
export function halfWidth(prior: Distribution, numbers: readonly number[]): number | undefined {
  const family = families[prior.family];
  if (family.eventRank !== 0 || prior.components || !family.draw) return undefined;
  const args = numbers.map((one) => ({
    shape: [draws],
    values: new Float64Array(draws).fill(one),
  }));
  const out = new Float64Array(draws);
  const shaped = { ...prior, shape: [draws] };
  family.draw(new RandomStream("width of a prior"), args, shaped, out, () => {});
  out.sort();
  const at = (share: number) => out[Math.round(share * (draws - 1))];
  return 0.5 * (at(0.84) - at(0.16));
}
