/** Surrogate of log rewards over a space, learnt from scored objects: exact on those. */
import { bestAndAny } from "./best_and_any.ts";
import { type Calibration, calibrationBy, mostProbes } from "./calibration_factor.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { Environment, TerminalObject } from "../../environments/environment.ts";
import type { KernelParameters } from "./production_kernel.ts";
import { foretold, type PriorMean } from "./prior_mean.ts";
import { ProductionSets } from "./production_sets.ts";
import { evidence, firstParameters, fitParameters, type Points } from "./relevance.ts";
import { type Prediction, RewardProcess } from "./reward_process.ts";

/** An object whose reward was asked for. */
export interface ScoredObject {
  /** Scored object. */
  readonly object: Pick<TerminalObject, "text" | "actions" | "features" | "logPrior">;
  /** log R; −Infinity is a reward of 0. */
  readonly logReward: number;
}

/** Options of a surrogate. */
export interface SurrogateOptions {
  /** Most scored objects that the process rests on; all others stay exact. */
  readonly points: number;
  /** Number of these by which parameters are chosen. */
  readonly choosing: number;
  /** Log rewards lower than this many nats below the best count as that: tiny rewards need no resolution. */
  readonly depth: number;
  /** Log rewards predicted from outside: it learns the difference to them. A constant, if left out. */
  readonly mean?: PriorMean;
}

/** Default options of a surrogate. */
export const defaultSurrogate: SurrogateOptions = { points: 3000, choosing: 300, depth: 15 };

/** The plain JSON of a surrogate: everything that its predictions depend on. */
export interface SurrogateJson {
  /** Names, in the order of their bits. */
  readonly productions: readonly string[];
  /** θ of each production. */
  readonly relevance: readonly number[];
  /** Variances of constant, productions, pairs, and sets of any size. */
  readonly variances: readonly [number, number, number, number];
  /** Variance that productions do not explain. */
  readonly nugget: number;
  /** Mean of the points, nats. */
  readonly center: number;
  /** Log rewards below count as this, nats. */
  readonly floor: number;
  /** Log rewards predicted from outside; left out where the mean is a constant. */
  readonly mean?: PriorMean;
  /** Places of the points among the scored objects. */
  readonly points: readonly number[];
  /** Latest errors on objects drawn by belief, in standard deviations of the surrogate that predicted. */
  readonly probed: readonly number[];
  /** Calibration of its standard deviations. */
  readonly calibration: Calibration;
  /** Text, actions and log reward of each scored object. */
  readonly scored:
    readonly (readonly [text: string, actions: readonly number[], logReward: number])[];
}

/** Steps of the ascent to parameters, at first and when they are chosen again. */
const [FIRST_STEPS, LATER_STEPS] = [40, 15] as const;

/** A Gaussian process over log rewards on productions and pairs of them, exact where scored. */
export class RewardSurrogate {
  readonly #process: RewardProcess;
  readonly #known: ReadonlyMap<string, number>;
  readonly #json: SurrogateJson;

  private constructor(
    /** Environment whose rewards it predicts. */
    readonly environment: Environment,
    /** Encoding of objects. */
    readonly sets: ProductionSets,
    process: RewardProcess,
    json: SurrogateJson,
  ) {
    this.#process = process;
    this.#json = json;
    this.#known = new Map(json.scored.map(([text, , logReward]) => [text, logReward]));
  }

  /**
   * A surrogate from scored objects.
   *
   * @param before One of fewer objects: its parameters are where the ascent starts. Or the sets by
   *   which objects were encoded already.
   * @param refit False keeps the parameters of the one before.
   * @param probed Standard deviations by which the one before erred on objects drawn by belief.
   * @param random Chooses among points, where there are more than are used.
   * @throws InputError if objects have no features, or none has a reward above 0.
   */
  static fit(
    environment: Environment,
    scored: readonly ScoredObject[],
    { points: most, choosing, depth, mean }: SurrogateOptions,
    random: RandomStream,
    before: RewardSurrogate | ProductionSets = new ProductionSets(environment),
    refit = true,
    probed: readonly number[] = [],
  ): RewardSurrogate {
    const earlier = before instanceof RewardSurrogate ? before : undefined;
    const sets = before instanceof RewardSurrogate ? before.sets : before;
    sets.require(scored.map(({ object }) => object));
    const logRewards = scored.map(({ logReward }) => logReward);
    const best = logRewards.reduce((a, b) => Math.max(a, b), -Infinity);
    if (best === -Infinity) throw withoutReward(scored.length);
    const floor = best - depth;
    const order = bestAndAny(logRewards, random);
    const chosen = order.slice(0, most);
    const codes = sets.encode(chosen.map((i) => scored[i].object));
    const said = mean && foretold(mean, codes, chosen.length, sets.names, lowest(mean, depth));
    const heights = chosen.map((i, k) => Math.max(logRewards[i], floor) - (said?.[k] ?? 0));
    const center = heights.reduce((sum, one) => sum + one, 0) / heights.length;
    const all: Points = { codes, heights: Float64Array.from(heights, (one) => one - center) };
    const parameters = refit || !earlier
      ? chosenParameters(firstOf(all, choosing), earlier, sets.size)
      : widened(earlier.json, sets.size);
    const process = RewardProcess.of(parameters, center, all);
    const errors = [...(earlier?.json.probed ?? []), ...probed].slice(-mostProbes);
    return new RewardSurrogate(environment, sets, process, {
      productions: sets.names,
      relevance: [...parameters.relevance],
      variances: parameters.variances,
      nugget: process.parameters.nugget,
      center,
      floor,
      ...(mean && { mean }),
      points: chosen,
      probed: errors,
      calibration: calibrationBy(process, heights, random, errors),
      scored: scored.map(({ object, logReward }) => [object.text, object.actions, logReward]),
    });
  }

  /** Restores a surrogate from its `json`. */
  static fromJson(environment: Environment, json: SurrogateJson): RewardSurrogate {
    const sets = new ProductionSets(environment, json.productions);
    const { relevance, variances, nugget, center, floor } = json;
    const objects = json.points.map((i) => objectAt(environment, json.scored[i][1]));
    const codes = sets.encode(objects);
    const { mean } = json;
    const depth = json.scored.reduce((most, [, , one]) => Math.max(most, one), -Infinity) - floor;
    const said = mean && foretold(mean, codes, objects.length, sets.names, lowest(mean, depth));
    const heights = json.points.map((i, k) => {
      return Math.max(json.scored[i][2], floor) - (said?.[k] ?? 0) - center;
    });
    const points = { codes, heights: Float64Array.from(heights) };
    const parameters = { relevance: Float64Array.from(relevance), variances, nugget };
    return new RewardSurrogate(
      environment,
      sets,
      RewardProcess.of(parameters, center, points),
      json,
    );
  }

  /** Everything that predictions depend on. */
  get json(): SurrogateJson {
    return this.#json;
  }

  /** Objects whose log reward is known. */
  get size(): number {
    return this.#known.size;
  }

  /** Calibration of its standard deviations. */
  get calibration(): Calibration {
    return this.#json.calibration;
  }

  /** The exact log reward of the object of this text; undefined if it was not scored. */
  known(text: string): number | undefined {
    return this.#known.get(text);
  }

  /** `[objects]`: the log reward where it is known, else its posterior mean. */
  logRewards(objects: readonly TerminalObject[]): Float64Array {
    const means = this.means(this.sets.encode(objects), objects.length);
    return means.map((mean, x) => this.#known.get(objects[x].text) ?? mean);
  }

  /** `[count]`: posterior means by sets of productions, scored or not. */
  means(codes: Uint8Array, count: number): Float64Array {
    const means = this.#process.means(this.#fitting(codes, count), count);
    const { mean } = this.#json;
    if (!mean) return means;
    const said = foretold(mean, codes, count, this.sets.names, lowest(mean, this.#depth));
    return means.map((one, x) => one + said[x]);
  }

  /** `[count]`: calibrated posterior variances by sets of productions. */
  variances(codes: Uint8Array, count: number): Float64Array {
    const { factor } = this.calibration;
    return this.ownVariances(codes, count).map((one) => one * factor * factor);
  }

  /** `[count]`: posterior variances as the process has them. */
  ownVariances(codes: Uint8Array, count: number): Float64Array {
    return this.#process.variances(this.#fitting(codes, count), count);
  }

  /** Predictions of objects; those that were scored have no variance. */
  predict(objects: readonly TerminalObject[]): Prediction[] {
    const codes = this.sets.encode(objects);
    const means = this.means(codes, objects.length);
    const variances = this.variances(codes, objects.length);
    return objects.map(({ text }, x) => {
      const known = this.#known.get(text);
      return known === undefined
        ? { mean: means[x], variance: variances[x] }
        : { mean: known, variance: 0 };
    });
  }

  /** Nats below the best known object that count as this many. */
  get #depth(): number {
    const best = this.#json.scored.reduce((most, [, , one]) => Math.max(most, one), -Infinity);
    return best - this.#json.floor;
  }

  /** Sets without productions that first occurred after the fit, whose effect is unknown. */
  #fitting(codes: Uint8Array, count: number): Uint8Array {
    const own = Math.max(1, Math.ceil(this.#json.relevance.length / 8));
    const pieces = codes.length / Math.max(1, count);
    if (pieces === own || count === 0) return codes;
    const cut = new Uint8Array(count * own);
    for (let x = 0; x < count; x++) {
      cut.set(codes.subarray(x * pieces, x * pieces + Math.min(own, pieces)), x * own);
    }
    return cut;
  }
}

/** Floor of a prior mean: `depth` nats below the best that it predicts. */
function lowest({ values }: PriorMean, depth: number): number {
  return Object.values(values).reduce((most, one) => Math.max(most, one), -Infinity) - depth;
}

function firstOf({ codes, heights }: Points, count: number): Points {
  const pieces = codes.length / heights.length;
  const some = Math.min(count, heights.length);
  return { codes: codes.slice(0, some * pieces), heights: heights.slice(0, some) };
}

/** Parameters by one ascent from the former ones and one from default ones: those of higher likelihood. */
function chosenParameters(
  points: Points,
  before: RewardSurrogate | undefined,
  productions: number,
): KernelParameters {
  const variance = points.heights.reduce((sum, one) => sum + one * one, 0) / points.heights.length;
  const usual = firstParameters(productions, Math.max(variance, 1e-6));
  const fresh = fitParameters(points, usual, FIRST_STEPS);
  if (!before) return fresh;
  const later = fitParameters(points, widened(before.json, productions), LATER_STEPS);
  const valueOf = (one: KernelParameters) => evidence(points, one)?.value ?? -Infinity;
  return valueOf(fresh) > valueOf(later) ? fresh : later;
}

/** Parameters with usual ones for productions that they do not know. */
function widened(
  { relevance, variances, nugget }: Pick<SurrogateJson, "variances" | "nugget"> & {
    readonly relevance: ArrayLike<number>;
  },
  productions: number,
): KernelParameters {
  const first = firstParameters(productions, 1).relevance;
  return {
    relevance: first.map((usual, f) => relevance[f] ?? usual),
    variances,
    nugget,
  };
}

function objectAt(environment: Environment, actions: readonly number[]): TerminalObject {
  let state = environment.initialState();
  for (const action of actions.slice(0, -1)) state = environment.step(state, action);
  return environment.terminal(state);
}

function withoutReward(count: number): Error {
  const message = `Cannot make a surrogate: none of ${count} objects has a reward above 0`;
  const hint = "have more objects scored at first, or give failed programs a finite failure_margin";
  return inputError("surrogate/no-reward", message, undefined, hint);
}
