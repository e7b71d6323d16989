/** The expected log predictive density of a posterior by leave-one-out: sampled, checked, refitted. */
import type { GradientBudget, SamplingFailure } from "../inference/mcmc/budget.ts";
import type { PointwiseDensity, PointwiseLikelihood } from "../../numerics/math/mod.ts";
import {
  drawEnough,
  type DrawnChains,
  type ElpdSettings,
  plainPsis,
  type SampledChains,
} from "./drawn_chains.ts";
import type { CellGains } from "./cells.ts";
import { type ClosedFormEstimate, closedFormLoo } from "./closed_form.ts";
import { fieldLoo } from "./field.ts";
import { importanceByChains, type ImportanceGoal, importanceLoo } from "./importance_loo.ts";
import { type MarginalPosterior, marginalPosterior } from "./marginal.ts";
import { type MixedChains, sampleMixed } from "./mixed_chains.ts";
import type { NumericFailure } from "./not_mixed.ts";
import { goodParetoK, totals } from "./psis.ts";
import { type Estimate, estimateElpd } from "./estimate.ts";
import {
  type ParticleEstimate,
  particlesLoo,
  reserveForParticles,
  worthOf,
} from "./particles_loo.ts";
import { type Evidence, evidenceOfWeights } from "./evidence.ts";
import { foldedImportance, foldedParticles, unfolding } from "./folded_importance.ts";
import { symmetriesOf, type Symmetry } from "./symmetries.ts";
import { type Refitted, reserveFor } from "./refits.ts";
import { replaceUnreliable } from "./replace_unreliable.ts";
import { integratesFirst, sharesLatents, unitPosterior } from "./units.ts";
import type { ImportanceEstimate } from "./importance_estimate.ts";
import { thresholds } from "./thresholds.ts";
import type { ImportanceDraws } from "./importance_draws.ts";

/**
 * Evaluations times rows where groups are left out: more where there are few rows. Measured:
 * Student regressions of 87 rows in twelve groups take 20,000 to 35,000 evaluations; refits without
 * groups as long, and one in nine fails.
 */
const maxIntegralRows = 4_000_000;

/**
 * Evaluations of a posterior without latents before chains are drawn. A round number: programs
 * of twelve hospitals take 1,000.
 */
const maxIntegralEvaluations = 8000;

/** Of a posterior that has no end where its noise is 0. */
const noiseIsLost =
  "the posterior, or one without an observation, is improper: noise becomes smaller than " +
  "the rounding of the response, as where rows fit exactly";

export type { ElpdSettings, SampledChains } from "./drawn_chains.ts";

/** How the values of a cross-validation came about. */
export const looMethods = [
  /** Smoothed importance sampling alone. */
  "psis",
  /** And exact refits of the observations with a high Pareto k. */
  "psis_refit",
  /** Smoothed importance sampling with a latent integrated out of the likelihoods. */
  "integrated",
  /** And exact refits. */
  "integrated_refit",
  /** Draws of a mixture of the posterior with those that lack an observation. */
  "mixture",
  /** Importance draws of a distribution fitted to the posterior. */
  "importance",
  /** Importance draws, with a latent integrated out of the posterior. */
  "integrated_importance",
  /** Linear latents integrated out in closed form, the rest by quadrature. */
  "gaussian",
  /** Linear latents integrated out in closed form, the rest by importance draws. */
  "gaussian_importance",
  /** Normal latents of another response by draws around Laplace's approximation, the rest by quadrature. */
  "field",
  /** Particles carried from the prior to the leave-one-out posteriors. */
  "particles",
  /** Rows from those before them: exact refits, smoothed importance sampling between them. */
  "future",
  /** Rows from those before them, with linear latents integrated out in closed form. */
  "future_gaussian",
  /** Rows from those before them by quadrature, without draws. */
  "future_quadrature",
] as const;
/** How the values of a cross-validation came about. */
export type LooMethod = (typeof looMethods)[number];

/** A cross-validated posterior; log quantities in nats. An observation is a unit. */
export interface ElpdEstimate {
  /** Discriminates estimates from failures. */
  readonly kind: "ok";
  /** How the values came about. */
  readonly method: LooMethod;
  /** With control variates and exact refits: the sum of `elpdPointwise`. */
  readonly elpdLoo: number;
  /**
   * Of chains, PSIS-LOO as arviz-stats computes it: nothing corrected, refitted or integrated. Of
   * importance draws, their averages as they are.
   */
  readonly elpdRaw: number;
  /** From the spread of the pointwise values over observations. */
  readonly se: number;
  /** Effective number of parameters. */
  readonly pLoo: number;
  /** Monte Carlo standard error of `elpdLoo`. */
  readonly mcse: number;
  /** log p(y_i | y_-i) `[observations]`. */
  readonly elpdPointwise: Float64Array;
  /** Gains of cells over densities, for data recorded to a step; none for continuous data. */
  readonly gains?: CellGains;
  /** Tail shapes of the importance ratios `[observations]`. */
  readonly paretoK: Float64Array;
  /** Tail shape up to which smoothing is trusted. */
  readonly goodK: number;
  /** Observations whose value comes from sampling without them, rising. */
  readonly exactRefits: readonly number[];
  /** Observations whose k is too high, but for whose refit the budget had no room, rising. */
  readonly unresolved: readonly number[];
  /** Gradient evaluations, refits and discarded draws included. */
  readonly gradients: number;
  /** Draws per chain; of importance draws, all. */
  readonly draws: number;
  /** Chains, where they were needed. */
  readonly sampled?: SampledChains;
  /** log p(y), where importance draws, particles or quadrature estimate it. */
  readonly evidence?: Evidence;
  /** Importance draws or particles, where the values are averages over these. */
  readonly weighted?: () => ImportanceDraws;
  /** The posterior without its linear latents, where that was averaged over. */
  readonly closedForm?: ClosedFormEstimate;
}

/** A cross-validated posterior, or why it could not be. */
export type ElpdResult = ElpdEstimate | SamplingFailure | NumericFailure;

/**
 * Cross-validates a posterior. Where a distribution that is easy to draw from can be fitted to it,
 * by importance draws of that (`importanceLoo`); elsewhere by chains that mix (`sampleMixed`), drawn on
 * while R-hat > 1.02 or the standard error exceeds the target and the budget of gradients allows.
 * Where observations are influential, values come then from draws of a mixture (`mixtureLoo`) and
 * refits of those whose posteriors are distant; where that fails, from refits of those whose Pareto k
 * is too high.
 * A latent that each observation has for itself is integrated out of its likelihood first, one that
 * observations share where the rest does not work with it; linear latents of a normal likelihood in
 * closed form (`closedFormLoo`), fields of them before anything else. Yields every few dozen gradients.
 *
 * @param first makes the posterior; it is not asked where the closed form comes first and works.
 * @param other another parametrisation of the same posterior, for where chains of the first do not mix.
 */
export function* elpdLoo(
  first: () => PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, ElpdResult> {
  const usedBefore = budget.used;
  const exact = settings.closedForm?.first ? yield* inClosedForm(settings, budget) : undefined;
  if (exact) return withGradients(exact, budget.used - usedBefore);
  return yield* elpdOfDensity(first(), settings, budget, usedBefore, other);
}

/** ELPD where there is no closed form, or where it comes last. */
function* elpdOfDensity(
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  usedBefore: number,
  other?: () => PointwiseDensity,
): Generator<void, ElpdResult> {
  const units = unitPosterior(first, settings.unitOfRow);
  const isField = !settings.closedForm?.first && settings.field?.first && !first.logCells;
  const exact = isField ? yield* ofField(settings, budget) : undefined;
  const weighed = exact ?? (yield* byWeights(first, units, settings, budget, importanceLoo));
  const isBetter = settings.closedForm?.first === false &&
    (!weighed || (settings.closedForm.isSmall && !isPlain(weighed)));
  const direct = (isBetter ? yield* inClosedForm(settings, budget) : undefined) ?? weighed ??
    (yield* ofOneImage(first, units, settings, budget));
  if (direct) return withGradients(direct, budget.used - usedBefore);
  const found = yield* sampleMixed(first, settings, budget, other, (density, set) => {
    const own = unitPosterior(density, settings.unitOfRow);
    const forRefits = set ? reserveFor(estimateElpd(own, set), settings.draws, budget) : 0;
    return Math.max(forRefits, reserveForParticles(own, budget));
  });
  if (found.kind !== "chains") {
    const other = yield* whereChainsFail(first, found, settings, budget);
    return "method" in other ? { ...other, gradients: budget.used - usedBefore } : other;
  }
  const { density, chainSet } = found;
  const again = unitPosterior(density, settings.unitOfRow);
  const weighted = yield* byWeights(density, again, settings, budget, (target, goal, allowance) => {
    const set = target.project?.(chainSet) ?? chainSet;
    return importanceByChains(target, set, goal, allowance);
  });
  if (weighted) return { ...weighted, gradients: budget.used - usedBefore };
  const saturated = hasField(first, settings) && isSaturated(estimateElpd(again, chainSet))
    ? yield* ofField(settings, budget)
    : undefined;
  if (saturated) return { ...saturated, gradients: budget.used - usedBefore };
  return yield* elpdOfChains(found, settings, budget, usedBefore, first, other);
}

/**
 * Draws enough, and once more by the other parametrisation where many of the transitions diverged meanwhile: such
 * chains stay out of a funnel's neck, whatever R-hat says, and their error does not include it.
 */
function* drawWithoutDivergences(
  found: MixedChains<PointwiseDensity>,
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, DrawnChains | SamplingFailure | NumericFailure> {
  const drawn = yield* drawEnough(found, settings, budget);
  if ("kind" in drawn || !other || !diverges(drawn)) return drawn;
  const density = found.density === first ? other() : first;
  const own = { ...settings, seedKey: [...settings.seedKey, "without divergences"] };
  const again = yield* sampleMixed(density, own, budget);
  const second = again.kind === "chains" ? yield* drawEnough(again, settings, budget) : again;
  return "kind" in second || diverges(second) ? drawn : second;
}

function diverges({ sampled: { divergences, chainSet } }: DrawnChains): boolean {
  return divergences > thresholds.maxDivergent * chainSet.chains * chainSet.draws;
}

/** Whether draws of the posterior alone gave the estimate, with tails that leave their error a variance. */
function isPlain({ exactRefits, paretoK }: Omit<ElpdEstimate, "gradients">): boolean {
  return exactRefits.length === 0 && paretoK.every((k) => k <= thresholds.unreliableK);
}

function* inClosedForm(
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Omit<ElpdEstimate, "gradients"> | NumericFailure | undefined> {
  const estimate = yield* closedFormLoo(settings.closedForm!, settings, budget);
  if (estimate === "lost") return { kind: "numeric", reason: noiseIsLost };
  return estimate && { ...ofClosedForm(estimate), closedForm: estimate };
}

function withGradients(
  found: Omit<ElpdEstimate, "gradients"> | NumericFailure,
  gradients: number,
): ElpdResult {
  return found.kind === "ok" ? { ...found, gradients } : found;
}

/** Fields by importance draws; posteriors of several modes and other small ones by particles. */
function* whereChainsFail(
  first: PointwiseDensity,
  failure: SamplingFailure | NumericFailure,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Omit<ElpdEstimate, "gradients"> | SamplingFailure | NumericFailure> {
  if (hasField(first, settings)) {
    const found = yield* ofField(settings, budget);
    if (found) return found;
  }
  if (failure.kind === "no_finite_start") return failure;
  const units = unitPosterior(first, settings.unitOfRow);
  const carried = yield* particlesLoo(units, settings, budget);
  if (!carried) return failure;
  const found = ofImportanceDraws(carried, "particles");
  const unresolved = [...found.paretoK.keys()].filter((i) => !(found.paretoK[i] <= found.goodK));
  const weighted = () => drawsOf(carried, first, symmetriesFor(units, settings, budget));
  return { ...found, unresolved, evidence: carried.evidence, weighted };
}

/** Particles with as many images as labels and signs leave them. */
function drawsOf(
  { weighted }: ParticleEstimate,
  density: PointwiseDensity,
  symmetries: readonly Symmetry[],
): ImportanceDraws {
  const folded = foldedParticles(density, weighted, symmetries);
  const complete = symmetries.length > 0 && { complete: unfolding(symmetries) };
  const effective = worthOf(folded, density.dimension);
  return { density, ...folded, effective, several: true, ...complete };
}

/** Whether there is a field that has not been tried; its draws do not estimate gains of cells. */
function hasField({ logCells }: PointwiseDensity, { field }: ElpdSettings): boolean {
  return field?.first === false && !logCells;
}

/**
 * Whether nearly half of the observations have parameters of their own: without such an observation its parameters
 * follow the prior, so that each would have to be refitted, and bridges to the posterior would be long.
 */
function isSaturated({ bad, psis: { observations } }: Estimate): boolean {
  return 2 * bad.length >= observations;
}

function* ofField(
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Omit<ElpdEstimate, "gradients"> | undefined> {
  const found = yield* fieldLoo(settings.field!, settings, budget);
  return found && ofImportanceDraws(found, "field");
}

/** Density that draws are weighted for: a posterior, or the one without its latents. */
type Target = PointwiseLikelihood & Partial<Pick<MarginalPosterior, "project">>;

/** A method to weight draws. */
type Weighting = (
  target: Target,
  goal: ElpdSettings & ImportanceGoal,
  budget: GradientBudget,
) => Generator<void, ImportanceEstimate | undefined>;

/**
 * From importance draws: latents that observations have for themselves, or of which they see several elements, are
 * integrated out; those that they share only if it does not work with them.
 */
function* byWeights(
  density: PointwiseDensity,
  units: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  weighting: Weighting,
): Generator<void, Omit<ElpdEstimate, "gradients"> | undefined> {
  const shares = sharesLatents(units);
  if (!integratesFirst(units)) {
    const { symmetries } = settings;
    const images = () => symmetries?.().flatMap(({ elements }) => elements) ?? [];
    const found = yield* weighting(units, { ...settings, images }, budget);
    if (found) return withDraws(ofImportanceDraws(found, "importance"), found, density);
    if (!shares) return undefined;
  }
  const seedKey = shares ? [...settings.seedKey, "integrated"] : settings.seedKey;
  const limit = Math.min(budget.limit, budget.used + mostIntegralEvaluations(settings));
  const allowance = { used: budget.used, limit };
  const marginal = marginalPosterior(units);
  const found = yield* weighting(marginal, { ...settings, seedKey }, allowance);
  budget.used = allowance.used;
  const complete = marginal.complete;
  return found &&
    withDraws(ofImportanceDraws(found, "integrated_importance"), found, density, complete);
}

/** Where labels or signs are exchangeable: from one of the images that modes have of one another. */
function* ofOneImage(
  first: PointwiseDensity,
  units: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Omit<ElpdEstimate, "gradients"> | undefined> {
  const symmetries = symmetriesFor(units, settings, budget);
  if (symmetries.length === 0) return undefined;
  const found = yield* foldedImportance(units, symmetries, settings, budget);
  if (!found) return undefined;
  const estimate = ofImportanceDraws(found, "importance");
  return withDraws(estimate, found, first, unfolding(symmetries), symmetries.length);
}

/** Maps that leave a small posterior as it is. */
function symmetriesFor(
  units: PointwiseDensity,
  { symmetries, seedKey }: ElpdSettings,
  budget: GradientBudget,
): readonly Symmetry[] {
  if (!symmetries || units.dimension > thresholds.maxImportanceDimension) return [];
  return symmetriesOf(units, symmetries(), [...seedKey, "symmetries"], budget);
}

/** The estimate with the draws that it is made of. */
function withDraws(
  estimate: Omit<ElpdEstimate, "gradients">,
  { weighted, effective, modes = 1 }: ImportanceEstimate,
  density: PointwiseDensity,
  complete?: ImportanceDraws["complete"],
  images: number = 0,
): Omit<ElpdEstimate, "gradients"> {
  const { positions, logWeights } = weighted!;
  const several = modes > 1 || images > 0;
  const own = { density, positions, logWeights, effective, several, ...(complete && { complete }) };
  return { ...estimate, evidence: evidenceOfWeights(logWeights, images), weighted: () => own };
}

/** Refits without a group are expensive, and its effect is in the neck of a funnel then. */
function mostIntegralEvaluations({ unitOfRow }: ElpdSettings): number {
  if (!unitOfRow) return maxIntegralEvaluations;
  return Math.max(maxIntegralEvaluations, Math.floor(maxIntegralRows / unitOfRow.length));
}

/**
 * Chains of a posterior as `elpdLoo` would draw them, for callers that need draws and not their
 * weights; or why there are none.
 */
export function* sampleForDraws(
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, SampledChains | SamplingFailure | NumericFailure> {
  const anyError = { ...settings, targetMcse: Infinity };
  const found = yield* sampleMixed(first, settings, budget, other);
  if (found.kind !== "chains") return found;
  const drawn = yield* drawWithoutDivergences(found, first, anyError, budget, other);
  return "kind" in drawn ? drawn : drawn.sampled;
}

/**
 * The last part of `elpdLoo`: draws mixed chains on, and replaces terms that they cannot estimate.
 *
 * @param usedBefore gradients of the budget that others have used.
 * @param first the first parametrisation, and how to make the other one.
 */
export function* elpdOfChains(
  found: MixedChains<PointwiseDensity>,
  settings: ElpdSettings,
  budget: GradientBudget,
  usedBefore: number,
  first: PointwiseDensity = found.density,
  other?: () => PointwiseDensity,
): Generator<void, ElpdResult> {
  const drawn = yield* drawWithoutDivergences(found, first, settings, budget, other);
  if ("kind" in drawn) return drawn;
  const refitted = yield* replaceUnreliable(drawn.units, drawn.estimate, settings, budget);
  return assemble(drawn, refitted, budget.used - usedBefore);
}

function ofImportanceDraws(
  found: Omit<ImportanceEstimate, "weighted" | "effective">,
  method: LooMethod,
): Omit<ElpdEstimate, "gradients"> {
  const { pointwise, lppd, raw, mcse, shapes, draws, gains, distant = [] } = found;
  return {
    kind: "ok",
    method,
    ...totals(pointwise, lppd),
    elpdRaw: raw,
    mcse,
    elpdPointwise: pointwise,
    ...(gains && { gains }),
    paretoK: shapes,
    goodK: goodParetoK(draws),
    exactRefits: distant,
    unresolved: [],
    draws,
  };
}

function ofClosedForm(estimate: ClosedFormEstimate): Omit<ElpdEstimate, "gradients"> {
  if (estimate.kind === "importance") {
    const evidence = evidenceOfWeights(estimate.found.weighted!.logWeights);
    return { ...ofImportanceDraws(estimate.found, "gaussian_importance"), evidence };
  }
  const { pointwise, lppd, error: mcse, points: draws, gains, evidence } = estimate.found;
  // Nothing was drawn that could have a tail.
  const shapes = new Float64Array(pointwise.length);
  const sums = totals(pointwise, lppd);
  const raw = sums.elpdLoo;
  return {
    ...ofImportanceDraws(
      { pointwise, lppd, raw, mcse, shapes, draws, ...(gains && { gains }) },
      "gaussian",
    ),
    goodK: thresholds.maxGoodK,
    ...(evidence && { evidence }),
  };
}

function assemble(
  { units, estimate, sampled }: DrawnChains,
  refitted: Refitted,
  gradients: number,
): ElpdEstimate | NumericFailure {
  const { psis, full } = estimate;
  const raw = sampled.integrated ? plainPsis(units, sampled.chainSet) : sampled.psis;
  const sums = totals(refitted.pointwise, psis.lppdPointwise);
  if (!(Math.abs(sums.elpdLoo) < Infinity)) {
    return { kind: "numeric", reason: "a pointwise predictive density is not finite" };
  }
  return {
    kind: "ok",
    method: methodOf(refitted, full.density !== units),
    ...sums,
    elpdRaw: raw.elpdLoo,
    mcse: refitted.mcse,
    elpdPointwise: refitted.pointwise,
    ...(refitted.gains && { gains: refitted.gains }),
    paretoK: psis.paretoK,
    goodK: psis.goodK,
    exactRefits: refitted.done,
    unresolved: refitted.left,
    gradients,
    draws: sampled.chainSet.draws,
    sampled,
  };
}

function methodOf(
  { done, mixture }: Refitted,
  integrated: boolean,
): LooMethod {
  if (mixture) return "mixture";
  const smoothed = integrated ? "integrated" : "psis";
  return done.length > 0 ? `${smoothed}_refit` : smoothed;
}
