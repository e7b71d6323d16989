/** ELPD-LOO of regressions with Student's noise: given its scale and its tails by cavities, a lattice over both. */
import { exp, log, logSumExp } from "../../../numerics/math/mod.ts";
import type { ProgramScore } from "../linear_elpd.ts";
import { leaveEachOut } from "./cavities.ts";
import { type Design, type PosteriorMode, posteriorMode } from "./posterior_mode.ts";
import { studentRows } from "./row_likelihoods.ts";

/** Tails 1 / ν at the middles of shares of equal mass of their prior, Exponential(5). */
const tails = Array.from({ length: 6 }, (_, k) => -log(1 - (k + 0.5) / 6) / 5);

/** Points of log σ on each side of the likeliest, and their distance in approximate deviations. */
const [beside, distance] = [2, 1.1] as const;

/** Below the heaviest point, nats: further ones add nothing. */
const deepest = 12;

/** Three sweeps: at the other points of the lattice errors are of either sign. */
const moves = { sweeps: 3, pace: 0.8 };

interface Point {
  readonly logWeight: number;
  readonly logPredictive: Float64Array;
}

/** Scores y ~ StudentT(1 / tails, X b, σ) with b ~ Normal(0, 1), σ ~ Exponential(1), tails ~ Exponential(5). */
export function studentElpd(design: Design, y: Float64Array): ProgramScore {
  const points: Point[] = [];
  let start: Float64Array = new Float64Array(design.width);
  let sigma = 0.8;
  for (const tail of tails) {
    const found = likeliestScale(design, y, { sigma, nu: 1 / tail, start });
    sigma = found.sigma;
    start = found.start;
    const spread = distance * Math.sqrt((1 + 3 * tail) / (2 * y.length));
    for (let k = -beside; k <= beside; k++) {
      const own = sigma * exp(k * spread);
      const rows = studentRows(y, own, 1 / tail);
      const mode = posteriorMode(design, rows, start, 3);
      const { logEvidence, logPredictive } = leaveEachOut(design, rows, mode, moves);
      points.push({ logWeight: logEvidence - own + log(own) + log(spread), logPredictive });
    }
  }
  return combined(points, y.length);
}

/** Scale and degrees of freedom, and the coefficients that they were found with. */
export interface Noise {
  readonly sigma: number;
  readonly nu: number;
  readonly start: Float64Array;
}

/** The likeliest of some tails, each with its likeliest scale. */
export function likeliestNoise(design: Design, y: Float64Array): Noise {
  let best: Noise | undefined;
  let highest = -Infinity;
  let begin: Omit<Noise, "nu"> = { sigma: 0.8, start: new Float64Array(design.width) };
  for (const tail of tails) {
    const nu = 1 / tail;
    begin = likeliestScale(design, y, { ...begin, nu });
    const { logLikelihood } = posteriorMode(
      design,
      studentRows(y, begin.sigma, nu),
      begin.start,
      2,
    );
    const height = logLikelihood - 5 * tail;
    if (height > highest) [best, highest] = [{ ...begin, nu }, height];
  }
  return best!;
}

/** Steps of expectation and maximisation, which raise the likelihood of a scale. */
function likeliestScale(
  design: Design,
  y: Float64Array,
  begin: { readonly sigma: number; readonly nu: number; readonly start: Float64Array },
) {
  let { sigma, start } = begin;
  for (let step = 0; step < 6; step++) {
    const mode = posteriorMode(design, studentRows(y, sigma, begin.nu), start, 2);
    start = mode.at;
    const free = Math.max(y.length - design.width, 0.3 * y.length);
    const next = sigma * Math.sqrt(weightedSquare(mode, y) / free);
    const moved = Math.abs(next / sigma - 1);
    sigma = Math.max(next, 1e-4);
    if (moved < 0.02) break;
  }
  return { sigma, start };
}

/** Σ w (y − η)² with the curvatures as weights, from which the likeliest scale follows. */
export function weightedSquare({ curvatures, eta }: PosteriorMode, y: Float64Array): number {
  return curvatures.reduce((sum, w, i) => sum + w * (y[i] - eta[i]) * (y[i] - eta[i]), 0);
}

/** p(y_i | y_-i) = Σ w / Σ (w / p(y_i | y_-i, σ, ν)). */
function combined(points: readonly Point[], rows: number): ProgramScore {
  const most = points.reduce((most, { logWeight }) => Math.max(most, logWeight), -Infinity);
  const some = points.filter(({ logWeight }) => logWeight > most - deepest);
  const logEvidence = logSumExp(Float64Array.from(some, ({ logWeight }) => logWeight)) -
    log(tails.length);
  const total = logEvidence + log(tails.length);
  const left = new Float64Array(some.length);
  let elpd = 0;
  for (let i = 0; i < rows; i++) {
    some.forEach(({ logWeight, logPredictive }, g) => left[g] = logWeight - logPredictive[i]);
    elpd += total - logSumExp(left);
  }
  return { elpd, logEvidence };
}
