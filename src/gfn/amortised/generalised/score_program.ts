/** ELPD-LOO of regressions on subsets of predictors under each family, near the engine's own. */
import { log } from "../../../numerics/math/mod.ts";
import type { ProgramScore } from "../linear_elpd.ts";
import { scoreSubset } from "../normal_regressions.ts";
import type { StandardRows } from "../standard_rows.ts";
import { leaveEachOut } from "./cavities.ts";
import { type Design, posteriorMode } from "./posterior_mode.ts";
import { binomialRows, poissonRows, type RowLikelihood } from "./row_likelihoods.ts";
import { studentElpd } from "./student_elpd.ts";

/** Standard deviations of the priors of intercept and effects, in those of the predictors. */
const priorWidth = 2.5;

/**
 * ELPD-LOO and evidence of one program, with the priors of the model space `regression`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "../standard_rows.ts";
 * import { scoreProgram } from "./score_program.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * assert(scoreProgram(rows, [0]).elpd > scoreProgram(rows, []).elpd); // y follows x
 * ```
 *
 * @param chosen Places of its predictors.
 */
export function scoreProgram(rows: StandardRows, chosen: readonly number[]): ProgramScore {
  const { family = "normal", y } = rows;
  if (family === "normal") return scoreSubset(rows, chosen);
  const design = designOf(rows, chosen);
  if (family === "student_t") return studentElpd(design, y);
  const likelihood = likelihoodOf(rows);
  const mode = posteriorMode(design, likelihood);
  const { logPredictive, logEvidence } = leaveEachOut(design, likelihood, mode);
  return { elpd: logPredictive.reduce((sum, one) => sum + one, 0), logEvidence };
}

const likelihoods = new WeakMap<Float64Array, RowLikelihood>();

/** Likelihood of counts. */
export function likelihoodOf({ family, y, trials }: StandardRows): RowLikelihood {
  const known = likelihoods.get(y);
  if (known) return known;
  const made = family === "poisson" ? poissonRows(y) : binomialRows(y, trials ?? y.map(() => 1));
  likelihoods.set(y, made);
  return made;
}

/**
 * Columns times the widths of priors. One of two values is not centred: the space writes it as 0 and 1.
 */
export function designOf(rows: StandardRows, chosen: readonly number[]): Design {
  const width = chosen.length + 1;
  const values = new Float64Array(rows.rows * width);
  chosen.forEach((j, a) => {
    const column = rows.columns[j];
    const zero = zeroOf(column);
    for (let i = 0; i < rows.rows; i++) {
      values[i * width + a + 1] = priorWidth * (column[i] - zero);
    }
  });
  for (let i = 0; i < rows.rows; i++) values[i * width] = priorWidth;
  return { rows: rows.rows, width, values, middle: middleOf(rows) };
}

const zeros = new WeakMap<Float64Array, number>();

function zeroOf(column: Float64Array): number {
  const known = zeros.get(column);
  if (known !== undefined) return known;
  const values = new Set(column);
  const zero = values.size === 2 ? Math.min(...values) : 0;
  zeros.set(column, zero);
  return zero;
}

/** Mean of the intercept a priori, as the space has it: of the response on the scale of the link. */
function middleOf({ family, y, trials }: StandardRows): number {
  const meanOf = (values: Float64Array) => values.reduce((a, b) => a + b, 0) / values.length;
  if (family === "poisson") return log(meanOf(y));
  if (family !== "binomial") return 0;
  const share = (meanOf(y) + 0.5) / (trials ? meanOf(trials) + 1 : 2);
  return log(share / (1 - share));
}
