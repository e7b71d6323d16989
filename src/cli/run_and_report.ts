/** Runs a checked pipeline with progress, Ctrl-C and a report at the end. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInKindFile } from "../../stages/mod.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import { higherDemand } from "../base/sandbox_level.ts";
import { executorService } from "../executor/service.ts";
import { ModelStore } from "../models/store/mod.ts";
import { oracleService } from "../oracle/service.ts";
import { trainerService } from "../oracle/trainer/trainer_service.ts";
import {
  interruptControl,
  planPipeline,
  type RunOptions,
  type RunOutcome,
  runPipeline,
} from "../pipeline/run/mod.ts";
import type {
  ContinueFrom,
  PlannedStage,
  RunObserver,
  Selection,
  StageOutcome,
} from "../pipeline/plan/mod.ts";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import { worldService } from "../executor/play/service.ts";
import { askedModule } from "../pipeline/process/mod.ts";
import { projectRootOf } from "../pipeline/project/mod.ts";
import type { SqlLimits } from "../pipeline/basics/mod.ts";
import { writeAnswer } from "../report/answer.ts";
import { writeCertificate } from "../report/certificate.ts";
import { commandLine, commandName } from "../base/command_name.ts";
import { consentFiles, readAllowStage, userConsent } from "./consent.ts";
import { type ExitStatus, printDiagnostics } from "./exit.ts";
import { exporting } from "./live_export.ts";
import { duration } from "../report/format.ts";
import { noteKernels } from "./kernels_note.ts";
import { progressObserver } from "./progress.ts";
import { keptReport } from "./kept_report.ts";
import { readReport, type RunReport } from "../report/report.ts";
import { printReport } from "../report/terminal_report/report.ts";
import type { Terminal } from "../report/terminal.ts";

/** Flags of the command line, beside the pipeline. */
export interface RunFlags {
  readonly workers?: number;
  readonly gpus?: number;
  /** Level of the sandbox below which no program is executed. */
  readonly level?: SandboxLevel;
  /** True with overlays or `--set`: the lock file is about the pipeline as it is checked in. */
  readonly overlaid?: boolean;
  /** Fails if the lock file would change. */
  readonly frozen?: boolean;
  /** Share of the memo's answers that is executed again. */
  readonly auditShare?: number;
  /** Bytes that a data file may have. */
  readonly maxFileBytes?: number;
  /** Writes a run also where nothing changed since an earlier one. */
  readonly record?: boolean;
  /** Hashes every artifact of the cache. */
  readonly verify?: boolean;
  /** Limits of each SQL check. */
  readonly checkLimits?: SqlLimits;
  /** `NAME=read:/path,…`: permissions of stages outside the project. */
  readonly allowStage?: readonly string[];
  /** Reply to Ctrl-C: effect on a stage without steps. */
  readonly onStop?: string;
  /** Stages that run, and those that run again. */
  readonly select?: Selection;
  /** Loops go on from the states that those of this run had. */
  readonly continueFrom?: ContinueFrom;
  /** Begins no further stage once one has failed. */
  readonly failFast?: boolean;
  /** Label, tags and note of the run. */
  readonly marks?: RunOptions["marks"];
  /** Receives the events of the run, instead of the progress on the terminal. */
  readonly observer?: RunObserver;
}

/** Runs the pipeline and prints what came of it; gives the exit status. */
export async function runAndReport(
  pipeline: ResolvedPipeline,
  terminal: Terminal,
  flags: RunFlags,
): Promise<ExitStatus> {
  const { outcome, projectRoot } = await runWithProgress(pipeline, terminal, flags);
  await conclude(outcome, pipeline, projectRoot, terminal);
  return outcome.exitCode;
}

/** Runs the pipeline with progress and Ctrl-C, without a report of its outcome. */
export async function runWithProgress(
  pipeline: ResolvedPipeline,
  terminal: Terminal,
  flags: RunFlags,
): Promise<{ readonly outcome: RunOutcome; readonly projectRoot: string }> {
  const interrupt = listen(terminal, flags.onStop);
  try {
    const options = runOptions(pipeline, terminal, flags);
    const demanded = higherDemand(pipeline.minimumLevel, flags.level);
    if (demanded) await requireLevel(demanded);
    await noteKernels(pipeline, terminal);
    const { projectRoot } = options;
    const outcome = await exporting(
      pipeline,
      projectRoot,
      terminal,
      async (told) =>
        await runPipeline(pipeline, { ...options, ...told, control: interrupt.control }),
    );
    return { outcome, projectRoot };
  } finally {
    interrupt.release();
  }
}

/** Runs the pipeline and prints its events to standard output; gives the exit status. */
export async function runWithEvents(
  pipeline: ResolvedPipeline,
  terminal: Terminal,
  flags: RunFlags,
): Promise<ExitStatus> {
  const { endEvent, eventObserver } = await import("./json_events.ts");
  const say = (event: unknown) => terminal.data(JSON.stringify(event));
  const observer = eventObserver(say);
  try {
    const { outcome } = await runWithProgress(pipeline, terminal, { ...flags, observer });
    say(endEvent(outcome));
    return outcome.exitCode;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    say({ event: "run.failed", time: new Date().toISOString(), status: "refused", message });
    throw error;
  }
}

/** Plans the pipeline as a run would, and runs nothing. */
export async function planOnly(
  pipeline: ResolvedPipeline,
  terminal: Terminal,
  flags: RunFlags,
): Promise<readonly PlannedStage[]> {
  return await planPipeline(pipeline, runOptions(pipeline, terminal, flags));
}

/** Options of every run from the command line: services, models, consent. */
export function runOptions(
  pipeline: ResolvedPipeline,
  terminal: Terminal,
  { level, overlaid, frozen, auditShare, allowStage = [], observer, onStop: _, ...rest }: RunFlags,
): RunOptions {
  const allowed = readAllowStage(allowStage);
  const projectRoot = projectRootOf(pipeline.absolutePath);
  const { workers } = rest;
  return {
    ...rest,
    projectRoot,
    builtInKindFile: (kind) => fileURLToPath(builtInKindFile(kind)),
    observer: observer ?? progressObserver(terminal),
    keepLock: (overlaid || rest.continueFrom !== undefined) && !frozen,
    frozen,
    services: [
      executorService({ root: projectRoot, auditShare, ...(workers && { workers }) }),
      oracleService({ root: projectRoot }),
      trainerService(),
      worldService({
        ...(workers && { workers }),
        openWorld: (path) => askedModule(path, projectRoot),
      }),
    ],
    models: new ModelStore(projectRoot),
    minimumLevel: level,
    confineNative: async (process) => {
      const { confineNativeStage } = await import("../sandbox/mod.ts");
      return await confineNativeStage(process);
    },
    consent: userConsent({
      allowed,
      terminal,
      files: consentFiles(),
      ...(someoneSitsThere() && { ask: confirm }),
    }),
    argv: Deno.args,
  };
}

/** A terminal at both ends: a script is never asked. */
function someoneSitsThere(): boolean {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && Deno.stderr.isTerminal();
}

/** @throws MissingPartError if this machine does not have it. */
async function requireLevel(level: SandboxLevel): Promise<void> {
  const { chooseLauncher } = await import("../sandbox/mod.ts");
  const { workerPath } = await import("../executor/engine_file.ts");
  await chooseLauncher(level, workerPath());
}

/** Ctrl-C: the first finishes the step, the second stops at once. Prints a note each time. */
export function listen(terminal: Terminal, onStop = "Stopping after this step") {
  const { control, press, terminate } = interruptControl();
  const signals = new Map<Deno.Signal, () => void>([["SIGINT", press]]);
  if (Deno.build.os !== "windows") signals.set("SIGTERM", terminate);
  const say = (text: string) => () => terminal.note(`\n${text}`);
  control.stop.addEventListener(
    "abort",
    say(`${onStop}\nCtrl-C again: at once, back to the last checkpoint; scored programs are kept`),
  );
  control.kill.addEventListener("abort", say("Stopping at once"));
  for (const [signal, act] of signals) Deno.addSignalListener(signal, act);
  const release = () => signals.forEach((act, signal) => Deno.removeSignalListener(signal, act));
  return { control, release };
}

/** Prints what came of a run, and writes its answer and certificate. */
export async function conclude(
  outcome: RunOutcome,
  pipeline: ResolvedPipeline,
  projectRoot: string,
  terminal: Terminal,
): Promise<void> {
  const { runId, folder, status, seconds, stages, unchanged } = outcome;
  for (const stage of stages) explain(stage, pipeline, terminal);
  if (status === "interrupted") {
    terminal.note(`Interrupted after ${duration(seconds)}; what was done is kept`);
    terminal.note(`next: the same command goes on: ${commandLine(...Deno.args)}`);
    return;
  }
  const database = relative(Deno.cwd(), `${folder}/run.duckdb`);
  if (stages.every((stage) => stage.status === "done" || stage.status === "cached")) {
    const report = await keptReport(projectRoot, runId, () => readReportOf(projectRoot, runId));
    if (report.certificate && !unchanged) await writeCertificate(report.certificate, folder);
    if (report.answer && !unchanged) await writeAnswer(report.answer, folder);
    printReport(report, { runId, database, command: commandName() }, terminal);
  }
  const cached = stages.filter((stage) => stage.status === "cached").length;
  const from = cached > 0 ? `, ${cached} of ${stages.length} stages from cache` : "";
  terminal.note(`${status === "done" ? "Done" : "Failed"} in ${duration(seconds)}${from}`);
}

/** Loads DuckDB, which an unchanged run does without. */
async function readReportOf(projectRoot: string, run: string): Promise<RunReport> {
  const { queries } = await import("../pipeline/store/sql/mod.ts");
  return await queries(projectRoot, { run }, async (ask) => {
    return await readReport(async (sql) => (await ask(sql)).objects());
  });
}

/** The last line of a stage that failed: its fault, and where its log is. */
export function explain(stage: StageOutcome, pipeline: ResolvedPipeline, terminal: Terminal): void {
  const { fault, logPath } = stage;
  if (!fault) return;
  if (fault.diagnostics) printDiagnostics(fault.diagnostics, terminal, pipeline.sources);
  else {
    const when = fault.step ? ` at step ${fault.step}` : "";
    terminal.problem(`Stage ${fault.stage ?? stage.stage} failed${when}: ${fault.message}`);
  }
  if (fault.remedy) terminal.problem(`  mend: ${fault.remedy}`);
  if (logPath) terminal.problem(`  log: ${relative(Deno.cwd(), logPath)}`);
}
