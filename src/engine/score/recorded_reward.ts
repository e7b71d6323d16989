/** Rewards of recorded data: the left-out rows' terms are those of the cells they were recorded in. */
import { type Dataset, resolutionOf } from "../../base/dataset.ts";
import { log } from "../../numerics/math/mod.ts";
import { isCapped } from "../inference/density/recorded_cells.ts";
import { isDiscrete } from "../language/distributions/table.ts";
import type { ElpdEstimate } from "../loo/elpd.ts";
import type { CheckedProgram } from "../language/ir/program.ts";

/** The reward's sum and its terms. */
export interface RecordedReward {
  /** Σ log E[P(y_i in its cell)] − log resolution; of continuous data ELPD-LOO. */
  readonly total: number;
  /** Its Monte Carlo standard error, at most. */
  readonly mcse: number;
  /** Its terms `[units]`, if data were recorded to a step. */
  readonly pointwise?: Float64Array;
  /** Units whose log density is above the upper bound of a recorded datum. */
  readonly cappedPoints: number;
}

/**
 * ELPD-LOO with the gains of cells. No term is above −log resolution for each row, as no
 * probability is above 1: the noise of an estimate above that is cut. The errors of both parts are
 * added, for they come from the same draws.
 *
 * NaN where gains of cells are not known: `unsoundness` refuses it.
 *
 * @param rowsOf rows of each unit; 1 each if left out.
 */
export function recordedReward(
  { elpdLoo, elpdPointwise, gains, mcse }: ElpdEstimate,
  resolution: number | undefined,
  rowsOf: (unit: number) => number = () => 1,
): RecordedReward {
  if (resolution === undefined) return { total: elpdLoo, mcse, cappedPoints: 0 };
  if (!gains) return { total: NaN, mcse, cappedPoints: 0 }; // a density is none of recorded data
  const most = (u: number) => -log(resolution) * rowsOf(u);
  const pointwise = elpdPointwise.map((elpd, u) => Math.min(elpd + gains.pointwise[u], most(u)));
  return {
    total: pointwise.reduce((sum, one) => sum + one, 0),
    mcse: mcse + gains.mcse,
    pointwise,
    cappedPoints: elpdPointwise.reduce((count, elpd, u) => elpd > most(u) ? count + 1 : count, 0),
  };
}

/** The step that a program's response was recorded to, if its density is one of values in cells. */
export function responseResolution(
  program: CheckedProgram,
  { columns }: Dataset,
): number | undefined {
  const { column: name, distribution } = program.likelihood;
  if (isDiscrete(distribution) || isCapped(program)) return undefined;
  const column = columns.find((one) => one.name === name);
  return column && resolutionOf(column);
}
