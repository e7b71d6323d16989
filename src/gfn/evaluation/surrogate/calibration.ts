/** Measures the coverage of a surrogate's intervals on held-out objects. */
import type { TerminalObject } from "../../environments/environment.ts";
import { Z_50, Z_90 } from "./calibration_factor.ts";
import type { RewardSurrogate } from "./reward_surrogate.ts";

/** Coverage and errors on held-out objects. */
export interface HeldOut {
  /** Objects that were held out. */
  readonly count: number;
  /** Share of their log rewards within the calibrated intervals of 90 %. */
  readonly coverage: number;
  /** The same of 50 %. */
  readonly coverage_50: number;
  /** Root mean square error of the log rewards, nats. */
  readonly rmse: number;
  /** `[count]`: how far each was off, in standard deviations of the process. */
  readonly errors: readonly number[];
}

/**
 * Compares predictions with rewards that were then asked for. Log rewards below the surrogate's depth
 * count as that depth.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { activeSurrogate } from "../../baselines/active_surrogate.ts";
 * import { environmentNamed } from "../../environments/built_in_environments.ts";
 * import { RandomStream } from "../../../base/random.ts";
 * import { defaultSurrogate } from "./reward_surrogate.ts";
 * import { calibrationOn } from "./calibration.ts";
 * const environment = environmentNamed("regressions", { terms: 6 });
 * const objects = [...environment.enumerate()];
 * const surrogate = await activeSurrogate({
 *   ...defaultSurrogate,
 *   environment,
 *   objects,
 *   budget: 30,
 *   first: 16,
 *   growth: 0.25,
 *   ask: (some) => Promise.resolve(some.map(({ logReward }) => logReward!)),
 *   random: new RandomStream("seed 1"),
 * });
 * const unseen = objects.filter(({ text }) => surrogate.known(text) === undefined);
 * const { count } = calibrationOn(surrogate, unseen, unseen.map(({ logReward }) => logReward!));
 * assert.equal(count, unseen.length);
 * ```
 *
 * @param logRewards `[objects]`: of objects that the surrogate has not seen; at least one.
 */
export function calibrationOn(
  surrogate: RewardSurrogate,
  objects: readonly TerminalObject[],
  logRewards: readonly number[],
): HeldOut {
  const { floor } = surrogate.json;
  const count = objects.length;
  const errors = surrogate.predict(objects).map(({ mean, variance }, i) => {
    const error = Math.abs(Math.max(logRewards[i], floor) - mean);
    return { error, scaled: error / Math.sqrt(variance) };
  });
  const { factor, factor_50 } = surrogate.calibration;
  const within = (z: number) => errors.filter(({ scaled }) => scaled <= z).length / count;
  const squares = errors.reduce((sum, { error }) => sum + error * error, 0);
  return {
    count,
    coverage: within(Z_90),
    coverage_50: within(Z_50 * factor_50 / factor),
    rmse: Math.sqrt(squares / count),
    errors: errors.map(({ scaled }) => scaled * factor),
  };
}
