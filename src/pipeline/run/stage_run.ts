/** Brings one stage of a run to its end: from the cache, from a checkpoint, or by running it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import { denoPath } from "../../base/deno_command.ts";
import { lacking } from "../basics/resources.ts";
import { confinedStage } from "../process/confined_stage.ts";
import { tryLock } from "../store/locks.ts";
import type { AttemptEnd } from "../process/attempt.ts";
import { runAttempt } from "../process/attempt.ts";
import { readAudit, unusedGrants } from "../process/audit.ts";
import type { StageResult, StoredArtifact } from "../plan/cache.ts";
import type { Checkpoint } from "../store/checkpoints.ts";
import { askedByValues, servicesOf } from "../plan/fingerprint.ts";
import { explainFault, faultLine } from "./faults.ts";
import { nameInRun } from "../plan/instances.ts";
import { checkpointKey } from "../store/run_stages.ts";
import { buildJob, wiresOf } from "../plan/job.ts";
import type { StageFault } from "../process/messages.ts";
import { splitParts } from "../process/messages.ts";
import type { StageOutcome } from "../plan/observer.ts";
import { declaredGrants } from "../process/permissions.ts";
import type { ResolvedStage } from "../read/resolved.ts";
import type { Considered } from "../plan/plan.ts";
import { addArtifacts, consider } from "../plan/plan.ts";
import type { PreparedStage } from "../plan/preparation.ts";
import type { RunContext } from "./run_context.ts";
import { AttemptServices } from "./stage_services.ts";

/** One stage of one run. Its inputs exist when it is made. */
export class StageRun {
  readonly #run: RunContext;
  readonly #prepared: PreparedStage;
  readonly #stage: ResolvedStage;
  readonly #started = Date.now();
  #considered: Considered;
  #attempts = 0;
  #logPath: string | undefined;
  #maxRssKib: number | undefined;

  constructor(run: RunContext, stage: ResolvedStage) {
    this.#run = run;
    this.#stage = stage;
    this.#prepared = run.prepared.get(stage.name)!;
    this.#considered = run.cached.get(stage.name) ?? this.#consider();
  }

  /** Runs the stage, unless the cache has it. Never throws for what the stage does. */
  async finish(): Promise<StageOutcome> {
    const { fingerprint, decision } = this.#considered;
    if (decision.kind === "cached") return await this.#fromCache(decision.result);
    const lacks = lacking(this.#stage.resources, this.#run.machine);
    if (lacks !== "") return this.#end("failed", [], lackingFault(this.#stage.name, lacks));
    this.#sayWhatIsDamaged();
    const { held, claims } = this.#run;
    const taken = await this.#claim(fingerprint);
    try {
      if (taken === "stopped") return this.#end("interrupted", []);
      const again = this.#considered.decision;
      if (again.kind === "cached") return await this.#fromCache(again.result);
      return await this.#attemptAll();
    } finally {
      if (taken === "mine") claims.release(fingerprint);
      held.get(fingerprint)?.release();
      held.delete(fingerprint);
    }
  }

  /** Makes the stage this run's to compute, or learns what another run found meanwhile. */
  #claim(fingerprint: string): Promise<"mine" | "done" | "stopped"> {
    const { claims, control, plan, held } = this.#run;
    const lock = () => {
      const taken = held.get(fingerprint) ?? tryLock(plan.layout.root, fingerprint);
      if (taken) held.set(fingerprint, taken);
      return taken !== undefined;
    };
    return claims.take(fingerprint, {
      onWait: () =>
        this.#warn(`another run computes "${this.#stage.name}": its result is waited for`),
      isDone: () => this.#isFound(fingerprint),
      ...(this.#stage.loop && { also: lock }),
      stop: control.stop,
    });
  }

  /** Whether another run has put the result into the cache since this one looked. */
  #isFound(fingerprint: string): boolean {
    if (this.#run.plan.forced?.has(this.#stage.name)) return false;
    if (this.#run.plan.cache.get(fingerprint).kind !== "hit") return false;
    this.#considered = this.#consider();
    return this.#considered.decision.kind === "cached";
  }

  #consider(): Considered {
    const { plan, artifacts, pipeline } = this.#run;
    return consider(this.#prepared, artifacts, plan, pipeline);
  }

  #sayWhatIsDamaged(): void {
    const reason = this.#run.damaged.get(this.#stage.name) ??
      (this.#considered.damaged ? this.#considered.reason : undefined);
    if (reason === undefined) return;
    const message = `stage "${this.#stage.name}" is computed again: ${reason}`;
    this.#run.record.event("damaged", message, { stage: this.#stage.name, level: "warning" });
    this.#run.observer.warning?.({ stage: this.#stage.name, message });
  }

  async #fromCache(result: StageResult): Promise<StageOutcome> {
    const { objects, record, plan: { history } } = this.#run;
    const files = Object.entries(result.rows).map(([table, sha256]) => {
      return [table, { sha256, path: objects.path(sha256) }];
    });
    await this.#clearRows();
    if (files.length > 0) {
      record.store.importStage(this.#stage.name, Object.fromEntries(files));
    }
    const { fingerprint } = this.#considered;
    const { parts, runId, seconds } = result;
    if (history.get(this.#stage.name)?.fingerprint !== fingerprint) {
      history.put(this.#stage.name, { fingerprint, parts, runId, seconds });
    }
    return this.#end("cached", result.outputs);
  }

  async #attemptAll(): Promise<StageOutcome> {
    const { name, retries } = this.#stage;
    for (;;) {
      const end = await this.#attempt();
      if (end.kind === "done") return await this.#keep(end);
      if (end.kind === "stopped") return this.#end("interrupted", []);
      const fault = explainFault(this.#stage, end.fault);
      if (!end.machine || this.#attempts > retries || this.#run.control.stop.aborted) {
        return this.#end("failed", [], fault);
      }
      this.#warn(
        `attempt ${this.#attempts} at "${name}" failed and is tried again: ${faultLine(fault)}`,
      );
      this.#recordStage("failed", fault);
    }
  }

  async #attempt(): Promise<AttemptEnd> {
    const { record, plan, objects, artifacts, control, pipeline } = this.#run;
    const { name, timeout, loop } = this.#stage;
    this.#attempts++;
    const attempt = this.#attempts + (record.earlierAttempts.get(name) ?? 0);
    const checkpoint = await this.#usableCheckpoint();
    const isOwn = checkpoint?.runId === record.runId;
    await this.#clearRows(isOwn ? checkpoint : undefined);
    this.#announce(attempt, checkpoint);
    const logPath = this.#logPath = record.logPath(name, attempt);
    const services = new AttemptServices(this.#run, {
      stage: name,
      attempt,
      logPath,
      inRun: (inner) => nameInRun(this.#stage, inner),
      checkpoint: checkpointKey(name, this.#considered.fingerprint),
      steps: loop?.steps ?? 1,
      keepEvery: loop?.keepEvery,
      uses: servicesOf(this.#stage).union(askedByValues(this.#stage)),
    });
    const auditFile = join(record.folder, logPath.replace(/\.log$/, ".access.jsonl"));
    try {
      denoPath(); // or the stage cannot be started at all
      const built = buildJob(this.#stage, pipeline.seed, artifacts, objects, checkpoint);
      const { entry, grants, env, files } = this.#prepared;
      const { home, layout } = plan;
      const plain = { entry, grants, env, home, cwd: layout.root, auditFile };
      const confined = await confinedStage(plain, files, layout, this.#run.confineNative);
      const process = { ...plain, ...(confined && { confined }) };
      const onLine = (line: string) => services.line(line);
      const end = await runAttempt({ ...process, ...built, onLine, services, control, timeout });
      if (end.kind === "failed") {
        services.line(`failed: ${end.fault.stack ?? faultLine(end.fault)}`);
      }
      return end;
    } catch (error) {
      return { kind: "failed", fault: runnerFault(error, name), machine: false };
    } finally {
      services.close();
      this.#audit(attempt, auditFile);
    }
  }

  /** Takes back what earlier attempts wrote after a checkpoint, or all of it. */
  async #clearRows(checkpoint?: Checkpoint): Promise<void> {
    const { store, facts } = this.#run.record;
    if (facts.reopened === 0 && this.#attempts <= 1) return;
    await store.deleteRows(this.#stage.name, checkpoint?.step ?? -1, checkpoint?.segment);
  }

  /** The latest checkpoint, if the rows that belong to it are in this run or can be taken over. */
  async #usableCheckpoint(): Promise<Checkpoint | undefined> {
    const { plan, record, observer } = this.#run;
    const { name, loop } = this.#stage;
    const key = checkpointKey(name, this.#considered.fingerprint);
    const found = loop && plan.checkpoints.latest(key, loop.steps);
    if (!found) return plan.continued?.get(name)?.checkpoint;
    if (found.runId === record.runId) return found;
    const taken = await this.#takeOver(found);
    if (taken) return taken;
    const message =
      `the checkpoint of "${this.#stage.name}" at step ${found.step} belongs to run ` +
      `${found.runId}, which cannot be gone on with: the loop starts over`;
    observer.warning?.({ stage: this.#stage.name, message });
    record.event("checkpoint", message, { stage: this.#stage.name, level: "warning" });
    plan.checkpoints.remove(key);
    return undefined;
  }

  /** A dead run's checkpoint with its rows, as this run's; its claim and its lock are held by now. */
  async #takeOver(found: Checkpoint): Promise<Checkpoint | undefined> {
    const { plan, record } = this.#run;
    const folder = join(plan.layout.runs, found.runId);
    if (found.segment === undefined || !existsSync(folder)) return undefined;
    const segment = await record.store.adopt(this.#stage.name, folder, found.segment);
    if (segment === undefined) return undefined;
    const own = { ...found, runId: record.runId, segment };
    plan.checkpoints.publish(own);
    const message = `goes on after step ${found.step} of run ${found.runId}, which ended before`;
    record.event("taken-over", message, { stage: this.#stage.name, step: found.step });
    return own;
  }

  #announce(attempt: number, checkpoint: Checkpoint | undefined): void {
    const { observer, record } = this.#run;
    const stage = this.#stage.name;
    observer.stageStarted?.({ stage, attempt, reason: this.#considered.reason });
    if (!checkpoint) return;
    const { step, runId } = checkpoint;
    observer.resumed?.({ stage, step, steps: this.#stage.loop!.steps });
    const isOwn = runId === record.runId;
    const [kind, of] = isOwn ? ["resumed", ""] : ["continued", ` of run ${runId}`];
    record.event(kind, `goes on after step ${step}${of}`, { stage, step });
  }

  async #keep(end: AttemptEnd & { kind: "done" }): Promise<StageOutcome> {
    const { objects, record, plan } = this.#run;
    const { fingerprint, parts } = this.#considered;
    const { name } = this.#stage;
    this.#maxRssKib = end.message.maxRssKib;
    const pieces = splitParts(end.payload, end.message.outputs.map(({ bytes }) => bytes));
    const outputs = end.message.outputs.map(({ key: port, type, bytes }, i) => ({
      port,
      type,
      bytes,
      digest: objects.put(pieces[i]),
    }));
    const rows = await record.store.exportStage(name, (file) => objects.putFile(file));
    const seconds = (Date.now() - this.#started) / 1000;
    if (plan.graphs.isCurrent(this.#prepared.entry)) {
      plan.cache.put(fingerprint, { outputs, rows, parts, runId: record.runId, seconds });
      plan.history.put(name, { fingerprint, parts, runId: record.runId, seconds });
    } else this.#warn(`the code of "${name}" changed while it ran: its result is not kept`);
    plan.checkpoints.settle(checkpointKey(name, fingerprint), this.#stage.loop?.keepEvery);
    return this.#end("done", outputs);
  }

  #end(
    status: StageOutcome["status"],
    outputs: readonly StoredArtifact[],
    fault?: StageFault,
  ): StageOutcome {
    const { artifacts, record } = this.#run;
    const { name } = this.#stage;
    addArtifacts(artifacts, name, { outputs });
    record.flow(name, wiresOf(this.#stage), artifacts, outputs);
    return this.#recordStage(status, fault, outputs);
  }

  #recordStage(
    status: StageOutcome["status"],
    fault?: StageFault,
    outputs: readonly StoredArtifact[] = [],
  ): StageOutcome {
    const { fingerprint, reason } = this.#considered;
    const wall_ms = Date.now() - this.#started;
    const outcome: StageOutcome = {
      stage: this.#stage.name,
      status,
      reason,
      fingerprint,
      fault,
      seconds: wall_ms / 1000,
      attempts: this.#attempts,
      maxRssKib: this.#maxRssKib,
      outputs: Object.fromEntries(outputs.map(({ port, digest }) => [port, digest])),
      logPath: this.#logPath && join(this.#run.record.folder, this.#logPath),
    };
    const started_at = new Date(this.#started);
    const row = { kind: this.#stage.kind, started_at, wall_ms, peak_memory_kib: this.#maxRssKib };
    this.#run.record.stage(outcome, row);
    if (fault) {
      const inner = fault.stage && nameInRun(this.#stage, fault.stage);
      const at = { stage: inner ?? outcome.stage, step: fault.step, level: "error" };
      this.#run.record.event("failed", faultLine(fault), at);
    }
    return outcome;
  }

  #audit(attempt: number, auditFile: string): void {
    const { record, plan } = this.#run;
    const { grants, stage } = this.#prepared;
    const accesses = readAudit(auditFile, grants);
    record.access(stage.name, attempt, accesses);
    for (const [name, value] of unusedGrants(declaredGrants(stage, plan.layout), accesses)) {
      this.#warn(`stage "${stage.name}" declares ${name} access to ${value} and did not use it`);
    }
  }

  #warn(message: string): void {
    const stage = this.#stage.name;
    this.#run.observer.warning?.({ stage, message });
    this.#run.record.event("warning", message, { stage, level: "warning" });
  }
}

function runnerFault(error: unknown, stage: string): StageFault {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stage };
  const { name, message, stack } = error;
  const diagnostics = error instanceof InputError ? error.diagnostics : undefined;
  const remedy = error instanceof MissingPartError ? error.remedy : undefined;
  return { name, message, stack, diagnostics, remedy, stage };
}

/** A stage is left to a machine that has what it wants. */
function lackingFault(stage: string, lacks: string): StageFault {
  return {
    name: "MissingPartError",
    message: `Cannot run stage "${stage}" on this machine: it wants ${lacks}`,
    remedy: "run the same command on a machine that has it, where the rest comes from the cache, " +
      "or change the stage's resources; --gpus N says how many GPUs there are",
  };
}
