/** Record of a run that the runner itself writes: `run.json`, and rows of its own tables. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import type { Access } from "../process/audit.ts";
import type { StoredArtifact } from "../plan/cache.ts";
import { readJsonFile, writeJsonFile } from "../process/json_file.ts";
import type { CheckOutcome, StageOutcome } from "../plan/observer.ts";
import type { ResolvedPipeline, Wires } from "../read/resolved.ts";
import type { ProjectLayout } from "../project/project.ts";
import { digestOf } from "../../base/digest.ts";
import { sluiceVersion } from "../../base/version.ts";
import type { HeldLock } from "../store/locks.ts";
import { lockRun } from "./interrupted_runs.ts";
import { runFolder, runnerOrigin, RunStore } from "../store/run_store.ts";
import { ulid } from "../basics/ulid.ts";
import { treeState } from "./dirty_tree.ts";
import type { Row } from "../contract/stage.ts";

/** How a run stands. */
export type RunStatus = "running" | "done" | "failed" | "interrupted";

/** Facts of a run that do not change while it goes on. */
interface RunFacts {
  readonly format: 1;
  readonly run_id: string;
  readonly pipeline: string;
  readonly name: string;
  readonly seed: number;
  readonly started_at: string;
  readonly git_commit?: string;
  /** Whether tracked files differ from git's index. */
  readonly git_dirty?: boolean;
  /** Digest of the differences, and some of the files. */
  readonly git_diff?: string;
  readonly git_changed?: readonly string[];
  readonly argv: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly host: { readonly os: string; readonly arch: string; readonly cores: number };
  /** Digest of all resolved values. */
  readonly values: string;
  /** How often the run was reopened. */
  readonly reopened: number;
  /** Label, tags, note, and the sweep that the run is a point of. */
  readonly marks?: Readonly<Record<string, Json>>;
}

/** `run.json` of a run's folder, as far as it can be read. */
type RunFile = Partial<RunFacts> & { readonly status?: RunStatus };

/** Reads `run.json`. */
function readRunFile(layout: ProjectLayout, runId: string): RunFile | undefined {
  return readJsonFile(join(runFolder(layout.root, runId), "run.json")) as RunFile | undefined;
}

/** True if an unfinished run of this id can be gone on with. */
export function canReopen(layout: ProjectLayout, runId: string): boolean {
  const file = readRunFile(layout, runId);
  const database = join(runFolder(layout.root, runId), "run.duckdb");
  return file !== undefined && file.status !== "done" && existsSync(database);
}

export interface RecordOptions {
  readonly layout: ProjectLayout;
  readonly argv: readonly string[];
  readonly marks?: Readonly<Record<string, Json>>;
}

/** The record of one run; owns its store. */
export class RunRecord {
  /** Attempts at each stage that earlier processes made in this run. */
  readonly earlierAttempts = new Map<string, number>();
  readonly #wired = new Set<string>();

  readonly #lock: HeldLock | undefined;

  private constructor(readonly store: RunStore, readonly facts: RunFacts, layout: ProjectLayout) {
    this.#lock = lockRun(layout, store.runId);
  }

  /** Makes a new run. */
  static async create(pipeline: ResolvedPipeline, options: RecordOptions): Promise<RunRecord> {
    const runId = ulid();
    const store = await RunStore.create(options.layout.root, runId);
    const record = new RunRecord(store, runFacts(runId, pipeline, options), options.layout);
    record.#writePipeline(pipeline);
    record.writeStatus("running");
    await store.flush(); // a run that is killed at once has its row, and reads as interrupted
    return record;
  }

  /** Goes on with a run that was not finished. */
  static async reopen(
    runId: string,
    pipeline: ResolvedPipeline,
    options: RecordOptions,
  ): Promise<RunRecord> {
    const before = readRunFile(options.layout, runId);
    const store = await RunStore.open(options.layout.root, runId);
    const fresh = runFacts(runId, pipeline, options);
    const reopened = (before?.reopened ?? 0) + 1;
    const started_at = before?.started_at ?? fresh.started_at;
    const marks = fresh.marks ?? before?.marks;
    const record = new RunRecord(store, { ...fresh, started_at, reopened, marks }, options.layout);
    await record.#learn();
    if (before?.values !== fresh.values) {
      await store.select("delete from param");
      record.#writePipeline(pipeline);
    }
    record.writeStatus("running");
    return record;
  }

  /** False if the file system carries no locks. */
  get isLocked(): boolean {
    return this.#lock?.isExclusive ?? true;
  }

  get runId(): string {
    return this.store.runId;
  }

  get folder(): string {
    return this.store.folder;
  }

  /** Writes `run.json` and the row of table `run`. */
  writeStatus(status: RunStatus, stages: readonly StageOutcome[] = []): void {
    const { facts } = this;
    const ended_at = status === "running" ? undefined : new Date().toISOString();
    const outcomes = stages.map(({ fault, logPath, ...stage }) => {
      return { ...stage, fault: fault?.message, logPath: this.#inFolder(logPath) };
    });
    writeJsonFile(join(this.folder, "run.json"), { ...facts, status, ended_at, stages: outcomes });
    const { format: _, values, reopened, host, marks, git_diff, git_changed: __, ...columns } =
      facts;
    const { os, arch, cores } = host;
    const meta = { values, reopened, os, arch, cores, git_diff, ...marks };
    this.#append("run", { ...columns, status, ended_at, host: `${host.os}-${host.arch}`, meta });
  }

  /** Something that happened to the run: it stays when the rows of a stage are taken back. */
  event(kind: string, message: string, at: { stage?: string; step?: number; level?: string } = {}) {
    const { level = "info", ...detail } = at;
    this.#append("event", { wall: new Date(), level, kind, message, detail });
  }

  /** A row of `stage_run`, and its inputs and outputs. */
  stage(outcome: StageOutcome, row: Row): void {
    const { stage, status, fingerprint, reason, attempts, logPath } = outcome;
    const attempt = attempts + (this.earlierAttempts.get(stage) ?? 0);
    const cached = status === "cached";
    const columns = {
      stage,
      attempt,
      fingerprint,
      status,
      cached,
      reason,
      log_path: this.#inFolder(logPath),
    };
    this.#append("stage_run", { ...columns, ended_at: new Date(), ...row });
  }

  /** Rows of `artifact` and `stage_io`, once per stage and direction. */
  flow(
    stage: string,
    inputs: Readonly<Record<string, Wires>>,
    digests: ReadonlyMap<string, string>,
    outputs: readonly StoredArtifact[],
  ): void {
    if (this.#isFirst(stage, "in")) this.#flowIn(stage, inputs, digests);
    if (outputs.length > 0 && this.#isFirst(stage, "out")) this.#flowOut(stage, outputs);
  }

  /** True at the first call for rows of a direction: an interrupted stage has those of "in" already. */
  #isFirst(stage: string, direction: "in" | "out"): boolean {
    const id = `${direction} ${stage}`;
    const first = !this.#wired.has(id);
    this.#wired.add(id);
    return first;
  }

  #flowIn(
    stage: string,
    inputs: Readonly<Record<string, Wires>>,
    digests: ReadonlyMap<string, string>,
  ): void {
    for (const wires of Object.values(inputs)) {
      for (const [port, wire] of Object.entries(wires)) {
        const source = `${wire.stage}.${wire.port}`;
        const sha256 = digests.get(source);
        if (sha256) this.#append("stage_io", { stage, direction: "in", port, sha256, source });
      }
    }
  }

  #flowOut(stage: string, outputs: readonly StoredArtifact[]): void {
    for (const { port, digest: sha256, type, bytes } of outputs) {
      this.#append("artifact", { sha256, type, bytes });
      this.#append("stage_io", { stage, direction: "out", port, sha256 });
    }
  }

  access(stage: string, attempt: number, accesses: readonly Access[]): void {
    for (const { permission, value, declared } of accesses) {
      const row = { stage, attempt, permission, value, declared, allowed: declared };
      this.#append("access", row);
    }
  }

  check(check: CheckOutcome): void {
    const level = check.passed ? "info" : "error";
    const verdict = check.passed ? "passed" : `failed: found ${check.found}`;
    this.event("check", `${check.name} ${verdict}`, { level });
  }

  /** Path of the log of an attempt, relative to the run's folder; its folder exists. */
  logPath(stage: string, attempt: number): string {
    const path = join("logs", `${stage}-${attempt}.log`);
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    return path;
  }

  async close(status: RunStatus, stages: readonly StageOutcome[]): Promise<void> {
    this.writeStatus(status, stages);
    await this.store.close();
    this.#lock?.release();
  }

  #inFolder(path: string | undefined): string | undefined {
    return path && relative(this.folder, path);
  }

  #append(table: string, row: Row): void {
    this.store.append(table, [row], runnerOrigin);
  }

  #writePipeline(pipeline: ResolvedPipeline): void {
    const { path, name, seed, format, description, values, sources } = pipeline;
    const resolved = { format, path, name, seed, description, values, sources: [...sources] };
    writeJsonFile(join(this.folder, "pipeline.json"), resolved);
    for (const { path, value, source, file, line, column } of values) {
      this.#append("param", { path, value, source, file, line, col: column });
    }
  }

  async #learn(): Promise<void> {
    const attempts = await this.store.select(
      "select stage, max(attempt) from stage_run group by stage",
    );
    for (const [stage, attempt] of attempts) {
      this.earlierAttempts.set(stage as string, Number(attempt));
    }
    const wired = await this.store.select("select distinct direction, stage from stage_io");
    for (const [direction, stage] of wired) this.#wired.add(`${direction} ${stage}`);
  }
}

function runFacts(
  runId: string,
  pipeline: ResolvedPipeline,
  { layout, argv, marks }: RecordOptions,
): RunFacts {
  return {
    format: 1,
    run_id: runId,
    pipeline: relative(layout.root, pipeline.absolutePath),
    name: pipeline.name,
    seed: pipeline.seed,
    started_at: new Date().toISOString(),
    git_commit: gitCommit(layout.root),
    ...treeFacts(layout.root),
    argv,
    versions: { sluice: sluiceVersion, ...Deno.version },
    host: { os: Deno.build.os, arch: Deno.build.arch, cores: navigator.hardwareConcurrency },
    values: digestOf(pipeline.values.map(({ path, value }) => [path, value])),
    reopened: 0,
    marks,
  };
}

/** How the checkout of the project stands; nothing of a project without one at its root. */
function treeFacts(root: string): Pick<RunFacts, "git_dirty" | "git_diff" | "git_changed"> {
  const state = treeState(root);
  if (!state) return {};
  if (!state.dirty) return { git_dirty: false };
  return { git_dirty: true, git_diff: state.diff, git_changed: state.files };
}

/** The commit that is checked out, read from `.git` without starting git. */
function gitCommit(root: string): string | undefined {
  for (let at = root;; at = dirname(at)) {
    const head = readText(join(at, ".git", "HEAD"));
    const ref = /^ref: (.*)$/m.exec(head ?? "")?.[1];
    if (head !== undefined) {
      const commit = ref ? readText(join(at, ".git", ref)) : head;
      return commit?.trim() || undefined;
    }
    if (dirname(at) === at) return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
