/** Leave-future-out cross-validation: each row predicted from the rows before it. */
import {
  addTimes,
  exponentials,
  largest,
  log,
  meanSquare,
  type PointwiseLikelihood,
  sumRange,
} from "../../../numerics/math/mod.ts";
import type { GradientBudget } from "../../inference/mcmc/budget.ts";
import { essMean } from "../../inference/mcmc/diagnostics.ts";
import { cellGains } from "../cells.ts";
import { logGain } from "../control_variates.ts";
import { goodParetoK, Smoother, tailLength } from "../psis.ts";
import { thresholds } from "../thresholds.ts";
import { type Drawing, type DrawSchedule, type DrawsGiven, drawsGiven } from "./draws_given.ts";
import type { SamplingFailure } from "../../inference/mcmc/budget.ts";
import type { NumericFailure } from "../not_mixed.ts";
import type { RowTerms } from "./row_terms.ts";

/** Which rows are predicted. */
export interface FutureRows {
  /** How many rows come first and are not predicted. */
  readonly first: number;
  /** How many rows are predicted at once from those before them. */
  readonly ahead: number;
}

/** Estimate of the future of every row; log quantities in nats. A unit is a row, or `ahead` of them. */
export interface FutureEstimate {
  /** Discriminates estimates from failures. */
  readonly kind: "future";
  /** log p(y_t … y_(t+M−1) | y_1 … y_(t−1)) `[units]`. */
  readonly pointwise: Float64Array;
  /** log p(y_t … y_(t+M−1) | all rows) `[units]`. */
  readonly lppd: Float64Array;
  /** The sum with nothing smoothed or corrected. */
  readonly raw: number;
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** Gains of cells over densities, if data were recorded to a step. */
  readonly gains?: { readonly pointwise: Float64Array; readonly mcse: number };
  /** Tail shapes of the weights that each unit was predicted with `[units]`. */
  readonly shapes: Float64Array;
  /** Shape up to which weights are trusted. */
  readonly goodK: number;
  /** Units whose posterior was drawn from itself. */
  readonly refits: readonly number[];
  /** Units whose posterior should have been. */
  readonly unresolved: readonly number[];
  /** Draws of each posterior, at most. */
  readonly draws: number;
}

/** An estimate, or why there is none. */
type FutureResult = FutureEstimate | SamplingFailure | NumericFailure;

/** Measured: importance draws whose blocks end at half of them need a quarter of the draws that they need with a tenth. */
const leastShareOfDraws = 0.5;
/** A round number: chains cost more, and to begin blocks more often gains less. */
const leastShareOfChains = 0.2;
/** A round number: half the error. */
const growth = 4;
/** A round number: as `countMargin`. */
const margin = 1.1;
/** A round number: a run may cost more than the one before it, by draw. */
const roomShare = 0.8;
/** Draws of one posterior, at most: a memory of some megabytes. */
const mostDraws = 20_000;

/**
 * Predicts rows from all rows before them (Bürkner, Gabry and Vehtari 2020, their PSIS-LFO-CV): the posterior
 * given the first rows is drawn from, and its draws are weighted by the likelihoods of the rows that follow,
 * smoothed; where their Pareto k is above the threshold, or too few of them count, the posterior is drawn from
 * again. Each block of rows has draws of its own, so that errors of blocks are independent. Further runs are
 * pooled with the first while the error exceeds the target and the budget allows.
 */
export function* leaveFutureOut(
  drawing: Omit<Drawing, "earlier">,
  future: FutureRows,
  schedule: DrawSchedule & { readonly targetMcse: number },
  budget: GradientBudget,
): Generator<void, FutureResult> {
  const { posterior } = drawing;
  let all: FutureEstimate | undefined;
  let draws = schedule.draws;
  for (let run = 0;; run++) {
    const before = budget.used;
    const blocks = new Blocks(drawing, future, {
      ...schedule,
      draws,
      seedKey: [...schedule.seedKey, "run", run],
    });
    const found = yield* blocks.run(budget);
    if (found.kind !== "future") return all ?? found;
    if (all && found.unresolved.length > 0) return all;
    all = all ? pooled(all, found) : found;
    const errorOf = all.mcse + (all.gains?.mcse ?? 0);
    if (all.unresolved.length > 0 || errorOf <= schedule.targetMcse) return all;
    const missing = margin * (errorOf * errorOf / schedule.targetMcse ** 2 - 1);
    const cost = (budget.used - before) / draws;
    const soFar = all.draws / schedule.chains;
    const most = Math.min(mostDraws, thresholds.maxImportanceCells / posterior.rows);
    const room = Math.floor(roomShare * (budget.limit - budget.used) / cost);
    const wanted = Math.min(Math.ceil(missing * soFar), growth * draws);
    draws = Math.min(Math.max(schedule.draws, wanted), room);
    if (draws < schedule.draws || all.draws + draws * schedule.chains > most) return all;
  }
}

/** Two independent runs, each by its draws. */
function pooled(one: FutureEstimate, other: FutureEstimate): FutureEstimate {
  const draws = one.draws + other.draws;
  const [w, v] = [one.draws / draws, other.draws / draws];
  const mean = (a: Float64Array, b: Float64Array) => a.map((x, i) => w * x + v * b[i]);
  const error = (a: number, b: number) => Math.sqrt((w * a) ** 2 + (v * b) ** 2);
  const gains = one.gains && other.gains && {
    pointwise: mean(one.gains.pointwise, other.gains.pointwise),
    mcse: error(one.gains.mcse, other.gains.mcse),
  };
  return {
    ...other,
    pointwise: mean(one.pointwise, other.pointwise),
    lppd: mean(one.lppd, other.lppd),
    raw: w * one.raw + v * other.raw,
    mcse: error(one.mcse, other.mcse),
    ...(gains && { gains }),
    draws,
  };
}

/** Where the rows of one run are. */
class Blocks {
  readonly #units: number;
  readonly #pointwise: Float64Array;
  readonly #lppd: Float64Array;
  readonly #shapes: Float64Array;
  readonly #gains: Float64Array;
  readonly #refits: number[] = [];
  readonly #unresolved: number[] = [];
  #raw = 0;
  #squares = 0;
  #gainSquares = 0;
  #hasGains = false;
  #goodK = 1;
  #draws = 0;

  constructor(
    readonly drawing: Omit<Drawing, "earlier">,
    readonly future: FutureRows,
    readonly schedule: DrawSchedule,
  ) {
    const { posterior } = drawing;
    this.#units = posterior.rows - future.first - future.ahead + 1;
    this.#pointwise = new Float64Array(this.#units);
    this.#lppd = new Float64Array(this.#units);
    this.#shapes = new Float64Array(this.#units);
    this.#gains = new Float64Array(this.#units);
  }

  *run(budget: GradientBudget): Generator<void, FutureResult> {
    let earlier: DrawsGiven | undefined;
    let unit = 0;
    while (unit < this.#units) {
      const rows = this.future.first + unit;
      const allowance = { used: budget.used, limit: budget.limit };
      const drawn = yield* drawsGiven({ ...this.drawing, earlier }, rows, this.schedule, allowance);
      budget.used = allowance.used;
      if (drawn.kind === "budget" && earlier) {
        this.#leave(earlier, unit);
        break;
      }
      if (drawn.kind !== "draws") return drawn;
      this.#draws = Math.max(this.#draws, drawn.count);
      this.#refits.push(unit);
      unit = this.#predict(new Forecast(drawn, this.future, rows), unit);
      earlier = drawn;
      yield;
    }
    this.#hindsight(earlier!);
    return this.#estimate();
  }

  /** Predicts units from one set of draws, up to the first for which too few are effective; returns that one. */
  #predict(forecast: Forecast, from: number): number {
    this.#goodK = forecast.goodK;
    let unit = from;
    for (; unit < this.#units; unit++) {
      const shape = forecast.moveTo(this.future.first + unit);
      if (unit > from && !(shape <= forecast.goodK && forecast.share >= forecast.leastShare)) break;
      this.#shapes[unit] = unit > from ? shape : 0;
      this.#pointwise[unit] = forecast.predict(unit - from);
      this.#raw += forecast.raw;
    }
    this.#add(forecast, from, unit);
    return unit;
  }

  #add(forecast: Forecast, from: number, to: number): void {
    const { mcse, perDraw } = forecast.error();
    this.#squares += mcse * mcse;
    for (let unit = from; unit < to; unit++) {
      this.#pointwise[unit] += 0.5 * perDraw * forecast.excess[unit - from];
    }
    const gains = forecast.gains(to - from);
    if (!gains) return;
    this.#hasGains = true;
    this.#gainSquares += gains.mcse * gains.mcse;
    this.#gains.set(gains.pointwise, from);
  }

  /** Predicts the rest from draws of which too few are effective: the budget has no room for others. */
  #leave(earlier: DrawsGiven, from: number): void {
    const last = this.future.first + this.#refits[this.#refits.length - 1];
    const forecast = new Forecast(earlier, this.future, last);
    for (let unit = from; unit < this.#units; unit++) {
      this.#shapes[unit] = forecast.moveTo(this.future.first + unit);
      this.#pointwise[unit] = forecast.predict(unit - from);
      this.#raw += forecast.raw;
      this.#unresolved.push(unit);
    }
    this.#add(forecast, from, this.#units);
  }

  /** Log densities of each unit given all rows, about: for the effective number of parameters alone. */
  #hindsight(draws: DrawsGiven): void {
    const { posterior } = draws;
    const last = this.future.first + this.#refits[this.#refits.length - 1];
    const forecast = new Forecast(draws, this.future, last);
    forecast.moveTo(posterior.rows);
    for (let unit = 0; unit < this.#units; unit++) {
      this.#lppd[unit] = forecast.meanOf(this.future.first + unit);
    }
  }

  #estimate(): FutureEstimate {
    return {
      kind: "future",
      pointwise: this.#pointwise,
      lppd: this.#lppd,
      raw: this.#raw,
      mcse: Math.sqrt(this.#squares),
      ...(this.#hasGains && {
        gains: { pointwise: this.#gains, mcse: Math.sqrt(this.#gainSquares) },
      }),
      shapes: this.#shapes,
      goodK: this.#goodK,
      refits: this.#refits,
      unresolved: this.#unresolved,
      draws: this.#draws,
    };
  }
}

/** Draws given some rows, weighted step by step by the rows that follow. */
class Forecast {
  readonly goodK: number;
  /** Share of the draws below which others are drawn. */
  readonly leastShare: number;
  /** Share of the draws that count, of those that counted at first. */
  share = 1;
  /** The last prediction with nothing smoothed or corrected. */
  raw = 0;
  /** By unit, by how much the squared relative error of the upper mean exceeds that of the lower. */
  readonly excess: number[] = [];
  readonly #draws: DrawsGiven;
  readonly #future: FutureRows;
  readonly #terms: Float64Array;
  readonly #logs: Float64Array;
  readonly #weights: Float64Array;
  readonly #smoother: Smoother;
  readonly #total: Float64Array;
  readonly #first: number;
  readonly #predicted: { readonly row: number; readonly logWeights: Float64Array }[] = [];
  readonly #constant: number;
  #row: number;

  constructor(draws: DrawsGiven, future: FutureRows, row: number) {
    const { posterior, positions, count, variates } = draws;
    this.#draws = draws;
    this.#future = future;
    this.#row = row;
    this.#terms = termsAt(posterior, positions, count);
    this.#logs = draws.logWeights.slice();
    this.#weights = new Float64Array(count);
    this.#smoother = new Smoother(count, tailLength(count, efficiencyOf(draws)));
    this.#total = new Float64Array(count);
    this.#constant = variates.correction(new Float64Array(count).fill(1));
    this.goodK = goodParetoK(count);
    this.leastShare = draws.chainSet ? leastShareOfChains : leastShareOfDraws;
    this.#first = effective(this.#logs);
  }

  /** Weights the draws for the posterior given the first `row` rows; the shape of the weights' tail. */
  moveTo(row: number): number {
    const { rows } = this.#draws.posterior;
    const { count, logWeights } = this.#draws;
    for (; this.#row < row; this.#row++) {
      for (let s = 0; s < count; s++) {
        if (this.#logs[s] > -Infinity) this.#logs[s] += this.#terms[s * rows + this.#row];
        if (!(this.#logs[s] < Infinity)) this.#logs[s] = -Infinity;
      }
    }
    const added = this.#logs.map((one, s) => one > -Infinity ? one - logWeights[s] : one);
    const scratch = new Float64Array(count);
    const smoothed = new Float64Array(count);
    const { k } = this.#smoother.smooth(this.#logs.map((one) => -one), smoothed, scratch);
    const isPlain = spreadOf(added, logWeights) <= thresholds.plainVariance;
    if (isPlain) this.#weights.set(this.#logs);
    else smoothed.forEach((weight, s) => this.#weights[s] = log(weight));
    this.share = effective(this.#logs) / this.#first;
    return k;
  }

  /** log p of the unit that begins at the current row. */
  predict(unit: number): number {
    const { variates, count } = this.#draws;
    const row = this.#row;
    const below = relative(this.#weights);
    const above = relative(this.#joined(row));
    this.raw = logMean(this.#joined(row, this.#logs)) - logMean(this.#logs);
    addTimes(this.#total, 1, above.ratios, 0, 0, count);
    addTimes(this.#total, -1, below.ratios, 0, 0, count);
    const corrected = (one: Relative) =>
      one.logMean + logGain(variates.correction(one.ratios) - this.#constant);
    this.excess[unit] = meanSquare(above.ratios, 0, count) - meanSquare(below.ratios, 0, count);
    this.#predicted.push({ row, logWeights: this.#weights.slice() });
    return corrected(above) - corrected(below);
  }

  /** log of the mean density of the unit that begins at `row`, by the current weights. */
  meanOf(row: number): number {
    return logMean(this.#joined(row)) - logMean(this.#weights);
  }

  /** Of the sum of all predictions. */
  error(): { readonly mcse: number; readonly perDraw: number } {
    return this.#draws.variates.correct(this.#total);
  }

  /** Gains of cells over densities, of the first `units` units that were predicted. */
  gains(units: number) {
    const { posterior, positions, count, variates } = this.#draws;
    if (!posterior.cells) return undefined;
    const starts = this.#predicted.map(({ row }) => row);
    const logLikelihood = new Float64Array(count * units);
    for (let s = 0; s < count; s++) {
      starts.forEach((row, u) => logLikelihood[s * units + u] = this.#logOf(s, row));
    }
    const all = new Float64Array(posterior.rows);
    const view: PointwiseLikelihood = {
      dimension: posterior.dimension,
      observations: units,
      logDensity: () => -Infinity,
      logLikelihood: () => {},
      logCells: (position, offset, out, outOffset) => {
        posterior.cells!(position, offset, all, 0);
        starts.forEach((row, u) =>
          out[outOffset + u] = sumRange(all, row, row + this.#future.ahead)
        );
      },
    };
    return cellGains(view, {
      positions,
      count,
      logLikelihood,
      variates,
      logWeights: (u) => (s) => this.#predicted[u].logWeights[s],
    });
  }

  #joined(row: number, weights = this.#weights): Float64Array {
    return weights.map((weight, s) => {
      const sum = weight > -Infinity ? weight + this.#logOf(s, row) : weight;
      return sum < Infinity ? sum : -Infinity;
    });
  }

  #logOf(s: number, row: number): number {
    const at = s * this.#draws.posterior.rows + row;
    return this.#future.ahead === 1
      ? this.#terms[at]
      : sumRange(this.#terms, at, at + this.#future.ahead);
  }
}

function termsAt(posterior: RowTerms, positions: Float64Array, count: number): Float64Array {
  const out = new Float64Array(count * posterior.rows);
  for (let s = 0; s < count; s++) {
    posterior.terms(positions, s * posterior.dimension, out, s * posterior.rows);
  }
  return out;
}

/** Effective draws per draw: of chains those of the mean of the log densities' sum; 1 of others. */
function efficiencyOf({ chainSet, count }: DrawsGiven): number {
  if (!chainSet) return 1;
  const share = essMean(chainSet.logDensities, chainSet.chains) / count;
  return share > 1 / count ? Math.min(1, share) : 1 / count;
}

/** Effective number of draws of weights. */
function effective(logWeights: Float64Array): number {
  const weights = new Float64Array(logWeights.length);
  exponentials(logWeights, largest(logWeights), weights);
  const sum = sumRange(weights, 0, weights.length);
  return sum * sum / (weights.length * meanSquare(weights, 0, weights.length));
}

/** Variance of logarithms over draws with these weights. */
function spreadOf(logs: Float64Array, logWeights: Float64Array): number {
  const top = largest(logWeights);
  const weights = new Float64Array(logs.length);
  exponentials(logWeights, top, weights);
  let [sum, mean, square] = [0, 0, 0];
  for (let s = 0; s < logs.length; s++) {
    if (!(logs[s] > -Infinity) || weights[s] === 0) continue;
    sum += weights[s];
    const rest = logs[s] - mean;
    mean += weights[s] / sum * rest;
    square += weights[s] * rest * (logs[s] - mean);
  }
  return square / sum;
}

/** The log of a mean, and what is averaged as multiples of it. */
interface Relative {
  readonly logMean: number;
  readonly ratios: Float64Array;
}

function relative(logs: Float64Array): Relative {
  const count = logs.length;
  const top = largest(logs);
  const ratios = new Float64Array(count);
  if (!(Math.abs(top) < Infinity)) return { logMean: -Infinity, ratios };
  exponentials(logs, top, ratios);
  const mean = sumRange(ratios, 0, count) / count;
  for (let s = 0; s < count; s++) ratios[s] /= mean;
  return { logMean: top + log(mean), ratios };
}

function logMean(logs: Float64Array): number {
  return relative(logs).logMean;
}
