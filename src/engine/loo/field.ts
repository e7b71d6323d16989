/** Leave-one-out of fields under responses that are not normal: Laplace inside, corrected by importance draws. */
import {
  exp,
  type FieldConditional,
  type FieldDraw,
  type FieldPosterior,
  log,
  logSumExp,
} from "../../numerics/math/mod.ts";
import { RandomStream } from "../../base/random.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import type { ImportanceEstimate } from "./importance_estimate.ts";
import type { LatticePoint } from "./lattice.ts";
import { quadratureLoo } from "./quadrature.ts";
import { tailShape } from "./tail_shape.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Evaluations of likelihoods before other methods are tried. A round number: half of the default
 * budget of gradients.
 */
const fieldEvaluations = 1_000_000;

/**
 * Times the error asked for from which two more rounds, which halve it, are not tried. A round
 * number: twice what two rounds can mend.
 */
const fieldHopeless = 4;

/** A posterior beside its normal latents, and when to ask for it. */
export interface FieldChoice {
  /** Whether it comes before other methods, and not after they have failed. */
  readonly first: boolean;
  /** Makes it. */
  posterior(): FieldPosterior;
}

/** Stopping rule of the draws. */
interface FieldGoal {
  /** Monte Carlo standard error of the total, nats, above which drawing goes on. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/** A point of θ, and how many draws of latents it gets of each round, for each replicate. */
interface Site {
  readonly conditional: FieldConditional;
  readonly draws: number;
}

/**
 * p(y_i | y_-i) = Σ_θ Z(θ) / Σ_θ Z_-i(θ) over the points of a lattice that Laplace's approximation
 * lays out: Z and Z_-i are means of importance draws of the latents, without bias at each point, in
 * independent replicates whose spread (a jackknife) is the error. Rounds double the draws until
 * that is small. Where they do not come to that, as draws given an outlying row say little of the
 * posterior without it, others are drawn, with a component for each such posterior.
 *
 * @returns `undefined` where there is no lattice, or where the weights of few draws are all of the sum.
 */
export function* fieldLoo(
  choice: FieldChoice,
  goal: FieldGoal,
  whole: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  const limit = Math.min(whole.limit, whole.used + fieldEvaluations);
  const budget = { used: whole.used, limit };
  const found = yield* averaged(choice.posterior(), goal, budget);
  whole.used = budget.used;
  return found;
}

function* averaged(
  posterior: FieldPosterior,
  goal: FieldGoal,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  const key = [...goal.seedKey, "field"];
  const points = yield* pointsOf(posterior, goal.targetMcse, key, budget);
  if (!points) return undefined;
  for (const careful of [false, true]) {
    const stream = new RandomStream(...key, careful ? "careful latents" : "latents");
    const found = yield* ofPoints(posterior, points, careful, { goal, stream, budget });
    if (found) return found;
  }
  return undefined;
}

/** Stopping rule of draws of latents, their stream and their budget. */
interface Drawing {
  readonly goal: FieldGoal;
  readonly stream: RandomStream;
  readonly budget: GradientBudget;
}

function* ofPoints(
  posterior: FieldPosterior,
  points: Points,
  careful: boolean,
  { goal, stream, budget }: Drawing,
): Generator<void, ImportanceEstimate | undefined> {
  const found = yield* sitesOf(posterior, points, careful, budget);
  if (found.sites.length === 0) return undefined;
  const sums = new ReplicateSums(posterior.observations, found.sites);
  for (let round = 0; round < thresholds.fieldRounds; round++) {
    const more = 2 ** Math.max(0, round - 1);
    yield* sums.draw(found.sites, more, stream);
    budget.used += more * found.perRound;
    if (budget.used >= budget.limit) break;
    const estimate = sums.estimate();
    const mcse = Math.sqrt(estimate.mcse ** 2 + points.error ** 2);
    const isLast = careful && round + 1 === thresholds.fieldRounds;
    const enough = (isLast ? thresholds.lastErrorFactor : 1) * goal.targetMcse;
    const trusted = mcse <= enough && sums.trusted({ ...estimate, mcse });
    if (trusted) return trusted;
    const isHopeless = mcse > fieldHopeless * goal.targetMcse;
    if (!careful && isHopeless && round + 3 === thresholds.fieldRounds) break;
  }
  return undefined;
}

/** Points of θ, and how far their sums are off. */
interface Points {
  readonly lattice: readonly LatticePoint[];
  readonly error: number;
}

function* pointsOf(
  posterior: FieldPosterior,
  targetMcse: number,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, Points | undefined> {
  if (posterior.dimension === 0) return { lattice: [], error: 0 };
  const found = yield* quadratureLoo(posterior, targetMcse, key, budget);
  return found?.lattice && { lattice: found.lattice.points, error: found.error };
}

function* sitesOf(
  posterior: FieldPosterior,
  { lattice }: Points,
  careful: boolean,
  budget: GradientBudget,
) {
  const shares = lattice.length > 0 ? sharesOf(lattice, posterior.observations) : [1];
  const wanted = thresholds.fieldFirstDraws / thresholds.fieldReplicates;
  const all = shares.reduce((a, b) => a + b, 0);
  const sites: Site[] = [];
  let perRound = 0;
  for (const [p, share] of shares.entries()) {
    if (share < thresholds.fieldLeastShare) continue;
    const position = lattice[p]?.position ?? new Float64Array(0);
    const conditional = posterior.conditional(position, careful);
    if (!conditional) continue;
    const draws = Math.max(1, Math.ceil(wanted * share / all));
    sites.push({ conditional, draws });
    budget.used += conditional.evaluations;
    perRound += draws * thresholds.fieldReplicates;
    yield;
  }
  return { sites, perRound };
}

/** The share of each point in the posterior or in one that lacks a row, whichever is largest. */
function sharesOf(points: readonly LatticePoint[], observations: number): number[] {
  const largest = new Array<number>(points.length).fill(0);
  for (let i = -1; i < observations; i++) {
    const logs = points.map(({ logDensity, terms }) => i < 0 ? logDensity : logDensity - terms[i]);
    const whole = logSumExp(logs);
    logs.forEach((v, p) => largest[p] = Math.max(largest[p], exp(v - whole)));
  }
  return largest;
}

/** An estimate from replicates. */
interface FromReplicates {
  readonly pointwise: Float64Array;
  readonly mcse: number;
  readonly raw: number;
}

/**
 * Sums of weights less their controls, and of weights over the likelihood of each row less theirs, by
 * replicate; the means of the controls are known, and added.
 */
class ReplicateSums {
  readonly #observations: number;
  /** log of the sums over θ of the controls' means: without no row, then without each. */
  readonly #known: Float64Array;
  /** Sums over draws relative to these `[replicates, 1 + observations]`. */
  readonly #sums: Float64Array;
  readonly #logWeights: number[] = [];
  readonly #logRatios: number[] = [];
  readonly #logLikelihood: Float64Array[] = [];
  /** Draws so far, in those of the first round. */
  #rounds = 0;

  constructor(observations: number, sites: readonly Site[]) {
    const n = this.#observations = observations;
    this.#sums = new Float64Array(thresholds.fieldReplicates * (n + 1));
    this.#known = Float64Array.from(
      { length: n + 1 },
      (_, i) =>
        logSumExp(
          sites.map(({ conditional: { logEvidence, logWithout } }) =>
            i === 0 ? logEvidence : logWithout[i - 1]
          ),
        ),
    );
  }

  /** Draws `more` times what every site gets for every replicate. */
  *draw(sites: readonly Site[], more: number, stream: RandomStream): Generator<void, void> {
    for (const { conditional, draws } of sites) {
      const shift = log(draws);
      for (let r = 0; r < thresholds.fieldReplicates; r++) {
        conditional.draw(stream, more * draws, (draw) => this.#add(r, shift, draw));
      }
      yield;
    }
    this.#rounds += more;
  }

  #add(r: number, shift: number, draw: FieldDraw): void {
    const { logWeight, logRatio, logLikelihood, logControl, logControls } = draw;
    const weight = logWeight === logWeight ? logWeight - shift : -Infinity;
    const ratio = logRatio - shift;
    this.#logWeights.push(weight);
    this.#logRatios.push(ratio);
    this.#logLikelihood.push(logLikelihood.slice());
    const n = this.#observations;
    const at = r * (n + 1);
    const known = this.#known;
    const add = (k: number, w: number, control: number) => {
      this.#sums[at + k] += exp(w - known[k]) - exp(control - shift - known[k]);
    };
    add(0, weight, logControl);
    for (let i = 0; i < n; i++) {
      add(i + 1, weightWithout(i, { weight, ratio, logLikelihood }), logControls[i]);
    }
  }

  /** All draws so far; each round has the same draws at every point, more times. */
  estimate(): FromReplicates {
    const n = this.#observations;
    const replicates = thresholds.fieldReplicates;
    const totals = new Float64Array(n + 1);
    this.#sums.forEach((v, at) => totals[at % (n + 1)] += v);
    const mean = (k: number, skipped?: number) => {
      const sum = totals[k] - (skipped === undefined ? 0 : this.#sums[skipped * (n + 1) + k]);
      const count = this.#rounds * (skipped === undefined ? replicates : replicates - 1);
      return this.#known[k] + log(1 + sum / count);
    };
    const pointwise = new Float64Array(n);
    const jackknifed = new Float64Array(replicates);
    const whole = Array.from({ length: replicates }, (_, r) => mean(0, r));
    let raw = 0;
    for (let i = 0; i < n; i++) {
      const value = mean(0) - mean(i + 1);
      raw += value;
      let average = 0;
      for (let r = 0; r < replicates; r++) {
        const one = whole[r] - mean(i + 1, r);
        jackknifed[r] += one;
        average += one / replicates;
      }
      pointwise[i] = replicates * value - (replicates - 1) * average;
    }
    const average = jackknifed.reduce((a, b) => a + b, 0) / replicates;
    const squares = jackknifed.reduce((a, b) => a + (b - average) ** 2, 0);
    return { pointwise, raw, mcse: Math.sqrt(squares * (replicates - 1) / replicates) };
  }

  /** The estimate with tails, unless one of them is too heavy. */
  trusted({ pointwise, mcse, raw }: FromReplicates): ImportanceEstimate | undefined {
    const n = this.#observations;
    const count = this.#logWeights.length;
    const top = largest(this.#logWeights);
    const weights = Float64Array.from(this.#logWeights, (v) => exp(v - top));
    let [sum, squares] = [0, 0];
    for (const w of weights) [sum, squares] = [sum + w, squares + w * w];
    const own = new Float64Array(count);
    const lppd = new Float64Array(n);
    const shapes = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let mean = 0;
      for (let s = 0; s < count; s++) {
        const one = this.#logLikelihood[s][i];
        mean += weights[s] * exp(one) / sum;
        const [weight, ratio] = [this.#logWeights[s], this.#logRatios[s]];
        own[s] = weightWithout(i, { weight, ratio, logLikelihood: this.#logLikelihood[s] });
      }
      lppd[i] = log(mean);
      const most = largest(own);
      for (let s = 0; s < count; s++) own[s] = exp(own[s] - most);
      shapes[i] = tailShape(own);
      if (!(shapes[i] <= thresholds.maxTailShape)) return undefined;
    }
    return { pointwise, lppd, raw, mcse, shapes, draws: count, effective: sum * sum / squares };
  }
}

/** A log likelihood below which a weight less it has lost its digits: 10⁻⁸ of a nat are left. */
const hugeDeficit = -1e8;

/** Logarithm of a weight over the likelihood of row `i`: less it, or the sum of the others where the weight drowns in it. */
function weightWithout(
  i: number,
  { weight, ratio, logLikelihood }: {
    readonly weight: number;
    readonly ratio: number;
    readonly logLikelihood: Float64Array;
  },
): number {
  if (logLikelihood[i] > hugeDeficit) return weight - logLikelihood[i];
  let sum = ratio;
  for (let j = 0; j < logLikelihood.length; j++) if (j !== i) sum += logLikelihood[j];
  return sum === sum ? sum : -Infinity;
}

function largest(values: ArrayLike<number>): number {
  let top = -Infinity;
  for (let s = 0; s < values.length; s++) if (values[s] > top) top = values[s];
  return top;
}
