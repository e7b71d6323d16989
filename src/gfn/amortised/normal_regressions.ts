/** ELPD-LOO of normal regressions on subsets of predictors, by quadrature over the noise alone. */
import { log } from "../../numerics/math/mod.ts";
import { type ProgramScore, scoreLinear } from "./linear_elpd.ts";
import type { StandardRows } from "./standard_rows.ts";

/** Standard deviations of the priors of intercept and effects, in those of response and predictor. */
const priorWidth = 2.5;

/**
 * ELPD-LOO, nats, of y ~ Normal(a + X_S b, σ²) for one subset S of the predictors, with the priors of
 * the model space `regression`: a ~ Normal(0, 2.5), b ~ Normal(0, 2.5), σ ~ Exponential(1) on
 * standardised rows. Given σ all is normal, so that
 *
 *     log p(y_i | y_-i, σ) = log Normal(r_i / (1 − h_i); 0, σ² / (1 − h_i)),
 *     p(y_i | y_-i) = Σ w / Σ (w / p(y_i | y_-i, σ)),
 *
 * with residuals r, leverages h of the ridge and weights w of a lattice over log σ (Sundararajan and
 * Keerthi 2001). On the data as they were it differs by rows · log sd(y), the same for all subsets.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "./standard_rows.ts";
 * import { scoreSubset } from "./normal_regressions.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * assert(scoreSubset(rows, [0]).elpd > scoreSubset(rows, []).elpd); // y follows x
 * ```
 *
 * @param chosen Places of the predictors of S.
 */
export function scoreSubset(
  { rows, columns, y }: StandardRows,
  chosen: readonly number[],
): ProgramScore {
  const width = chosen.length + 1;
  const design = new Float64Array(rows * width);
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < width; a++) {
      design[i * width + a] = a === 0 ? priorWidth : priorWidth * columns[chosen[a - 1]][i];
    }
  }
  return scoreLinear({ rows, width, design, y, variance: 1, addLogPrior });
}

/** Exponential(1). */
function addLogPrior(logLikelihood: number, variance: number): number {
  return logLikelihood - Math.sqrt(variance) + 0.5 * log(variance);
}

/**
 * Places of the bits that are set.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { members } from "./normal_regressions.ts";
 * assert.deepEqual(members(0b101), [0, 2]);
 * ```
 */
export function members(bits: number): number[] {
  const places: number[] = [];
  for (let j = 0; bits >> j > 0; j++) if ((bits >> j) & 1) places.push(j);
  return places;
}
