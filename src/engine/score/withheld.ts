/** ELPD of withheld rows: the program over all of them, of which those that were kept are observed. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import {
  exp,
  log,
  type LogDensity,
  logSumExp,
  type PointwiseDensity,
} from "../../numerics/math/mod.ts";
import { isJoint } from "../inference/density/assemble.ts";
import { compileLogDensity } from "../inference/density/compile.ts";
import { closedFormChoice } from "../inference/gaussian/choice.ts";
import { essMean } from "../inference/mcmc/diagnostics.ts";
import { columnsOf } from "../inference/predict/draws.ts";
import { rowLatent } from "../inference/predict/row_latent.ts";
import { type Averaged, averaged, heaviestOf } from "../loo/closed_form.ts";
import { sampleMixed } from "../loo/mixed_chains.ts";
import { tailShape } from "../loo/tail_shape.ts";
import { thresholds } from "../loo/thresholds.ts";
import { canIntegrate, sharesLatents } from "../loo/units.ts";
import {
  type RowsGiven,
  RowsOfDensity,
  RowsOfLatents,
  WithheldRows,
  writeRows,
} from "../loo/withheld.ts";
import type { Schedule } from "./execution/execution.ts";
import { failureDiagnostic } from "./execution/failure.ts";
import { parametrisations, seedKey } from "./fit.ts";
import type { WholeProgram } from "./whole_program.ts";

/** Integrands, each an average over latents, before the next method is tried. A round number: as where groups are left out. */
const mostIntegrals = 8000;

/** log p(y_i | kept rows) of withheld rows `[rows]`, and the Monte Carlo error of their sum. */
interface WithheldElpd {
  readonly kind: "ok";
  readonly pointwise: Float64Array;
  readonly mcse: number;
}

/** That, or why it is not known. */
export type WithheldResult =
  | WithheldElpd
  | { readonly kind: "none"; readonly diagnostic: Diagnostic };

type Whole = Extract<WholeProgram, { kind: "whole" }>;

/**
 * The posterior is that of the program over all rows, of which only those that were kept are observed; each withheld
 * row has its predictive density under it: by integrals, or by chains of their own.
 */
export function* elpdOfWithheldField(
  whole: WholeProgram,
  schedule: Schedule,
): Generator<void, WithheldResult> {
  if (whole.kind === "none") return whole;
  const found = yield* withheldByIntegrals(whole, schedule);
  if (found) return found;
  if (isJoint(whole.program)) return none("too much is left beside its one normal vector");
  return yield* byChains(whole, schedule);
}

/**
 * Linear-Gaussian programs have densities of withheld rows in closed form given few coordinates, rows with an effect
 * each by one-dimensional integrals, others as they are. These are averaged over the coordinates that are left, by
 * quadrature or importance draws, which know their error. `undefined` where none of it works.
 */
export function* withheldByIntegrals(
  whole: Whole,
  schedule: Schedule,
): Generator<void, WithheldElpd | undefined> {
  for (const make of [closedForm, ofLatents, ofDensity]) {
    const given = make(whole);
    if (!given) continue;
    const { program, dataset, withheld } = whole;
    const key = [...seedKey(program, dataset, schedule), "withheld"];
    const limit = make === ofLatents ? mostIntegrals : schedule.maxGradients;
    const rows = new WithheldRows(given, withheld.length);
    const goal = { ...schedule, seedKey: key };
    const found = yield* averaged(rows, goal, {
      used: 0,
      limit: Math.min(limit, schedule.maxGradients),
    });
    if (!found) continue;
    const pointwise = found.found.pointwise.map((one) => -one);
    const mcse = found.kind === "quadrature" ? found.found.error : found.found.mcse;
    if (!pointwise.every(Number.isFinite)) continue;
    const further = errorOfTerms(given, found);
    return { kind: "ok", pointwise, mcse: Math.sqrt(mcse * mcse + further * further) };
  }
  return undefined;
}

/** Error of the integrals at the position that counts most. */
function errorOfTerms(given: RowsGiven, found: Averaged<WithheldRows>): number {
  const position = heaviestOf(found);
  if (given.error === undefined || !position) return 0;
  given.at(position, 0);
  return given.error;
}

function closedForm({ program, dataset, withheld }: Whole): RowsGiven | undefined {
  const posterior = closedFormChoice(program, dataset, undefined, undefined, withheld.length)
    ?.posterior();
  if (!posterior) return undefined;
  const { dimension, startingRegion } = posterior;
  const at: RowsGiven["at"] = (position, offset) => posterior.withheld(position, offset, withheld);
  return { dimension, startingRegion, at };
}

function ofLatents({ program, dataset, withheld }: Whole): RowsGiven | undefined {
  const latent = isJoint(program) ? undefined : rowLatent(program, columnsOf(dataset));
  if (!latent) return undefined;
  const density = compileLogDensity(program, dataset, { latent });
  const few = canIntegrate(density) || sharesLatents(density);
  return few ? new RowsOfLatents(density, withheld) : undefined;
}

function ofDensity({ program, dataset, withheld }: Whole): RowsGiven | undefined {
  if (isJoint(program)) return undefined;
  const density = compileLogDensity(program, dataset);
  const { dimension, factorises } = density;
  const fits = factorises !== false && dimension <= thresholds.maxImportanceDimension;
  return fits ? new RowsOfDensity(density, withheld) : undefined;
}

/** A posterior without some rows, and the one with all, which has their likelihoods. */
interface WithoutRows extends LogDensity {
  readonly whole: PointwiseDensity;
}

function* byChains(
  { program, dataset, withheld }: Whole,
  schedule: Schedule,
): Generator<void, WithheldResult> {
  const [first, other] = parametrisations(program).map((one) => (): WithoutRows => {
    const whole = compileLogDensity(one, dataset);
    return Object.assign(whole.without(withheld), { whole });
  });
  const density = first();
  if (density.whole.factorises === false) return none("variables that rows share are summed out");
  const seeds = [...seedKey(program, dataset, schedule), "withheld"];
  const budget = { used: 0, limit: schedule.maxGradients };
  const found = yield* sampleMixed(density, { ...schedule, seedKey: seeds }, budget, other);
  if (found.kind !== "chains") return none(failureDiagnostic(found, schedule).message);
  const { chains, draws, dimension, positions } = found.chainSet;
  const { whole } = found.density;
  const own = new Float64Array(whole.observations);
  const logs = withheld.map(() => new Float64Array(chains * draws));
  for (let s = 0; s < chains * draws; s++) {
    writeRows(whole, positions.subarray(s * dimension, (s + 1) * dimension), own);
    withheld.forEach((row, k) => logs[k][s] = own[row]);
  }
  return meanOverDraws(logs, { chains }, schedule);
}

/** How draws came about. */
interface DrawsOfRows {
  readonly chains: number;
  /** Effective number of draws, of draws that were resampled by weights. */
  readonly effective?: number | undefined;
}

/**
 * The mean density of each row over draws, from log densities `[rows][draws]`. Not known where few draws are all of a
 * mean, or where the error is larger than a score's may be.
 */
export function meanOverDraws(
  logs: readonly Float64Array[],
  { chains, effective }: DrawsOfRows,
  { maxMcse }: Pick<Schedule, "maxMcse">,
): WithheldResult {
  const pointwise = Float64Array.from(logs, (one) => logSumExp(one) - log(one.length));
  if (!pointwise.every(Number.isFinite)) return none("their densities are not finite");
  const draws = logs[0]?.length ?? 0;
  const influence = new Float64Array(draws);
  let worst = 0;
  logs.forEach((one, i) => {
    const ratios = one.map((value) => exp(value - pointwise[i]));
    worst = Math.max(worst, tailShape(ratios));
    ratios.forEach((ratio, s) => influence[s] += ratio - 1);
  });
  const variance = influence.reduce((sum, one) => sum + one * one, 0) / (draws - 1);
  const mcse = Math.sqrt(variance / (effective ?? essMean(influence, chains)));
  if (!(worst <= thresholds.maxTailShape)) return none("few draws decide about one of them");
  if (!(mcse <= maxMcse)) return none(`their ELPD has an error of ${mcse.toFixed(2)} nats`);
  return { kind: "ok", pointwise, mcse };
}

function none(why: string): WithheldResult {
  const message = `Cannot predict the withheld rows: ${why}`;
  return { kind: "none", diagnostic: { code: "predict/rows", severity: "warning", message } };
}
