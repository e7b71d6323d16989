/** Leave-one-out where latents were integrated out in closed form: the few other coordinates remain. */
import {
  type ClosedFormPosterior,
  largest,
  logSumExp,
  type PredictiveLikelihood,
} from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import { climb } from "../inference/mcmc/bfgs.ts";
import { sampleChains, type StreamKey } from "../inference/mcmc/sample_chains.ts";
import { drawIndex } from "./draw_index.ts";
import { importanceByChains, type ImportanceGoal, importanceLoo } from "./importance_loo.ts";
import type { ImportanceEstimate } from "./importance_estimate.ts";
import { latticeDraws } from "./lattice_draws.ts";
import { type QuadratureEstimate, quadratureLoo } from "./quadrature.ts";
import { thresholds } from "./thresholds.ts";

/** Term of a row, nats, below which the difference of it and a whole density has hardly three digits behind the point. */
const leastTerm = -(2 ** 40);

/** log of the share of a posterior that may lie where noise is lost: a hundredth, a round number. */
const logLostShare = -4.6;

/** A posterior without its linear latents, and when to ask for it. */
export interface ClosedFormChoice {
  /** Whether it comes before importance draws of the whole posterior, and not after them. */
  readonly first: boolean;
  /** Whether few coordinates are left, so that it costs no more than draws that need help. */
  readonly isSmall: boolean;
  /** Makes it; `undefined` if there is too much of it. */
  posterior(): ClosedFormPosterior | undefined;
}

/** Average over the remaining coordinates, and the posterior without its linear latents. */
export type ClosedFormEstimate = Averaged<ClosedFormPosterior>;

/** `count` draws of the remaining coordinates `[count, dimension]`, if there is what to draw from. */
export function remainingDraws(
  { posterior: { dimension }, kind, found }: ClosedFormEstimate,
  count: number,
  random: RandomStream,
): Float64Array | undefined {
  if (dimension === 0) return new Float64Array(0);
  if (kind === "quadrature") return found.lattice && latticeDraws(found.lattice, count, random);
  const { positions, logWeights } = found.weighted!;
  const pick = drawIndex(logWeights);
  const out = new Float64Array(count * dimension);
  for (let s = 0; s < count; s++) {
    const from = pick(random) * dimension;
    out.set(positions.subarray(from, from + dimension), s * dimension);
  }
  return out;
}

/**
 * By quadrature over few coordinates, by importance draws over more: of a proposal that is fitted from
 * a mode, or from chains where that fails. `undefined` if nothing of it works.
 */
export function* closedFormLoo(
  choice: ClosedFormChoice,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ClosedFormEstimate | "lost" | undefined> {
  const posterior = choice.posterior();
  if (!posterior) return undefined;
  const key = [...goal.seedKey, "closed form"];
  const limit = Math.min(budget.limit, budget.used + thresholds.closedFormEvaluations);
  const allowance = { used: budget.used, limit };
  const found = yield* averaged(posterior, { ...goal, seedKey: key }, allowance);
  budget.used = allowance.used;
  return (found ? isLost(found) : endsLost(posterior, budget)) ? "lost" : found;
}

/** Whether the density rises to where noise is lost. */
function endsLost(posterior: ClosedFormPosterior, budget: GradientBudget): boolean {
  const { dimension, startingRegion } = posterior;
  if (dimension === 0) return false;
  const top = climb(posterior, startingRegion!.centre, 100 + 10 * dimension);
  budget.used += top.evaluations;
  return posterior.isLost(top.position, 0);
}

/**
 * Whether the posterior, or one without an observation, has a share of its mass where noise or densities are lost in
 * rounding: it is improper, as where all rows lie on a line, or all but one, and ends there by rounding alone.
 */
function isLost({ posterior, ...average }: ClosedFormEstimate): boolean {
  const { pointwise } = average.found;
  const points = average.kind === "quadrature"
    ? average.found.lattice?.points ?? []
    : pointsOf(average.found, posterior);
  const whole = logSumExp(points.map(({ logDensity }) => logDensity));
  const lost = points.filter(({ position, terms }) =>
    posterior.isLost(position, 0) || terms.some((term) => term < leastTerm)
  );
  const share = (logs: number[]) => logs.length > 0 && logSumExp(logs) > logLostShare;
  return share(lost.map(({ logDensity }) => logDensity - whole)) ||
    pointwise.some((term, i) =>
      share(lost.map(({ logDensity, terms }) => logDensity - terms[i] + (term - whole)))
    );
}

/** Draws as points with their weights. */
function pointsOf(
  { weighted }: ImportanceEstimate,
  { dimension, observations }: ClosedFormPosterior,
) {
  const { positions, logWeights, logLikelihood } = weighted!;
  return Array.from(logWeights, (logDensity, s) => ({
    logDensity,
    position: positions.subarray(s * dimension, (s + 1) * dimension),
    terms: logLikelihood.subarray(s * observations, (s + 1) * observations),
  }));
}

/** Average over the coordinates of a posterior, by its method. */
export type Averaged<P> =
  & { readonly posterior: P }
  & (
    | { readonly kind: "quadrature"; readonly found: QuadratureEstimate }
    | { readonly kind: "importance"; readonly found: ImportanceEstimate }
  );

/** The position that counts most among those averaged over, if there are several. */
export function heaviestOf(
  { posterior: { dimension }, kind, found }: Averaged<PredictiveLikelihood>,
): Float64Array | undefined {
  if (kind === "quadrature") {
    const points = found.lattice?.points;
    return points?.reduce((a, b) => b.logDensity > a.logDensity ? b : a).position;
  }
  const { positions, logWeights } = found.weighted!;
  const best = logWeights.indexOf(largest(logWeights));
  return positions.slice(best * dimension, (best + 1) * dimension);
}

/** By quadrature, by importance draws, by those of a proposal that is fitted to chains: whichever works first. */
export function* averaged<P extends PredictiveLikelihood>(
  posterior: P,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, Averaged<P> | undefined> {
  const summed = yield* quadratureLoo(posterior, goal.targetMcse, goal.seedKey, budget);
  if (summed) return { posterior, kind: "quadrature", found: summed };
  const drawn = (yield* importanceLoo(posterior, goal, budget)) ??
    (yield* fromChains(posterior, goal, goal.seedKey, budget));
  return drawn && { posterior, kind: "importance", found: drawn };
}

function* fromChains(
  posterior: PredictiveLikelihood,
  goal: ImportanceGoal,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  if (posterior.dimension === 0) return undefined;
  const draws = thresholds.closedFormTransitions;
  const schedule = { chains: goal.chains, tune: draws, draws };
  const sampled = yield* sampleChains(posterior, schedule, [...key, "chains"], budget);
  if (sampled.kind !== "chains") return undefined;
  return yield* importanceByChains(posterior, sampled.chainSet, goal, budget);
}
