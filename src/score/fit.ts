/** A checked program fitted to its data: compiled, sampled and cross-validated. */
import type { Dataset } from "../base/dataset.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { compileLogDensity } from "../density/compile.ts";
import { nonCentred } from "../density/non_centred.ts";
import type { CheckedProgram } from "../graph/program.ts";
import { type ElpdEstimate, elpdLoo } from "../loo/elpd.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import { columnsOf } from "../predict/draws.ts";
import { type RowLatent, rowLatent } from "../predict/row_latent.ts";
import type { Schedule } from "./execution.ts";
import { failureDiagnostic } from "./failure.ts";
import { type Units, unitsOf } from "./units.ts";
import { engineVersion } from "./version.ts";

/** A posterior with draws and cross-validation. */
export interface Fit {
  /** Tells a fit from a failure. */
  readonly kind: "fit";
  readonly program: CheckedProgram;
  readonly dataset: Dataset;
  readonly density: PointwiseDensity;
  /** What was left out at once. */
  readonly units: Units;
  readonly estimate: ElpdEstimate;
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
  return ["score", program.hash, dataset.digest, engineVersion, schedule.seed];
}

/**
 * The program, and its hierarchies non-centred, if it has some that are centred. A hierarchy of
 * single rows is tried non-centred first: one datum says too little of an effect to fill the neck of
 * its funnel, and centred chains that do not reach the neck look as if they had mixed.
 */
function spellings(program: CheckedProgram, latent?: RowLatent): readonly CheckedProgram[] {
  const other = nonCentred(program);
  if (!other) return [program];
  const ofRows = latent && new Set(latent.elementOfRow).size === latent.elementOfRow.length;
  return ofRows ? [other, program] : [program, other];
}

/** Fits a program within the schedule's budget of gradients. Yields every few dozen gradients. */
export function* fitChecked(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
): Generator<void, Fit | FitFailure> {
  const units = unitsOf(dataset, schedule.unit);
  const refused = units.diagnostics.find(({ severity }) => severity === "error");
  if (refused) return { kind: "failure", diagnostic: refused };
  const latent = rowLatent(program, columnsOf(dataset));
  const [first, other] = spellings(program, latent).map((one) => () =>
    compileLogDensity(one, dataset, { latent, unitOfRow: units.unitOfRow })
  );
  const density = first();
  const { chains, tune, draws, targetMcse } = schedule;
  const cells = density.observations * chains * draws;
  if (cells > maxCells) {
    return { kind: "failure", diagnostic: tooMany(density.observations, cells) };
  }
  const settings = {
    ...{ chains, tune, draws, targetMcse, seedKey: seedKey(program, dataset, schedule) },
    ...(units.unitOfRow ? { unitOfRow: units.unitOfRow } : {}),
  };
  const budget = { used: 0, limit: schedule.maxGradients };
  const estimate = yield* elpdLoo(density, settings, budget, other);
  if (estimate.kind !== "ok") {
    return { kind: "failure", diagnostic: failureDiagnostic(estimate, schedule) };
  }
  const integrated = latent && estimate.method.startsWith("integrated");
  const fit = {
    kind: "fit",
    program,
    dataset,
    density: estimate.density,
    units,
    estimate,
  } as const;
  return integrated ? { ...fit, latent: latent.parameter } : fit;
}
