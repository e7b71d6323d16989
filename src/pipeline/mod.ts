/**
 * Pipelines: reads TOML, makes a plan, runs it and records the run. Stages and services are known
 * by their interfaces; no program is.
 *
 * A tour. A stage kind is a module; a pipeline names it, gives it parameters, and wires its outputs
 * to the inputs of others:
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { planPipeline, queryRuns, readPipeline, runPipeline } from "sluice/pipeline";
 *
 * const folder = Deno.makeTempDirSync({ dir: ".", prefix: ".tour-" });
 * const write = (name: string, text: string) => Deno.writeTextFileSync(`${folder}/${name}`, text);
 * write("package.json", "{}"); // the project is the folder
 * write("sum.ts", `
 *   import { defineStage, optionalPort, port, z } from "sluice";
 *   const number = {
 *     name: "number",
 *     encode: (n: number) => Promise.resolve(new TextEncoder().encode(JSON.stringify(n))),
 *     decode: (b: Uint8Array) => Promise.resolve(JSON.parse(new TextDecoder().decode(b)) as number),
 *   };
 *   export default defineStage({
 *     kind: "sum",
 *     version: 1,
 *     description: "Adds a number to what flows in.",
 *     params: z.strictObject({ add: z.number() }),
 *     inputs: { before: optionalPort(number, "what is added to") },
 *     outputs: { after: port(number, "the sum") },
 *     async run(context, { before = 0 }, { add }) {
 *       context.metric("sum", before + add);
 *       return { after: before + add };
 *     },
 *   });
 * `);
 * write("sums.toml", `
 *   format = 1
 *   [stages.one]
 *   kind = "./sum.ts"
 *   add = 1
 *   [stages.three]
 *   kind = "./sum.ts"
 *   add = 2
 *   inputs = { before = "one.after" }
 *   [[checks]]
 *   sql = "select max(value) = 3 from metric"
 * `);
 *
 * const pipeline = await readPipeline({ path: `${folder}/sums.toml` });
 * const builtInKindFile = (kind: string): string => {
 *   throw new Error(`no kind is built in, not even ${kind}`);
 * };
 * const options = { projectRoot: await Deno.realPath(folder), builtInKindFile };
 * const states = async () => (await planPipeline(pipeline, options)).map(({ state }) => state);
 * assert.deepEqual(await states(), ["run", "blocked"]);
 *
 * // Each stage runs in a process of its own, which may do nothing that its kind does not declare.
 * const { status, runId } = await runPipeline(pipeline, options);
 * assert.equal(status, "done");
 * const sums = await queryRuns(options.projectRoot, "select stage, value from metric order by 1", {
 *   run: runId,
 * });
 * assert.deepEqual(sums.rows, [["one", 1], ["three", 3]]);
 *
 * // Nothing changed, so nothing is run again.
 * assert.deepEqual(await states(), ["cached", "cached"]);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * Stages ask services for work that they cannot do themselves, such as executing programs;
 * `runPipeline` is given the services. See `Service`.
 *
 * @module
 */
export { InputError } from "../base/diagnostic.ts";
export type { ConfinedStart, ConfineProcess, ProcessToConfine } from "./contract/confinement.ts";
export type { ReadPipelineOptions } from "./process/read_pipeline.ts";
export { planPipeline, queryRuns, readPipeline, runPipeline } from "./run/library.ts";
export type { RunOptions } from "./run/options.ts";
export type { RunOutcome } from "./run/run.ts";
export type { QueryOptions } from "./store/query.ts";
export type { QueryResult } from "./store/query_result.ts";
export * from "./contract/mod.ts";
export * from "./plan/mod.ts";
export * from "./read/mod.ts";
