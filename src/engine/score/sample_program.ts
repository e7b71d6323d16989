/** Samples a program and returns all groups that ArviZ has for a fit. */
import type { Dataset } from "../../base/dataset.ts";
import { finish } from "../inference/mcmc/sample_chains.ts";
import { checkProgram } from "../language/pymc/check.ts";
import { defaultSchedule, type Execution, type Schedule } from "./execution/execution.ts";
import { fitChecked, withChains } from "./fit.ts";
import { executionOf, rejectedExecution, unfitExecution } from "./score.ts";
import { inferenceData, type InferenceDataOptions } from "./build_inference_data.ts";
import type { InferenceData } from "./inference_data/data.ts";

/** A program that was sampled, or why it was not. */
export interface SampledProgram {
  /** Score with summaries and checks; the failure of a program that could not be sampled. */
  readonly execution: Execution;
  /** Draws, predictions and data; present if and only if the status is `ok`. */
  readonly data?: InferenceData;
}

/** How a program is sampled. */
export interface SampleProgramOptions extends InferenceDataOptions {
  /** Chains, draws, limits; those of `defaultSchedule` where left out. */
  readonly schedule?: Partial<Schedule>;
  /** Name of the program in diagnostics; `program.py` if left out. */
  readonly file?: string;
}

/**
 * Checks, samples and cross-validates a program, and draws from its prior and its predictive
 * distributions. Failures of the program are values. The same text, data and schedule give the same
 * bits.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { sampleProgram } from "./sample_program.ts";
 * const values = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6);
 * const data = makeDataset("six", [{ name: "y", role: "response", type: "real", values }]);
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mu = pm.Normal("mu", 0, 2)
 *     pm.Normal("y", mu=mu, sigma=0.5, observed=data["y"])
 * `;
 * const sampled = sampleProgram(text, data, { schedule: { draws: 250 } });
 * const posterior = sampled.data!.groups.find(({ name }) => name === "posterior")!;
 * assert.deepEqual(posterior.variables[0].dims, ["chain", "draw"]);
 * assert.deepEqual(posterior.variables[0].shape, [4, 250]);
 * ```
 */
export function sampleProgram(
  source: string,
  dataset: Dataset,
  options: SampleProgramOptions = {},
): SampledProgram {
  return finish(sampleSteps(source, dataset, options));
}

/**
 * `sampleProgram` step by step: yields every few dozen gradients.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { sampleSteps } from "./sample_program.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const steps = sampleSteps(text, data);
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * assert.equal(step.value.execution.status, "ok");
 * assert(step.value.data);
 * ```
 */
export function* sampleSteps(
  source: string,
  dataset: Dataset,
  options: SampleProgramOptions = {},
): Generator<void, SampledProgram> {
  const schedule = { ...defaultSchedule, ...options.schedule };
  const checked = checkProgram(source, dataset, options.file, schedule);
  if (!checked.ok) return { execution: rejectedExecution(checked.diagnostics) };
  const scored = yield* fitChecked(checked.program, dataset, schedule);
  const fit = scored.kind === "fit" ? yield* withChains(scored, schedule) : scored;
  if (fit.kind === "failure") {
    return { execution: unfitExecution(checked.program, fit.diagnostic) };
  }
  const execution = executionOf(fit, schedule, { summaries: true });
  return { execution, data: inferenceData(fit, options) };
}
