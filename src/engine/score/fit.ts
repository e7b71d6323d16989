/** A checked program fitted to its data: compiled, sampled and cross-validated. */
import type { Dataset } from "../../base/dataset.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { compileLogDensity } from "../inference/density/compile.ts";
import { nonCentred } from "../inference/density/non_centred.ts";
import { observationsOf } from "../inference/density/assemble.ts";
import { closedFormChoice } from "../inference/gaussian/choice.ts";
import { fieldChoice } from "../inference/gaussian/field_choice.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import {
  type ElpdEstimate,
  elpdLoo,
  type ElpdSettings,
  type SampledChains,
  sampleForDraws,
} from "../loo/elpd.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import { type ClosedFormEstimate, remainingDraws } from "../loo/closed_form.ts";
import { emptyChainSet } from "../inference/mcmc/chain_set.ts";
import { agree, resampledSet } from "../loo/resampled_set.ts";
import { columnsOf } from "../inference/predict/draws.ts";
import { type RowLatent, rowLatent } from "../inference/predict/row_latent.ts";
import type { Schedule } from "./execution/execution.ts";
import { failureDiagnostic } from "./execution/failure.ts";
import { AntitheticStream } from "./antithetic_stream.ts";
import { symmetryCandidates } from "./symmetry_candidates.ts";
import { futureElpd } from "./future.ts";
import { futureUnits, type Units, unitsOf } from "./execution/units.ts";
import { streamName } from "./version.ts";

/** A posterior with cross-validation, and chains where that needed some. */
export interface Fit {
  /** Discriminates a fit from a failure. */
  readonly kind: "fit";
  readonly program: CheckedProgram;
  readonly dataset: Dataset;
  /** Units that were left out, each at once. */
  readonly units: Units;
  readonly estimate: ElpdEstimate;
}

/** Draws of a posterior: chains, or draws that are independent of one another. */
type Draws =
  & Pick<SampledChains, "density" | "chainSet">
  & Partial<Pick<SampledChains, "psis">>
  & {
    /** Effective number of draws, of draws that were resampled by weights. */
    readonly effective?: number;
  };

/** A fit with draws of its posterior. */
export interface SampledFit extends Fit {
  readonly sampled: Draws;
  /** The parameter with an element for each row that was integrated out, if there is one. */
  readonly latent?: number;
}

/** Why a checked program could not be fitted. */
export interface FitFailure {
  readonly kind: "failure";
  readonly diagnostic: Diagnostic;
}

/** Pointwise log likelihoods of all draws; cross-validation keeps two arrays of that length. */
const maxCells = 2e7;

function tooMany(rows: number, cells: number): Diagnostic {
  return {
    code: "budget/rows",
    severity: "error",
    message: `Cannot cross-validate ${rows} rows: they and the draws make ${cells} likelihoods, ` +
      `more than ${maxCells}`,
    hint: "score a sample of the rows, or fewer draws",
  };
}

/** The key of the random streams of a program on a data set. */
export function seedKey(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
): readonly (string | number)[] {
  return ["score", program.hash, dataset.digest, streamName, schedule.seed];
}

/**
 * The program, and its hierarchies non-centred, if it has some that are centred. A hierarchy of single rows
 * is tried non-centred first: one datum has too little information about an effect to fill the neck of its
 * funnel, and centred chains that do not reach the neck look as if they had mixed.
 */
export function parametrisations(
  program: CheckedProgram,
  latent?: RowLatent,
): readonly CheckedProgram[] {
  const other = nonCentred(program);
  if (!other) return [program];
  const ofRows = latent && new Set(latent.elementOfRow).size === latent.elementOfRow.length;
  return ofRows ? [other, program] : [program, other];
}

/** A program and its data, as cross-validation takes them. */
interface Prepared {
  readonly units: Units;
  readonly first: () => PointwiseDensity;
  readonly other: (() => PointwiseDensity) | undefined;
  readonly settings: ElpdSettings;
}

function prepare(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
): Prepared | FitFailure {
  const units = schedule.time ? futureUnits : unitsOf(dataset, schedule.unit);
  const refused = units.diagnostics.find(({ severity }) => severity === "error");
  if (refused) return { kind: "failure", diagnostic: refused };
  const latent = rowLatent(program, columnsOf(dataset));
  const [first, other] = parametrisations(program, latent).map((one) => {
    let made: PointwiseDensity | undefined;
    return () => made ??= compileLogDensity(one, dataset, { latent, unitOfRow: units.unitOfRow });
  });
  const { chains, tune, draws, targetMcse } = schedule;
  const observations = observationsOf(program);
  const cells = observations * chains * draws;
  if (cells > maxCells) return { kind: "failure", diagnostic: tooMany(observations, cells) };
  const closedForm = closedFormChoice(program, dataset, latent?.elementOfRow, units.unitOfRow);
  const field = units.unitOfRow ? undefined : fieldChoice(program, dataset, latent?.elementOfRow);
  const settings = {
    ...(closedForm && { closedForm }),
    ...(field && { field }),
    symmetries: () => symmetryCandidates(parametrisations(program, latent)[0]),
    chains,
    tune,
    draws,
    targetMcse,
    seedKey: seedKey(program, dataset, schedule),
    ...(units.unitOfRow ? { unitOfRow: units.unitOfRow } : {}),
  };
  return { units, first, other, settings };
}

/** Fits a program within the schedule's budget of gradients. Yields every few dozen gradients. */
export function* fitChecked(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
): Generator<void, Fit | FitFailure> {
  const prepared = prepare(program, dataset, schedule);
  if ("kind" in prepared) return prepared;
  const { units, first, other, settings } = prepared;
  const budget = { used: 0, limit: schedule.maxGradients };
  const estimate = schedule.time
    ? yield* futureElpd(program, dataset, schedule, settings.seedKey, budget)
    : yield* elpdLoo(first, settings, budget, other);
  if (estimate.kind !== "ok") {
    return { kind: "failure", diagnostic: failureDiagnostic(estimate, schedule) };
  }
  return { kind: "fit", program, dataset, units, estimate };
}

/**
 * The fit with draws: chains, drawn within a budget of their own where it has none. Where chains do not mix, or
 * keep to fewer modes than the importance draws that made the score, these are resampled.
 */
export function* withChains(
  fit: Fit,
  schedule: Schedule,
): Generator<void, SampledFit | FitFailure> {
  const { program, dataset, estimate } = fit;
  const independent = estimate.closedForm && independentDraws(fit, estimate.closedForm, schedule);
  if (independent) return { ...fit, sampled: independent };
  const weighted = estimate.weighted?.();
  const stream = (what: string) => new RandomStream(...seedKey(program, dataset, schedule), what);
  const drawn = () =>
    weighted &&
    resampledSet(weighted, schedule, stream("importance draws"), fit.units.unitOfRow);
  const first = weighted?.several ? drawn() : undefined;
  if (first) return { ...fit, sampled: first };
  const sampled = estimate.sampled ?? (yield* chainsFor(fit, schedule));
  const isSound = !("diagnostic" in sampled) &&
    (!weighted || agree(sampled, weighted, stream("agreement")));
  const last = isSound ? undefined : drawn();
  if (last) return { ...fit, sampled: last };
  if ("diagnostic" in sampled) return sampled;
  const latent = sampled.integrated ? rowLatent(program, columnsOf(dataset)) : undefined;
  return { ...fit, sampled, ...(latent ? { latent: latent.parameter } : {}) };
}

/**
 * Draws of what is left, and of linear latents given it and the data: there is nothing to mix. `undefined` where they
 * do not have the moments in closed form: chains are drawn then.
 */
function independentDraws(
  { program, dataset }: Fit,
  estimate: ClosedFormEstimate,
  schedule: Schedule,
): Draws | undefined {
  const { chains, draws } = schedule;
  const { posterior } = estimate;
  const key = seedKey(program, dataset, schedule);
  const count = chains * draws;
  const remaining = remainingDraws(estimate, count, new RandomStream(...key, "closed form draws"));
  if (!remaining) return undefined;
  const density = compileLogDensity(program, dataset);
  const { dimension } = density;
  const chainSet = emptyChainSet(chains, draws, dimension);
  const gradient = new Float64Array(dimension);
  const random = new AntitheticStream(...key, "latents");
  for (let s = 0; s < count; s++) {
    const at = s * dimension;
    random.begin();
    posterior.drawWhole(remaining, s * posterior.dimension, random, chainSet.positions, at);
    chainSet.logDensities[s] = density.valueAlone?.(chainSet.positions, at) ??
      density.logDensity(chainSet.positions.subarray(at, at + dimension), gradient, 0);
  }
  return posterior.drawsAgree() ? { density, chainSet } : undefined;
}

function* chainsFor(
  { program, dataset }: Fit,
  schedule: Schedule,
): Generator<void, SampledChains | FitFailure> {
  const prepared = prepare(program, dataset, schedule);
  if ("kind" in prepared) return prepared;
  const { first, other, settings } = prepared;
  const budget = { used: 0, limit: schedule.maxGradients };
  const found = yield* sampleForDraws(first(), settings, budget, other);
  return "kind" in found
    ? { kind: "failure", diagnostic: failureDiagnostic(found, schedule) }
    : found;
}
