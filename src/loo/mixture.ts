/** Leave-one-out from draws of a mixture of the posterior with those that lack an observation. */
import type { GradientBudget } from "../infer/budget.ts";
import type { ChainSet } from "../infer/chain_set.ts";
import { essMean } from "../infer/diagnostics.ts";
import { pooledAdaptations } from "../infer/pooled_adaptations.ts";
import { continueChains, sampleChains, type StreamKey } from "../infer/sample_chains.ts";
import { exp, log } from "../math/elementary.ts";
import type { LogDensity, PointwiseDensity } from "../math/log_density.ts";
import { logSumExp } from "../math/log_sum_exp.ts";
import { ControlVariates } from "./control_variates.ts";
import type { Estimate } from "./estimate.ts";
import { drawsFor, Looks, maxDrawsOf } from "./looks.ts";
import { mixedRhat } from "./mixed_chains.ts";
import { mixing, pointwiseLogLikelihood } from "./posterior.ts";

/** Pareto k from which an observation has a component of its own. */
const restlessK = 0.3;
/** Pareto k of an observation from which smoothing is not trusted with the total. */
const untrustedK = 0.4;
/** Share of the draws that the posterior itself has. */
const wholeShare = 0.25;
/** Log weight of a component that is not there. */
const absent = -1e300;
/** Transitions in which warm-started chains spread and retune their step. */
const warmTune = 50;

/** What the mixture has to reach. */
export interface MixtureGoal {
  /** Draws per chain to begin with, at least. */
  readonly draws: number;
  /** Monte Carlo standard error of the total, nats. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/** Leave-one-out from draws of a mixture. */
export interface MixtureEstimate {
  /** log p(y_i | y_-i) `[observations]`. */
  readonly pointwise: Float64Array;
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
}

/** Whether some observation's ratios are too restless for smoothing to be trusted. */
export function isRestless({ psis }: Estimate): boolean {
  return psis.paretoK.some((k) => !(k <= untrustedK));
}

/**
 * The mixture's log weights, a and then c_u: the posterior has a quarter of the mass, and the
 * posteriors without an observation of k > 0.3 share the rest, as far as their normalising
 * constants, Z_-u / Z = 1 / p(y_u | y_-u), are known from smoothing.
 */
export function mixtureWeights({ psis }: Estimate): Float64Array {
  const weights = new Float64Array(psis.observations + 1).fill(absent);
  const restless: number[] = [];
  psis.paretoK.forEach((k, i) => !(k <= restlessK) && restless.push(i));
  weights[0] = log(restless.length > 0 ? wholeShare : 1);
  for (const i of restless) {
    weights[i + 1] = log((1 - wholeShare) / restless.length) + psis.elpdPointwise[i];
  }
  return weights;
}

/**
 * Samples q ∝ p(θ | y) (e^a + Σ_u e^(c_u) / L_u(θ)), the mixture of the posterior with those that
 * lack an observation (Silva and Zanella 2022, arXiv:2209.09190), and estimates from its draws
 * p(y_i | y_-i) = E_q[w] / E_q[w / L_i], w = p / q. As w ≤ e^-a and w / L_u ≤ e^-c_u, no tail of the
 * ratios has to be guessed: the variance of what is averaged is finite and draws show it. Chains are
 * warm-started from those of the posterior and drawn on until the error is small.
 *
 * @param unit the posterior whose observations are left out.
 * @param estimate from draws of the posterior; its density may have latents integrated out.
 * @returns `undefined` where the chains do not mix within the budget.
 */
export function* mixtureLoo(
  unit: PointwiseDensity,
  estimate: Estimate,
  goal: MixtureGoal,
  budget: GradientBudget,
): Generator<void, MixtureEstimate | undefined> {
  const { chainSet } = estimate.full;
  const weights = mixtureWeights(estimate);
  const density = unit.mixture(weights);
  const draws = drawsFor(chainSet, estimate.mcse, goal.targetMcse, estimate.psis.observations);
  const options = {
    ...{ chains: chainSet.chains, tune: warmTune, draws: Math.max(goal.draws, draws) },
    warmStart: pooledAdaptations(chainSet),
  };
  const first = yield* sampleChains(density, options, [...goal.seedKey, "mixture"], budget);
  if (first.kind !== "chains") return undefined;
  const averages = new MixtureAverages(unit, estimate.full.density, weights);
  return yield* drawOn(density, first.chainSet, averages, goal, budget);
}

/** Draws on until the error is small, or the budget or the memory ends. */
function* drawOn(
  density: LogDensity,
  first: ChainSet,
  averages: MixtureAverages,
  { targetMcse }: MixtureGoal,
  budget: GradientBudget,
): Generator<void, MixtureEstimate | undefined> {
  const { observations } = averages.target;
  const looks = new Looks();
  let set = first;
  for (;;) {
    const found = averages.estimate(set);
    const mcse = looks.errorAfter(set.draws, found.mcse);
    const mixed = mixing(set).rhatMax <= mixedRhat;
    const wanted = drawsFor(set, mcse, targetMcse, observations);
    const draws = mixed ? wanted : Math.min(2 * set.draws, maxDrawsOf(set, observations));
    const cost = set.gradientEvaluations * (draws - set.draws) / set.draws;
    const last = !mixed && set.draws >= 1000;
    if (draws <= set.draws || last || budget.used + cost > budget.limit) {
      return mixed ? { pointwise: found.pointwise, mcse } : undefined;
    }
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind !== "chains") return mixed ? { pointwise: found.pointwise, mcse } : undefined;
    set = longer.chainSet;
  }
}

/** Averages over the draws of a mixture; what is known of the first draws is kept. */
class MixtureAverages {
  #known: { chainSet: ChainSet; logLikelihood: Float64Array; whole: Float64Array } | undefined;

  /** @param unit what the mixture leaves out; `target`, what is averaged. */
  constructor(
    readonly unit: PointwiseDensity,
    readonly target: PointwiseDensity,
    readonly weights: Float64Array,
  ) {}

  /** Estimates of all observations, and the error of their sum. */
  estimate(set: ChainSet): MixtureEstimate {
    const { logLikelihood, whole } = this.#densities(set);
    const n = this.target.observations;
    const draws = set.chains * set.draws;
    const variates = new ControlVariates(set);
    const total = new Float64Array(draws);
    const whole1 = relative(whole, new Float64Array(draws));
    const logWhole = whole1.logMean;
    const pointwise = new Float64Array(n);
    const excess = new Float64Array(n);
    const lacking = new Float64Array(draws);
    const influence = new Float64Array(draws);
    for (let i = 0; i < n; i++) {
      for (let s = 0; s < draws; s++) lacking[s] = whole[s] - logLikelihood[s * n + i];
      const one = relative(lacking, influence);
      for (let s = 0; s < draws; s++) {
        influence[s] = whole1.ratios[s] - influence[s];
        total[s] += influence[s];
      }
      excess[i] = whole1.variance - one.variance;
      pointwise[i] = logWhole - one.logMean + variates.correction(variates.slopes(influence));
    }
    // The logarithm of a mean with squared error v is too low by v / 2, to second order.
    const perDraw = 0.5 / essMean(total, set.chains);
    for (let i = 0; i < n; i++) pointwise[i] += perDraw * excess[i];
    return { pointwise, mcse: variates.correct(total).mcse };
  }

  /** log L_i `[draws, observations]` of the target, and log p / q `[draws]`. */
  #densities(set: ChainSet) {
    const logLikelihood = pointwiseLogLikelihood(this.target, set, this.#known);
    const own = this.unit === this.target ? logLikelihood : pointwiseLogLikelihood(this.unit, set);
    const n = this.unit.observations;
    const components = new Float64Array(n + 1);
    const whole = new Float64Array(set.chains * set.draws);
    for (let s = 0; s < whole.length; s++) {
      components[0] = this.weights[0];
      for (let u = 0; u < n; u++) components[u + 1] = this.weights[u + 1] - own[s * n + u];
      whole[s] = -logSumExp(components);
    }
    this.#known = { chainSet: set, logLikelihood, whole };
    return this.#known;
  }
}

/** Log mean of e^values, the ratios to it less 1 (into `ratios`), and their mean square. */
function relative(values: Float64Array, ratios: Float64Array) {
  const logMean = logSumExp(values) - log(values.length);
  let variance = 0;
  for (let s = 0; s < values.length; s++) {
    ratios[s] = exp(values[s] - logMean) - 1;
    variance += ratios[s] * ratios[s] / values.length;
  }
  return { logMean, ratios, variance };
}
