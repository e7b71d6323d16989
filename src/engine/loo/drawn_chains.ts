/** Chains of a posterior, drawn on until their error is small enough, and their estimates. */
import type { GradientBudget, SamplingFailure } from "../inference/mcmc/budget.ts";
import { type ChainSet, countDivergences } from "../inference/mcmc/chain_set.ts";
import { continueChains } from "../inference/mcmc/sample_chains.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import type { ClosedFormChoice } from "./closed_form.ts";
import { type Estimate, estimateElpd } from "./estimate.ts";
import type { FieldChoice } from "./field.ts";
import { integratedPosterior } from "./integrated.ts";
import { drawsFor, SequentialError } from "./sequential_error.ts";
import type { ChainSchedule, MixedChains } from "./mixed_chains.ts";
import { fitsMixture, isUnreliable } from "./mixture.ts";
import { notMixed, type NumericFailure } from "./not_mixed.ts";
import { mixing, pointwiseLogLikelihood, relativeEfficiency } from "./posterior.ts";
import { type PsisLoo, psisLoo } from "./psis.ts";
import { rhatOfFewDraws } from "./rhat_limits.ts";
import { reserveFor } from "./refits.ts";
import { projected, sharedCoordinates } from "./shared_coordinates.ts";
import type { SymmetryCandidate } from "./symmetries.ts";
import { canIntegrate, crossesLatents, sharesLatents, unitPosterior } from "./units.ts";
import { thresholds } from "./thresholds.ts";

/** Pointwise log likelihoods up to which either goes on. 160 megabytes of memory. */
const maxCellsForRhat = 2e7;

/**
 * Draws per chain up to which chains that have not mixed are drawn on. A round number: four of
 * Stan's default runs.
 */
const maxDrawsToMix = 4000;

/**
 * Draws per chain up to which drawing goes on for that. Stan's default number of draws per
 * chain.
 */
const maxDrawsForRhat = 1000;

/** How a posterior is cross-validated. */
export interface ElpdSettings extends ChainSchedule {
  /** Monte Carlo standard error of the total, nats, above which drawing goes on. */
  readonly targetMcse: number;
  /** The unit 0, 1, … of every row, if whole groups are left out and not rows. */
  readonly unitOfRow?: ArrayLike<number>;
  /** The posterior without its linear latents, if it has some. */
  readonly closedForm?: ClosedFormChoice;
  /** Maps that the posterior may be symmetric under, smaller groups first. */
  readonly symmetries?: () => readonly SymmetryCandidate[];
  /** The posterior beside normal latents of a response that is not normal, if it has some. */
  readonly field?: FieldChoice;
}

/** Chains that have mixed, and their smoothed importance sampling. */
export interface SampledChains {
  /** The parametrisation of the posterior that was sampled. */
  readonly density: PointwiseDensity;
  /** The draws. */
  readonly chainSet: ChainSet;
  /** Weights and influences of the draws. */
  readonly psis: PsisLoo;
  /** Whether each observation's own latent was integrated out of the likelihoods behind `psis`. */
  readonly integrated: boolean;
  /** Largest split R-hat of the unconstrained coordinates. */
  readonly rhatMax: number;
  /** Smallest bulk effective sample size of the coordinates. */
  readonly essBulkMin: number;
  /** Draws whose transition diverged. */
  readonly divergences: number;
}

/** Chains of a posterior, and their estimate before any of it is replaced. */
export interface DrawnChains {
  readonly units: PointwiseDensity;
  readonly estimate: Estimate;
  readonly sampled: SampledChains;
}

/** Why there are no chains. */
type ChainFailure = SamplingFailure | NumericFailure;

/** Input of drawing on chains. */
interface Drawing {
  readonly units: PointwiseDensity;
  readonly settings: ElpdSettings;
  readonly budget: GradientBudget;
}

/**
 * Draws chains on until their error is small, or not to be made smaller. Latents that observations
 * have for themselves are integrated out; those that they share, where observations are influential or see several.
 */
export function* drawEnough(
  found: MixedChains<PointwiseDensity>,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, DrawnChains | ChainFailure> {
  const units = unitPosterior(found.density, settings.unitOfRow);
  const drawing = { units, settings, budget };
  const first = yield* drawOn(found, drawing, canIntegrate(units));
  if ("kind" in first || !asks(drawing, first.estimate)) return first;
  const { chainSet } = first.sampled;
  const second = yield* drawOn({ ...found, chainSet }, drawing, true);
  if ("kind" in second) return second;
  const helps = crossesLatents(units) ||
    second.estimate.bad.length <= first.estimate.bad.length;
  return helps ? forRows(second) : first;
}

/** Whether latents that observations share have to be integrated out. */
function asks({ units, settings }: Drawing, estimate: Estimate): boolean {
  return settings.targetMcse < Infinity && sharesLatents(units) &&
    (crossesLatents(units) || isUnreliable(estimate));
}

/** Weights of single draws are those of the likelihoods as they stand: latents are draws there. */
function forRows(drawn: DrawnChains): DrawnChains {
  const { units, sampled } = drawn;
  const psis = plainPsis(units, sampled.chainSet);
  return { ...drawn, sampled: { ...sampled, psis, integrated: false } };
}

function* drawOn(
  { density, chainSet }: MixedChains<PointwiseDensity>,
  drawing: Drawing,
  integrated: boolean,
): Generator<void, DrawnChains | ChainFailure> {
  const { units, budget } = drawing;
  let set = chainSet;
  let mixed = mixing(set);
  let estimate = estimateElpd(integrated ? integratedPosterior(units, set) : units, set);
  const error = new SequentialError();
  for (;;) {
    const mcse = error.errorAfter(set.draws, estimate.mcse);
    estimate = { ...estimate, mcse };
    const draws = moreDraws(set, estimate, drawing);
    if (draws === 0) break;
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind === "budget" && mixed.rhatMax <= thresholds.mixedRhat) break;
    if (longer.kind !== "chains") return longer;
    set = longer.chainSet;
    mixed = mixing(set);
    estimate = estimateElpd(estimate.full.density, set, estimate.full);
  }
  if (!(mixed.rhatMax <= thresholds.mixedRhat)) return notMixed(set, mixed);
  const { psis } = estimate;
  const { rhatMax, essBulkMin } = mixed;
  const divergences = countDivergences(set);
  const sampled = { density, chainSet: set, psis, integrated, rhatMax, essBulkMin, divergences };
  return { units, estimate, sampled };
}

/** PSIS-LOO of the likelihood as it stands. */
export function plainPsis(density: PointwiseDensity, set: ChainSet): PsisLoo {
  const logLikelihood = pointwiseLogLikelihood(density, set);
  const rEff = relativeEfficiency(density, set);
  return psisLoo(logLikelihood, set.chains * set.draws, density.observations, rEff);
}

/** Whether draws of a mixture are to replace the estimate of these draws. */
export function wantsMixture(units: PointwiseDensity, estimate: Estimate): boolean {
  return estimate.full.density === units && isUnreliable(estimate) && fitsMixture(estimate);
}

/** Draws per chain to go on to; 0 to stop. */
function moreDraws(set: ChainSet, estimate: Estimate, drawing: Drawing): number {
  const { units, settings, budget } = drawing;
  const mixed = mixing(set);
  const { mcse, psis, full } = estimate;
  // The estimator that replaces these chains judges its own, or goes on from these.
  const replaced = wantsMixture(units, estimate) ||
    full.density === units && asks(drawing, estimate);
  if (replaced && mixed.rhatMax <= thresholds.mixedRhat) return 0;
  const draws = Math.max(
    drawsToMix(set, estimate, drawing),
    drawsFor(set, mcse, settings.targetMcse, psis.observations),
  );
  // Upper bound: the cost per draw so far includes tuning.
  const cost = set.gradientEvaluations * (draws - set.draws) / set.draws;
  const kept = reserveFor(estimate, settings.draws, budget);
  return draws > 0 && budget.used + cost <= budget.limit - kept ? draws : 0;
}

/** Twice the draws, or 0 if R-hat does not ask for them or they are too many. */
function drawsToMix(set: ChainSet, { full, psis }: Estimate, drawing: Drawing): number {
  const isMixed = mixing(set).rhatMax <= thresholds.mixedRhat;
  if (isMixed && mixesWell(full.density === drawing.units ? set : whatMatters(set, drawing))) {
    return 0;
  }
  const fit = maxCellsForRhat / set.chains / psis.observations;
  const most = Math.min(isMixed ? maxDrawsForRhat : maxDrawsToMix, fit);
  return 2 * set.draws <= most ? 2 * set.draws : 0;
}

function mixesWell(set: ChainSet): boolean {
  return mixing(set).rhatMax <= rhatOfFewDraws(thresholds.goodRhat, set.dimension);
}

/** Draws without the latents that are integrated out, unless draws are all that is asked for. */
function whatMatters(set: ChainSet, { units, settings }: Drawing): ChainSet {
  const { latents, dimension } = units;
  if (!latents || settings.targetMcse === Infinity) return set;
  return { ...set, ...projected(set, sharedCoordinates(latents, dimension)) };
}
