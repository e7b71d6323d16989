/** Pipelines as a library: each part is loaded when it is first called, for modules of stages import this. */
import type { ReadPipelineOptions } from "../process/read_pipeline.ts";
import type { PlannedStage } from "../plan/observer.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import type { QueryOptions } from "../store/query.ts";
import type { QueryResult } from "../store/query_result.ts";
import type { RunOptions } from "./options.ts";
import type { RunOutcome } from "./run.ts";

/**
 * Reads and checks a pipeline; nothing is run but the declarations of kinds that a path names.
 *
 * @throws InputError with every finding.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { InputError, readPipeline } from "sluice/pipeline";
 * const toml = 'format = 1\n[stages.one]\nkind = "./gone.ts"\n';
 * const files = { readText: () => Promise.resolve(toml) };
 * await assert.rejects(readPipeline({ path: "p.toml", files }), InputError);
 * ```
 */
export async function readPipeline(options: ReadPipelineOptions): Promise<ResolvedPipeline> {
  return await (await import("../process/read_pipeline.ts")).readPipeline(options);
}

/**
 * Returns for each stage whether it is cached, would run, would resume or wait, and why: see the
 * tour of `sluice/pipeline`, which plans, runs and asks.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileURLToPath } from "node:url";
 * import { builtInKindFile, builtInKinds } from "../../../stages/mod.ts";
 * import { planPipeline, readPipeline } from "sluice/pipeline";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.grid]\nkind = "hypergrid"\n') };
 * const pipeline = await readPipeline({ path: "grid.toml", kinds: builtInKinds, files });
 * const file = (kind: string) => fileURLToPath(builtInKindFile(kind));
 * const options = { projectRoot: Deno.cwd(), builtInKindFile: file };
 * assert.equal((await planPipeline(pipeline, options)).length, 1);
 * ```
 */
export async function planPipeline(
  pipeline: ResolvedPipeline,
  options: RunOptions,
): Promise<readonly PlannedStage[]> {
  return await (await import("./run.ts")).planPipeline(pipeline, options);
}

/**
 * Runs a pipeline. Faults of stages are in the outcome, not thrown.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readPipeline, runPipeline } from "sluice/pipeline";
 * const folder = await Deno.makeTempDir({ dir: ".", prefix: ".example-" });
 * await Deno.writeTextFile(`${folder}/package.json`, "{}"); // the project is the folder
 * await Deno.writeTextFile(`${folder}/one.ts`, `
 *   import { defineStage, z } from "sluice";
 *   const params = z.strictObject({});
 *   export default defineStage({
 *     kind: "one", version: 1, description: "Records 1.", params, inputs: {}, outputs: {},
 *     run(context) {
 *       context.metric("one", 1);
 *       return Promise.resolve({});
 *     },
 *   });
 * `);
 * await Deno.writeTextFile(`${folder}/one.toml`, 'format = 1\n[stages.one]\nkind = "./one.ts"\n');
 * const pipeline = await readPipeline({ path: `${folder}/one.toml` });
 * const builtInKindFile = (kind: string): string => `no kind is built in, so no ${kind}`;
 * const options = { projectRoot: await Deno.realPath(folder), builtInKindFile };
 * assert.equal((await runPipeline(pipeline, options)).status, "done");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function runPipeline(
  pipeline: ResolvedPipeline,
  options: RunOptions,
): Promise<RunOutcome> {
  return await (await import("./run.ts")).runPipeline(pipeline, options);
}

/**
 * Asks the finished runs of a project in SQL.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { queryRuns, readPipeline, runPipeline } from "sluice/pipeline";
 * const folder = await Deno.makeTempDir({ dir: ".", prefix: ".example-" });
 * await Deno.writeTextFile(`${folder}/package.json`, "{}"); // the project is the folder
 * await Deno.writeTextFile(`${folder}/one.ts`, `
 *   import { defineStage, z } from "sluice";
 *   const params = z.strictObject({});
 *   export default defineStage({
 *     kind: "one", version: 1, description: "Records 1.", params, inputs: {}, outputs: {},
 *     run(context) {
 *       context.metric("one", 1);
 *       return Promise.resolve({});
 *     },
 *   });
 * `);
 * await Deno.writeTextFile(`${folder}/one.toml`, 'format = 1\n[stages.one]\nkind = "./one.ts"\n');
 * const pipeline = await readPipeline({ path: `${folder}/one.toml` });
 * const builtInKindFile = (kind: string): string => `no kind is built in, so no ${kind}`;
 * const options = { projectRoot: await Deno.realPath(folder), builtInKindFile };
 * await runPipeline(pipeline, options);
 * const { rows } = await queryRuns(options.projectRoot, "select name, value from metric");
 * assert.deepEqual(rows, [["one", 1]]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @throws InputError with DuckDB's message.
 */
export async function queryRuns(
  projectRoot: string,
  sql: string,
  options?: QueryOptions,
): Promise<QueryResult> {
  return await (await import("../store/query.ts")).query(projectRoot, sql, options);
}
