/**
 * The engine: text and data in, ELPD-LOO out. It imports base and WebAssembly, no pipeline, and reads no file.
 *
 * A tour. A program of PyMC is scored by leave-one-out cross-validation:
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { defaultSchedule, makeDataset, scoreNow } from "sluice/engine";
 *
 * const values = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6);
 * const data = makeDataset("six", [{ name: "y", role: "response", type: "real", values }]);
 * const model = `with pm.Model():\n  mu = pm.Normal("mu", 0, 2)\n  pm.Normal("y", mu, 0.5, observed=data["y"])`;
 * const { score } = scoreNow(model, data, defaultSchedule);
 * assert(score && Math.abs(score.elpdLoo + 5.57397) < 1e-4); // in nats; the closed form
 * assert(score.se < 1.4 && score.mcse < 1e-4); // of the data, and of the computation
 * ```
 *
 * A program that could not be scored has the reason, with the place in its text:
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkProgram, makeDataset } from "sluice/engine";
 *
 * const values = Float64Array.of(3, 0, 2, 1);
 * const data = makeDataset("four", [{ name: "n", role: "response", type: "count", values }]);
 * const checked = checkProgram(
 *   `with pm.Model():
 *     rate = pm.Normal("rate", 0, 1)
 *     pm.Poisson("n", mu=rat, observed=data["n"])`,
 *   data,
 * );
 * assert(!checked.ok);
 * const [{ message, hint, span }] = checked.diagnostics;
 * assert.equal(message, "Cannot find the name rat: nothing has been assigned to it");
 * assert(hint!.startsWith('did you mean "rate"?') && span!.line === 3);
 * ```
 *
 * A checked program is a log density with its gradient, for a sampler of one's own:
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkProgram, compileLogDensity, makeDataset } from "sluice/engine";
 *
 * const values = Float64Array.of(0.5);
 * const data = makeDataset("one", [{ name: "y", role: "response", type: "real", values }]);
 * const text = `with pm.Model():
 *   mu = pm.Normal("mu", 0, 1)
 *   pm.Normal("y", mu, 1, observed=data["y"])`;
 * const checked = checkProgram(text, data);
 * assert(checked.ok);
 * const density = compileLogDensity(checked.program, data);
 * const gradient = new Float64Array(density.dimension);
 * const logDensity = density.logDensity(Float64Array.of(0.25), gradient, 0);
 * assert(Math.abs(logDensity + 1.9003770664093453) < 1e-15); // -log(2 pi) - 1/16
 * assert.equal(gradient[0], 0);
 * ```
 *
 * `sampleProgram` keeps all draws in the groups of ArviZ, and `zarrFiles` makes them files.
 *
 * @module
 */
export {
  type Column,
  type ColumnRole,
  columnRoles,
  type ColumnType,
  columnTypes,
  type Dataset,
  type HeldOut,
  makeDataset,
  type Resolution,
} from "../base/dataset.ts";
export { type Diagnostic, InputError, MissingPartError } from "../base/diagnostic.ts";
export { RandomStream } from "../base/random.ts";
export type { Span } from "../base/span.ts";
export * from "./inference/mod.ts";
export * from "./language/ir/mod.ts";
export * from "./language/mod.ts";
export * from "./loo/mod.ts";
export * from "./score/execution/mod.ts";
export * from "./score/inference_data/mod.ts";
export * from "./score/judges/mod.ts";
export * from "./score/mod.ts";
