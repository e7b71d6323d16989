/** Runs a pipeline: plan, open or reopen the run, bring every stage to its end, check, record. */
import { join } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import { keyOfProject, openSealer } from "../../base/seal.ts";
import { allowedServers } from "../contract/server_param.ts";
import { OpenServices } from "./open_services.ts";
import type { HeldLock } from "../store/locks.ts";
import { tryLock } from "../store/locks.ts";
import type { SqlLimits } from "../basics/sql_limits.ts";
import { type FinishedRun, FinishedRuns, runKey } from "../plan/finished_runs.ts";
import { exitStatus } from "./faults.ts";
import { seedVariations } from "../plan/instances.ts";
import { checkpointKey } from "../store/run_stages.ts";
import { interruptControl } from "./interrupt.ts";
import { settleInterrupted } from "./interrupted_runs.ts";
import { pluginsInReach } from "../plan/plugins_in_reach.ts";
import type { PipelineLock } from "../plan/lock_content.ts";
import { updateLock } from "../plan/lock_file.ts";
import type { CheckOutcome, PlannedStage, RunObserver, StageOutcome } from "../plan/observer.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import { type Considered, earlierArtifacts, type PlanContext } from "../plan/plan.ts";
import { makePlan, type Planned } from "./make_plan.ts";
import type { RunOptions } from "./options.ts";
import type { RunContext } from "./run_context.ts";
import { thisMachine } from "./this_machine.ts";
import type { RecordOptions, RunRecord, RunStatus } from "./run_record.ts";
import { StageClaims } from "./stage_claims.ts";

/** How a run ended. */
export interface RunOutcome {
  /** Name of the folder under `runs`; an ULID. */
  readonly runId: string;
  /** Absolute path of the run's folder. */
  readonly folder: string;
  /** `done` where every stage and check ended well. */
  readonly status: Exclude<RunStatus, "running">;
  /** 0 done; 1 a stage or check failed; 2 wrong input; 3 a part is missing; 130 interrupted. */
  readonly exitCode: 0 | 1 | 2 | 3 | 130;
  /** In the order of the plan. */
  readonly stages: readonly StageOutcome[];
  /** In the order of the pipeline. */
  readonly checks: readonly CheckOutcome[];
  /** True if an earlier run was gone on with. */
  readonly resumed: boolean;
  /** True if nothing changed since an earlier run, which is the answer: nothing was written. */
  readonly unchanged: boolean;
  /** Wall time of this call. */
  readonly seconds: number;
}

/**
 * Returns for each stage whether it is cached, would run, resume or wait, and why. Runs nothing.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileURLToPath } from "node:url";
 * import { builtInKindFile, builtInKinds } from "../../../stages/mod.ts";
 * import { readPipeline } from "../process/read_pipeline.ts";
 * import { planPipeline } from "./run.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.grid]\nkind = "hypergrid"\n') };
 * const pipeline = await readPipeline({ path: "grid.toml", kinds: builtInKinds, files });
 * const file = (kind: string) => fileURLToPath(builtInKindFile(kind));
 * const options = { projectRoot: Deno.cwd(), builtInKindFile: file };
 * assert.equal((await planPipeline(pipeline, options)).length, 1);
 * ```
 *
 * @throws InputError if a module of a stage cannot be loaded, or a stage lacks the user's consent.
 */
export async function planPipeline(
  pipeline: ResolvedPipeline,
  options: RunOptions,
): Promise<readonly PlannedStage[]> {
  const planned = await makePlan(pipeline, options);
  if (options.frozen) updateLock(pipeline, planned.lock, true);
  return planned.stages;
}

/**
 * Writes the lock file of a pipeline, or compares it with the present plan. Runs nothing.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileURLToPath } from "node:url";
 * import { builtInKindFile, builtInKinds } from "../../../stages/mod.ts";
 * import { readPipeline } from "../process/read_pipeline.ts";
 * import { lockPipeline } from "./run.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.grid]\nkind = "hypergrid"\n') };
 * const pipeline = await readPipeline({ path: "grid.toml", kinds: builtInKinds, files });
 * const file = (kind: string) => fileURLToPath(builtInKindFile(kind));
 * const options = { projectRoot: Deno.cwd(), builtInKindFile: file };
 * await assert.rejects(lockPipeline(pipeline, options, true), /lock/); // there is no lock yet
 * ```
 *
 * @throws InputError `lock/would-change` with every difference, if it is checked.
 */
export async function lockPipeline(
  pipeline: ResolvedPipeline,
  options: RunOptions,
  check: boolean,
): Promise<PipelineLock> {
  const { lock } = await makePlan(pipeline, options);
  updateLock(pipeline, lock, check, !check);
  return lock;
}

/**
 * The lock that a run of the pipeline would write; nothing is written.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileURLToPath } from "node:url";
 * import { builtInKindFile, builtInKinds } from "../../../stages/mod.ts";
 * import { readPipeline } from "../process/read_pipeline.ts";
 * import { lockOf } from "./run.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.grid]\nkind = "hypergrid"\n') };
 * const pipeline = await readPipeline({ path: "grid.toml", kinds: builtInKinds, files });
 * const file = (kind: string) => fileURLToPath(builtInKindFile(kind));
 * const options = { projectRoot: Deno.cwd(), builtInKindFile: file };
 * const { stages } = await lockOf(pipeline, options);
 * assert("grid" in stages);
 * ```
 */
export async function lockOf(
  pipeline: ResolvedPipeline,
  options: RunOptions,
): Promise<PipelineLock> {
  return (await makePlan(pipeline, options)).lock;
}

/**
 * Runs a pipeline. Faults of stages are in the outcome, not thrown.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readPipeline } from "../process/read_pipeline.ts";
 * import { runPipeline } from "./run.ts";
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
 *
 * @throws InputError if a module of a stage cannot be loaded, a stage lacks the user's consent, the
 * lock is frozen and would change, or the disk refuses to be written.
 */
export async function runPipeline(
  pipeline: ResolvedPipeline,
  options: RunOptions,
): Promise<RunOutcome> {
  const started = performance.now();
  const planned = await makePlan(pipeline, options);
  const { observer = {}, control: asked = interruptControl().control } = options;
  const halt = new AbortController();
  const control = { ...asked, stop: AbortSignal.any([asked.stop, halt.signal]) };
  options.requireLock?.(planned.lock);
  if (!options.keepLock) updateLock(pipeline, planned.lock, options.frozen ?? false);
  observer.planned?.(planned.stages);
  const earlier = options.record ? undefined : earlierRun(planned);
  if (earlier) return answerBy(earlier, planned, observer, started);
  const held = new Map<string, HeldLock>();
  settleInterrupted(planned.context.layout);
  const record = await openRecord(pipeline, planned, held, options);
  const resumed = record.facts.reopened > 0;
  observer.runOpened?.({ runId: record.runId, folder: record.folder, resumed });
  options.opened?.(record.runId, async (sql) => await record.store.objects(sql));
  const warn = warnOnce(observer);
  if (openSealer(options.projectRoot).ofProject) warn(keyOfProject);
  if (!record.isLocked) warn(noLocks);
  const { minimumLevel } = planned.context;
  const services = new OpenServices(planned.context.services, {
    minimumLevel,
    warn,
    ...allowedServers(planned.pipeline.stages),
    modules: [...pluginsInReach(planned.pipeline.stages).values()].flat(),
    logs: join(record.folder, "logs"),
  });
  const { StepChecks } = await import("./step_checks.ts");
  const stepChecks = new StepChecks(record.store, planned.pipeline.checks, {
    limits: options.checkLimits,
    observer,
    stop: () => halt.abort(),
  });
  const run: RunContext = {
    stepChecks,
    pipeline: planned.pipeline,
    plan: planned.context,
    prepared: planned.prepared,
    record,
    observer,
    control,
    objects: planned.objects,
    held,
    artifacts: earlierArtifacts(planned.pipeline.stages),
    damaged: new Map(planned.stages.filter(isDamaged).map(({ stage, reason }) => [stage, reason])),
    cached: planned.cached,
    claims: new StageClaims(options.projectRoot),
    services,
    machine: thisMachine(options.gpus),
    confineNative: options.confineNative,
  };
  try {
    const { finishAll } = await import("./schedule.ts");
    const { workers = navigator.hardwareConcurrency, failFast } = options;
    const stages = await finishAll(run, { workers, failFast });
    const checks = await check(run, stages, options.checkLimits);
    const { status, exitCode } = verdict(stages, checks);
    await options.closing?.();
    await record.close(status, stages);
    if (status === "done") keepRun(planned, record.runId, stages, checks);
    const seconds = (performance.now() - started) / 1000;
    const { runId, folder } = record;
    return { runId, folder, status, exitCode, stages, checks, resumed, unchanged: false, seconds };
  } finally {
    planned.context.history.save();
    planned.objects.save();
    for (const lock of held.values()) lock.release();
    run.claims.close();
    await services.close();
  }
}

/** The run that found all that this one would find. */
function earlierRun({ pipeline, stages, lock, context, objects }: Planned) {
  if (stages.some(({ state }) => state !== "cached")) return undefined;
  objects.save();
  const fingerprints = stages.map(({ stage, fingerprint = "" }) => [stage, fingerprint] as const);
  return new FinishedRuns(context.layout).find(
    runKey(context.layout.root, pipeline, fingerprints, lock),
  );
}

function keepRun(
  { pipeline, lock, context }: Planned,
  runId: string,
  stages: readonly StageOutcome[],
  checks: readonly CheckOutcome[],
): void {
  const fingerprints = stages.map(({ stage, fingerprint = "" }) => [stage, fingerprint] as const);
  new FinishedRuns(context.layout).keep(
    runKey(context.layout.root, pipeline, fingerprints, lock),
    runId,
    checks,
  );
}

/** Reports an earlier run as one whose stages all came from the cache. */
function answerBy(
  { runId, checks }: FinishedRun,
  { cached, context }: Planned,
  observer: RunObserver,
  started: number,
): RunOutcome {
  const folder = join(context.layout.runs, runId);
  observer.unchanged?.({ runId, folder });
  const stages = [...cached].map(([stage, found]) => cachedOutcome(stage, found));
  for (const stage of stages) observer.stageFinished?.(stage);
  for (const check of checks) observer.checkFinished?.(check);
  const seconds = (performance.now() - started) / 1000;
  const end = { status: "done", exitCode: 0, resumed: false, unchanged: true } as const;
  return { runId, folder, ...end, stages, checks, seconds };
}

function cachedOutcome(
  stage: string,
  { decision, fingerprint, reason }: Considered,
): StageOutcome {
  const outputs = decision.kind === "cached" ? decision.result.outputs : [];
  return {
    stage,
    status: "cached",
    fingerprint,
    reason,
    seconds: 0,
    attempts: 0,
    outputs: Object.fromEntries(outputs.map(({ port, digest }) => [port, digest])),
  };
}

const noLocks =
  "the file system of this project carries no locks: runs that are begun together may " +
  'compute a stage twice, and a killed one stays "running" in the list of runs';

/** Gives each warning about the whole run once. */
function warnOnce(observer: RunObserver): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (!said.has(message)) observer.warning?.({ message });
    said.add(message);
  };
}

/** A new run, or the one whose loop was cut short and can be gone on with. */
async function openRecord(
  pipeline: ResolvedPipeline,
  { context, stages, pipeline: expanded }: Planned,
  held: Map<string, HeldLock>,
  { argv = [], marks }: RunOptions,
): Promise<RunRecord> {
  // DuckDB is loaded for a run that is made, not for one that is answered by an earlier one.
  const { canReopen, RunRecord } = await import("./run_record.ts");
  const { layout, continued } = context;
  const from = continued && { continued_from: continuedMark(continued) };
  const options: RecordOptions = { layout, argv, marks: from ? { ...marks, ...from } : marks };
  for (const [i, { state, fingerprint }] of stages.entries()) {
    if (state !== "resume" || fingerprint === undefined) continue;
    const { name, loop } = expanded.stages[i];
    const checkpoint = context.checkpoints.latest(checkpointKey(name, fingerprint), loop!.steps);
    if (!checkpoint || !canReopen(context.layout, checkpoint.runId)) continue;
    const lock = tryLock(context.layout.root, fingerprint);
    if (!lock) continue;
    held.set(fingerprint, lock);
    return await RunRecord.reopen(checkpoint.runId, pipeline, options);
  }
  return await RunRecord.create(pipeline, options);
}

/** Mark in `run.json` of a run whose loops went on from those of another. */
function continuedMark(continued: NonNullable<PlanContext["continued"]>): Json {
  const [{ runId }] = continued.values();
  const steps = [...continued].map(([stage, { checkpoint }]) => [stage, checkpoint.step]);
  return { run: runId, steps: Object.fromEntries(steps) };
}

function isDamaged({ state, reason }: PlannedStage): boolean {
  return state === "run" && /^its (output .* is|rows are) (missing|corrupt)$/.test(reason);
}

/** Checks speak about a finished run: they are skipped if a stage did not finish. */
async function check(
  run: RunContext,
  stages: readonly StageOutcome[],
  limits: SqlLimits | undefined,
): Promise<CheckOutcome[]> {
  await run.stepChecks.settled();
  if (stages.some(({ status }) => status !== "done" && status !== "cached")) {
    const { failed } = run.stepChecks;
    if (failed) {
      run.record.check(failed);
      run.observer.checkFinished?.(failed);
    }
    return failed ? [failed] : [];
  }
  const { runChecks } = await import("./checks.ts");
  const bySql = await runChecks(run.record.store, run.pipeline.checks, {
    limits,
    variations: seedVariations(run.pipeline),
  });
  const checks = [...bySql, ...run.services.checks().map((one) => ({ ...one, sql: "" }))];
  for (const outcome of checks) {
    run.record.check(outcome);
    run.observer.checkFinished?.(outcome);
  }
  return checks;
}

function verdict(
  stages: readonly StageOutcome[],
  checks: readonly CheckOutcome[],
): Pick<RunOutcome, "status" | "exitCode"> {
  const faults = stages.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { status: "failed", exitCode: exitStatus(faults) };
  const failed = checks.some(({ passed, warns }) => !passed && !warns);
  if (!failed && stages.some(({ status }) => status === "interrupted")) {
    return { status: "interrupted", exitCode: 130 };
  }
  return !failed ? { status: "done", exitCode: 0 } : { status: "failed", exitCode: 1 };
}
