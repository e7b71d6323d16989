/** Predictive draws of a program at rows that are not in its data. */
import type { Dataset } from "../../base/dataset.ts";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { untransformed } from "../language/ir/response_transform.ts";
import { averagesAtDraws } from "../inference/predict/averages.ts";
import { columnsOf, replicated, rowsAtDraws } from "../inference/predict/draws.ts";
import { rowLatent } from "../inference/predict/row_latent.ts";
import { checkProgram } from "../language/pymc/check.ts";
import type { Execution, Schedule } from "./execution/execution.ts";
import { type Fit, fitChecked, withChains } from "./fit.ts";
import { parameterDraws } from "./predictive.ts";
import { executionOf, rejectedExecution, unfitExecution } from "./score.ts";

/** Values of the predictors at new rows. */
export interface NewRows {
  /** How many. */
  readonly rows: number;
  /** `[rows]` by column; a column that is left out has no values there. */
  readonly columns: ReadonlyMap<string, Float64Array>;
  /** Rows of a block, where averages of expected responses over blocks are wanted instead of draws. */
  readonly each?: number;
}

/** A program's predictions, or why there are none. */
export interface Predicted {
  /** The execution of the fit that the draws are of. */
  readonly execution: Execution;
  /** `[draws, rows]`, or `[draws, blocks]`; absent if the program could not be fitted, or not be carried over. */
  readonly draws?: Float64Array;
}

/**
 * Fits a program to the data and draws its response at new rows. Failures of the program are values.
 * Yields every few dozen gradients.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { defaultSchedule } from "./execution/execution.ts";
 * import { predictRows } from "./predictions.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const steps = predictRows(text, data, defaultSchedule, { rows: 2, columns: new Map() });
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * assert.equal(step.value.execution.status, "ok");
 * ```
 */
export function* predictRows(
  text: string,
  data: Dataset,
  schedule: Schedule,
  at: NewRows,
): Generator<void, Predicted> {
  const checked = checkProgram(text, data, undefined, schedule);
  if (!checked.ok) return { execution: rejectedExecution(checked.diagnostics) };
  const scored = yield* fitChecked(checked.program, data, schedule);
  const fit = scored.kind === "fit" ? yield* withChains(scored, schedule) : scored;
  if (fit.kind === "failure") return failed(checked.program, fit.diagnostic);
  try {
    const key = ["predict", fit.program.hash];
    const posterior = parameterDraws(fit);
    const rows = rowsAtDraws(fit.program, data, posterior, { key, at, ...redrawn(fit) });
    const { transform } = fit.program.likelihood;
    const { each } = at;
    const plain = () => {
      const drawn = replicated(rows, posterior.draws);
      return transform ? drawn.map((z) => untransformed(transform, z)) : drawn;
    };
    const draws = each === undefined
      ? plain()
      : averagesAtDraws(rows, posterior.draws, { each, transform });
    return { execution: executionOf(fit, schedule), draws };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return failed(checked.program, error.diagnostics[0]);
  }
}

function failed(program: CheckedProgram, diagnostic: Diagnostic): Predicted {
  return { execution: unfitExecution(program, diagnostic) };
}

/** A latent of single rows belongs to those of the data: new rows get their own from the prior. */
export function redrawn({ program, dataset }: Fit): { redraw?: number } {
  const latent = rowLatent(program, columnsOf(dataset));
  const own = latent && new Set(latent.elementOfRow).size === dataset.rows;
  return own ? { redraw: latent.parameter } : {};
}
