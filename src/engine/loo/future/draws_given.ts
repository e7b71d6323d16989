/** Draws of a posterior given its first rows: weighted ones of a fitted proposal, or chains. */
import type { LogDensity, PointwiseLikelihood } from "../../../numerics/math/mod.ts";
import type { GradientBudget, SamplingFailure } from "../../inference/mcmc/budget.ts";
import type { ChainSet } from "../../inference/mcmc/chain_set.ts";
import { sampleChains, type StreamKey } from "../../inference/mcmc/sample_chains.ts";
import { ControlVariates } from "../control_variates.ts";
import { importanceLoo } from "../importance_loo.ts";
import { sampleMixed } from "../mixed_chains.ts";
import type { NumericFailure } from "../not_mixed.ts";
import { mixing } from "../posterior.ts";
import { normalised } from "../proposals/weights.ts";
import { rhatOfFewDraws } from "../rhat_limits.ts";
import { thresholds } from "../thresholds.ts";
import type { RowTerms } from "./row_terms.ts";

/** How many draws, and of which streams. */
export interface DrawSchedule {
  /** How many chains. */
  readonly chains: number;
  /** Transitions that tune a chain. */
  readonly tune: number;
  /** Draws per chain. */
  readonly draws: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/** Draws of a posterior given some rows. */
export interface DrawsGiven {
  /** Discriminates draws from failures. */
  readonly kind: "draws";
  /** The parametrisation that the positions belong to. */
  readonly posterior: RowTerms;
  /** `[count, dimension]`. */
  readonly positions: Float64Array;
  /** How many. */
  readonly count: number;
  /** log of what each weighs, up to a constant `[count]`; 0 for draws of chains. */
  readonly logWeights: Float64Array;
  /** Takes noise out of means over them. */
  readonly variates: ControlVariates;
  /** The chains, if they are such. */
  readonly chainSet?: ChainSet;
}

/** Draws, or why there are none. */
type DrawsResult = DrawsGiven | SamplingFailure | NumericFailure;

/** The posterior in one parametrisation after the other, and chains of fewer rows, if there are some. */
export interface Drawing {
  readonly posterior: RowTerms;
  readonly other?: () => RowTerms;
  /** Whether to try importance draws. */
  readonly byWeights: boolean;
  readonly earlier?: DrawsGiven;
}

/**
 * Draws of the posterior given the first `rows` rows: importance draws of a proposal that is fitted to it
 * where there are few coordinates and that works, else chains, which begin where those given fewer rows ended.
 */
export function* drawsGiven(
  { posterior, other, byWeights, earlier }: Drawing,
  rows: number,
  schedule: DrawSchedule,
  budget: GradientBudget,
): Generator<void, DrawsResult> {
  const own = { ...schedule, seedKey: [...schedule.seedKey, "given", rows] };
  const weighted = byWeights && !earlier?.chainSet
    ? yield* importanceDraws(posterior, rows, own, budget)
    : undefined;
  if (weighted) return weighted;
  if (earlier?.chainSet) return yield* warmChains(earlier, earlier.chainSet, rows, own, budget);
  const chosen = (one: RowTerms) => ({ ...delegate(one.given(rows)), one });
  const found = yield* sampleMixed(
    chosen(posterior),
    own,
    budget,
    other && (() => chosen(other())),
  );
  return found.kind === "chains" ? ofChains(found.density.one, found.chainSet) : found;
}

/** Methods of a class are not copied with its fields. */
function delegate(density: LogDensity): LogDensity {
  return {
    dimension: density.dimension,
    ...(density.startingRegion && { startingRegion: density.startingRegion }),
    ...(density.generated && { generated: density.generated }),
    logDensity: (position, gradient, offset) => density.logDensity(position, gradient, offset),
  };
}

/** Importance draws as leave-one-out makes them; their estimate of it is not used. */
function* importanceDraws(
  posterior: RowTerms,
  rows: number,
  schedule: DrawSchedule,
  budget: GradientBudget,
): Generator<void, DrawsGiven | undefined> {
  if (posterior.dimension > thresholds.maxImportanceDimension) return undefined;
  const goal = { ...schedule, targetMcse: Infinity };
  const found = yield* importanceLoo(withoutObservations(posterior.given(rows)), goal, budget);
  if (!found?.weighted) return undefined;
  const { positions, logWeights, count } = found.weighted;
  const { weights } = normalised(logWeights);
  for (let s = 0; s < count; s++) weights[s] *= count;
  const variates = new ControlVariates({ ...found.weighted, chains: 1, draws: count, weights });
  return { kind: "draws", posterior, positions, count, logWeights, variates };
}

/**
 * The posterior given some rows as importance sampling takes it. It has no observations that are left out: for
 * that proposals would be fitted, and draws refused, that serve here.
 */
function withoutObservations(given: LogDensity): PointwiseLikelihood {
  return { ...delegate(given), observations: 0, logLikelihood: () => {}, ...byValue(given) };
}

/** Differences are good enough to climb by, and no control variates. */
function byValue(given: LogDensity): Partial<PointwiseLikelihood> {
  if (!given.valueAlone) return {};
  return {
    valueAlone: (position, offset) => given.valueAlone!(position, offset),
    withLikelihood(position, gradient, offset) {
      gradient.fill(0, offset, offset + given.dimension);
      return given.valueAlone!(position, offset);
    },
  };
}

/** From where chains given fewer rows ended; from the beginning, where those do not mix. */
function* warmChains(
  earlier: DrawsGiven,
  set: ChainSet,
  rows: number,
  schedule: DrawSchedule,
  budget: GradientBudget,
): Generator<void, DrawsResult> {
  const { posterior } = earlier;
  const { draws, seedKey } = schedule;
  const given = posterior.given(rows);
  const warm = { chains: set.chains, tune: thresholds.refitTune, draws };
  const options = { ...warm, warmStart: set.adaptations };
  const found = yield* sampleChains(given, options, seedKey, budget);
  if (found.kind === "chains") {
    const limit = rhatOfFewDraws(thresholds.mixedRhat, found.chainSet.dimension);
    if (mixing(found.chainSet).rhatMax <= limit) return ofChains(posterior, found.chainSet);
  }
  const own = { ...schedule, seedKey: [...seedKey, "anew"] };
  const anew = yield* sampleMixed(given, own, budget);
  return anew.kind === "chains" ? ofChains(posterior, anew.chainSet) : anew;
}

function ofChains(posterior: RowTerms, set: ChainSet): DrawsGiven {
  const count = set.chains * set.draws;
  return {
    kind: "draws",
    posterior,
    positions: set.positions,
    count,
    logWeights: new Float64Array(count),
    variates: new ControlVariates(set),
    chainSet: set,
  };
}
