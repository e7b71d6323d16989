/** Fits a program to rows that follow each other in time: each is predicted from those before it. */
import type { Dataset } from "../../base/dataset.ts";
import { compileLogDensity } from "../inference/density/compile.ts";
import { nonCentred } from "../inference/density/non_centred.ts";
import { closedFormChoice } from "../inference/gaussian/choice.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import type { ElpdEstimate, ElpdResult, LooMethod } from "../loo/elpd.ts";
import { futureByQuadrature } from "../loo/future/by_quadrature.ts";
import { closedFormRows } from "../loo/future/closed_form_rows.ts";
import {
  type FutureEstimate,
  type FutureRows,
  leaveFutureOut,
} from "../loo/future/leave_future_out.ts";
import { type RowTerms, rowTerms } from "../loo/future/row_terms.ts";
import { totals } from "../loo/psis.ts";
import { thresholds } from "../loo/thresholds.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import type { Schedule } from "./execution/execution.ts";

/** Multiplications of one evaluation, about, where some thousands are needed: ten seconds in all. */
const mostWork = 1e6;

/**
 * Leave-future-out of a program, by the first of these methods that works: with linear latents integrated out in
 * closed form where leave-one-out begins with that; by quadrature over up to three coordinates; by draws.
 */
export function* futureElpd(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
  seedKey: StreamKey,
  budget: GradientBudget,
): Generator<void, ElpdResult> {
  const { first, ahead } = schedule.time!;
  const future = { first: first - (program.likelihood.from ?? 0), ahead };
  const settings = { ...schedule, seedKey: [...seedKey, "future"] };
  const closed = closedFormOf(program, dataset);
  if (closed?.first) {
    const found = yield* averaged(closed.rows, future, settings, budget);
    if (found) return found;
  }
  const density = compileLogDensity(program, dataset);
  const other = nonCentred(program);
  const own = rowTerms(density);
  const summed = yield* futureByQuadrature(own, future, settings, budget);
  if (summed) return estimateOf(summed, "future_quadrature", budget);
  const drawing = {
    posterior: own,
    ...(other && { other: () => rowTerms(compileLogDensity(other, dataset)) }),
    byWeights: density.factorises !== false,
  };
  const drawn = yield* leaveFutureOut(drawing, future, settings, budget);
  if (drawn.kind === "future") return estimateOf(drawn, "future", budget);
  const last = closed && !closed.first
    ? yield* averaged(closed.rows, future, settings, budget)
    : undefined;
  return last ?? drawn;
}

function closedFormOf(program: CheckedProgram, dataset: Dataset) {
  const choice = closedFormChoice(program, dataset, undefined);
  const posterior = choice?.posterior();
  if (!choice || !posterior) return undefined;
  const rows = posterior.observations;
  const isMany = posterior.dimension > thresholds.latticeCoordinates;
  if (isMany && rows * rows * rows > mostWork) return undefined;
  return { first: choice.first, rows: closedFormRows(posterior, rows) };
}

function* averaged(
  rows: RowTerms,
  future: FutureRows,
  settings: Schedule & { readonly seedKey: StreamKey },
  budget: GradientBudget,
): Generator<void, ElpdEstimate | undefined> {
  const own = { ...settings, seedKey: [...settings.seedKey, "closed form"] };
  const summed = yield* futureByQuadrature(rows, future, own, budget);
  if (summed) return estimateOf(summed, "future_gaussian", budget);
  if (rows.dimension === 0) return undefined;
  const drawn = yield* leaveFutureOut({ posterior: rows, byWeights: true }, future, own, budget);
  return drawn.kind === "future" ? estimateOf(drawn, "future_gaussian", budget) : undefined;
}

function estimateOf(
  found: FutureEstimate,
  method: LooMethod,
  budget: GradientBudget,
): ElpdEstimate {
  const { pointwise, lppd, raw, mcse, gains, shapes, goodK, refits, unresolved, draws } = found;
  return {
    kind: "ok",
    method,
    ...totals(pointwise, lppd),
    elpdRaw: raw,
    mcse,
    elpdPointwise: pointwise,
    ...(gains && { gains }),
    paretoK: shapes,
    goodK,
    exactRefits: refits,
    unresolved,
    gradients: budget.used,
    draws,
  };
}
