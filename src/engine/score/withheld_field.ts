/** ELPD of withheld rows under walks, processes and other fields over rows: the program over all of them. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { log, type LogDensity, logSumExp, type PointwiseDensity } from "../../numerics/math/mod.ts";
import { isJoint } from "../inference/density/assemble.ts";
import { compileLogDensity } from "../inference/density/compile.ts";
import { closedFormChoice } from "../inference/gaussian/choice.ts";
import { WithheldRows } from "../inference/gaussian/withheld_rows.ts";
import { averaged } from "../loo/closed_form.ts";
import { sampleMixed } from "../loo/mixed_chains.ts";
import type { Schedule } from "./execution/execution.ts";
import { failureDiagnostic } from "./execution/failure.ts";
import { parametrisations, seedKey } from "./fit.ts";
import type { WholeProgram } from "./whole_program.ts";

/** log p(y_i | kept rows) of withheld rows `[rows]`, or why it is not known. */
type HeldOutField =
  | { readonly kind: "ok"; readonly pointwise: Float64Array }
  | { readonly kind: "none"; readonly diagnostic: Diagnostic };

type Whole = Extract<WholeProgram, { kind: "whole" }>;

/**
 * The posterior is that of the program over all rows, of which only those that were kept are observed; each withheld
 * row has its predictive density under it. Linear-Gaussian programs have it in closed form, others by chains.
 */
export function* elpdOfWithheldField(
  whole: WholeProgram,
  schedule: Schedule,
): Generator<void, HeldOutField> {
  if (whole.kind === "none") return whole;
  const pointwise = yield* inClosedForm(whole, schedule);
  if (pointwise) return { kind: "ok", pointwise };
  if (isJoint(whole.program)) return none("too much is left beside its one normal vector");
  return yield* byChains(whole, schedule);
}

function* inClosedForm(
  { program, dataset, withheld }: Whole,
  schedule: Schedule,
): Generator<void, Float64Array | undefined> {
  const posterior = closedFormChoice(program, dataset, undefined)?.posterior();
  if (!posterior) return undefined;
  const key = [...seedKey(program, dataset, schedule), "withheld"];
  const budget = { used: 0, limit: schedule.maxGradients };
  const rows = new WithheldRows(posterior, withheld);
  const found = yield* averaged(rows, { ...schedule, seedKey: key }, budget);
  const pointwise = found?.found.pointwise.map((one) => -one);
  return pointwise?.every(Number.isFinite) ? pointwise : undefined;
}

/** A posterior without some rows, and the one with all, which has their likelihoods. */
interface WithoutRows extends LogDensity {
  readonly whole: PointwiseDensity;
}

function* byChains(
  { program, dataset, withheld }: Whole,
  schedule: Schedule,
): Generator<void, HeldOutField> {
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
    if (whole.logCells) whole.logCells(positions, s * dimension, own, 0);
    else whole.logLikelihood(positions, s * dimension, own, 0);
    withheld.forEach((row, k) => logs[k][s] = own[row]);
  }
  const pointwise = Float64Array.from(logs, (one) => logSumExp(one) - log(one.length));
  return pointwise.every(Number.isFinite)
    ? { kind: "ok", pointwise }
    : none("their densities are not finite");
}

function none(why: string): HeldOutField {
  const message = `Cannot predict the withheld rows: ${why}`;
  return { kind: "none", diagnostic: { code: "predict/rows", severity: "warning", message } };
}
