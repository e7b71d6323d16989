/** Normal sites that stand for row likelihoods: by Laplace's approximation, then by expectation propagation. */
import { exp, log } from "../../../numerics/math/mod.ts";
import {
  type NormalSites,
  normalSites,
  precisionFactor,
  type Predictors,
  predictorsAt,
  solvedFor,
} from "./normal_sites.ts";
import type { RowLikelihood } from "./row_likelihood.ts";

/** Newton's steps at most. */
const mostSteps = 60;
/** Halvings of a step at most. */
const mostHalvings = 40;
/** Gain in nats at which a climb has arrived. */
const arrived = 1e-9;
/** Rounds of expectation propagation. */
const propagations = 5;
/** Share of the step to new sites that is taken at once. */
const damping = 0.8;
/** Distance of the nodes of integrals over one predictor, and how many to either side, in sinh⁻¹. */
const nodeSpacing = 0.25;
const nodesAside = 16;
/** Variances below which a row does not see the latents. */
const leastVariance = 1e-14;

/** Sites of all rows, and the normal distribution that they make. */
export interface SiteFit {
  /** τ `[rows]`. */
  readonly precisions: Float64Array;
  /** ν `[rows]`. */
  readonly shifts: Float64Array;
  /** The normal distribution. */
  readonly normal: NormalSites;
}

/** Laplace's approximation. */
export interface LaplaceFit extends SiteFit {
  /** log p(y | θ), approximately. */
  readonly logEvidence: number;
}

const nodes = Array.from({ length: 2 * nodesAside + 1 }, (_, k) => {
  const t = nodeSpacing * (k - nodesAside);
  const [grown, shrunk] = [exp(t), exp(-t)];
  return { sinh: 0.5 * (grown - shrunk), log: log(0.5 * (grown + shrunk) * nodeSpacing) };
});

/** ½ log 2π. */
const halfLog2Pi = 0.9189385332046727;

/**
 * Laplace's approximation of the latents' posterior: Newton's method from the prior's mean, with steps
 * that are halved until the density grows (Rasmussen and Williams 2006, section 3.4). Curvatures of the wrong sign, as
 * Student's distribution has in its tails, count as none.
 */
export function laplaceSites(
  predictors: Predictors,
  likelihood: RowLikelihood,
): LaplaceFit | undefined {
  const n = predictors.centre.length;
  let noise = new Float64Array(predictors.noise);
  const eta = new Float64Array(n);
  predictorsAt(predictors, noise, eta);
  let value = likelihood.derivatives(eta);
  if (!(value > -Infinity)) return undefined;
  const precisions = new Float64Array(n);
  const shifts = new Float64Array(n);
  for (let step = 0; step < mostSteps; step++) {
    for (let i = 0; i < n; i++) {
      const curvature = -likelihood.curvatures[i];
      precisions[i] = curvature > 0 && curvature < Infinity ? curvature : 0;
      shifts[i] = precisions[i] * eta[i] + likelihood.slopes[i];
    }
    const factor = precisionFactor(predictors, precisions);
    if (!factor) return undefined;
    const weights = shifts.map((nu, i) => nu - precisions[i] * predictors.centre[i]);
    const wanted = solvedFor(predictors, factor, weights);
    const found = climbed(predictors, likelihood, { noise, value }, wanted);
    if (!found) break;
    const gain = found.value - value;
    ({ noise, value } = found);
    predictorsAt(predictors, noise, eta);
    likelihood.derivatives(eta);
    if (gain < arrived) break;
  }
  for (let i = 0; i < n; i++) {
    const curvature = -likelihood.curvatures[i];
    precisions[i] = curvature > 0 && curvature < Infinity ? curvature : 0;
    shifts[i] = precisions[i] * eta[i] + likelihood.slopes[i];
  }
  const normal = normalSites(predictors, precisions, shifts);
  if (!normal) return undefined;
  return { precisions, shifts, normal, logEvidence: value - normal.logRoot };
}

function climbed(
  predictors: Predictors,
  likelihood: RowLikelihood,
  { noise, value }: { readonly noise: Float64Array; readonly value: number },
  wanted: Float64Array,
) {
  const eta = new Float64Array(predictors.centre.length);
  let share = 1;
  for (let halving = 0; halving < mostHalvings; halving++) {
    const next = noise.map((x, k) => x + share * (wanted[k] - x));
    predictorsAt(predictors, next, eta);
    let sum = likelihood.values(eta);
    for (const x of next) sum -= 0.5 * x * x;
    if (sum >= value) return { noise: next, value: sum };
    share *= 0.5;
  }
  return undefined;
}

/** Cavity distribution of a row's predictor: normal, without its site. */
export function cavity({ precisions, shifts, normal }: SiteFit, i: number) {
  const variance = normal.variances[i];
  const free = 1 - precisions[i] * variance;
  const own = variance / free;
  return {
    variance: own,
    mean: normal.means[i] + own * (precisions[i] * normal.means[i] - shifts[i]),
  };
}

/** log ∫ N(η; cavity) p(y_i | η) dη of every row, and mean and variance of that integrand. */
interface Tilted {
  readonly logs: Float64Array;
  readonly means: Float64Array;
  readonly variances: Float64Array;
}

/** Integrals over each row's own predictor: trapezoidal sums over m + s sinh t around its normal distribution. */
export function tilted(fit: SiteFit, likelihood: RowLikelihood): Tilted {
  const { means, variances } = fit.normal;
  const n = means.length;
  const cavities = Array.from({ length: n }, (_, i) => cavity(fit, i));
  const scales = variances.map((v) => Math.sqrt(Math.max(v, leastVariance)));
  const logs = nodes.map(() => new Float64Array(n));
  const eta = new Float64Array(n);
  nodes.forEach((node, k) => {
    for (let i = 0; i < n; i++) eta[i] = means[i] + scales[i] * node.sinh;
    likelihood.values(eta);
    for (let i = 0; i < n; i++) {
      const away = eta[i] - cavities[i].mean;
      logs[k][i] = likelihood.logs[i] + node.log - 0.5 * away * away / cavities[i].variance;
    }
  });
  const out = { logs: new Float64Array(n), means: means.slice(), variances: variances.slice() };
  for (let i = 0; i < n; i++) {
    let top = -Infinity;
    for (const one of logs) if (one[i] > top) top = one[i];
    let [sum, first, second] = [0, 0, 0];
    nodes.forEach(({ sinh }, k) => {
      const w = exp(logs[k][i] - top);
      sum += w;
      first += w * sinh;
      second += w * sinh * sinh;
    });
    const mean = first / sum;
    out.logs[i] = top + log(sum) + log(scales[i]) - halfLog2Pi - 0.5 * log(cavities[i].variance);
    out.means[i] = means[i] + scales[i] * mean;
    out.variances[i] = scales[i] * scales[i] * (second / sum - mean * mean);
  }
  return out;
}

/**
 * Sites with the moments that rows have beside their cavities (expectation propagation: Minka 2001), all rows at once
 * and damped, a few rounds from Laplace's approximation on. Sites that would widen are kept flat.
 */
export function propagated(
  predictors: Predictors,
  likelihood: RowLikelihood,
  start: SiteFit,
): SiteFit {
  let fit = start;
  for (let round = 0; round < propagations; round++) {
    const { means, variances } = tilted(fit, likelihood);
    const precisions = fit.precisions.slice();
    const shifts = fit.shifts.slice();
    for (let i = 0; i < precisions.length; i++) {
      if (fit.normal.variances[i] <= leastVariance) continue;
      const own = cavity(fit, i);
      const precision = Math.max(0, 1 / variances[i] - 1 / own.variance);
      const shift = means[i] * (precision + 1 / own.variance) - own.mean / own.variance;
      if (!(Math.abs(precision) < Infinity && Math.abs(shift) < Infinity)) continue;
      precisions[i] += damping * (precision - precisions[i]);
      shifts[i] += damping * (shift - shifts[i]);
    }
    const normal = normalSites(predictors, precisions, shifts);
    if (!normal || !isProper(precisions, normal)) return fit;
    fit = { precisions, shifts, normal };
  }
  return fit;
}

/** Whether every cavity is a distribution. */
function isProper(precisions: Float64Array, { variances, means }: NormalSites): boolean {
  return precisions.every((tau, i) => 1 - tau * variances[i] > 1e-10 && Math.abs(means[i]) < 1e8);
}

/**
 * log p(y | θ) by sites whose moments are those of the rows beside their cavities (Rasmussen and Williams 2006,
 * section 3.6): the sites' own integral, with each row's in place of its site's.
 *
 * @param logs values of `tilted` for the rows.
 */
export function propagatedEvidence(
  fit: SiteFit,
  logs: Float64Array,
): number {
  const { precisions, shifts, normal: { means, variances, mode, logRoot } } = fit;
  let sum = -logRoot;
  for (const x of mode) sum -= 0.5 * x * x;
  for (let i = 0; i < means.length; i++) {
    sum += shifts[i] * means[i] - 0.5 * precisions[i] * means[i] * means[i];
    const own = cavity(fit, i);
    if (variances[i] <= leastVariance) {
      sum += logs[i] - shifts[i] * means[i] + 0.5 * precisions[i] * means[i] * means[i];
      continue;
    }
    sum += logs[i] - 0.5 * log(variances[i] / own.variance) -
      0.5 * means[i] * means[i] / variances[i] + 0.5 * own.mean * own.mean / own.variance;
  }
  return sum;
}
