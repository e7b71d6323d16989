/** Runs points of a sweep: the pipeline as it was frozen, with the values of the point. */
import { join, relative, resolve } from "node:path";
import { inlineToml } from "./inline_toml.ts";
import { type PointEnd, requireFrozen, setsOf, type WorkOptions } from "../experiments/mod.ts";
import {
  lacking,
  type MachineResources,
  mostOf,
  type StageResources,
} from "../pipeline/basics/mod.ts";
import type { RunObserver } from "../pipeline/plan/mod.ts";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import type { RunControl, RunOutcome } from "../pipeline/run/mod.ts";
import type { PointValues, SweepFile } from "../pipeline/store/mod.ts";
import type { Files } from "../pipeline/toml/mod.ts";
import { localFiles } from "../pipeline/toml/mod.ts";
import { readPipeline } from "./pipeline_arguments.ts";
import type { Terminal } from "../report/terminal.ts";

/** The pipeline of a point, from the texts that the sweep keeps. */
export async function pipelineOfPoint(
  root: string,
  sweep: SweepFile,
  values: PointValues,
): Promise<ResolvedPipeline> {
  const here = (path: string) => relative(Deno.cwd(), join(root, path));
  return await readPipeline({
    path: here(sweep.pipeline),
    overlays: sweep.overlays.map(here),
    sets: [...sweep.sets, ...setsOf(values, inlineToml)],
    files: frozenFiles(root, sweep.texts),
  });
}

/** Most that stages of a point demand: the first point stands for all. */
export async function resourcesOfSweep(root: string, sweep: SweepFile): Promise<StageResources> {
  const { stages } = await pipelineOfPoint(root, sweep, sweep.points[0] ?? {});
  return mostOf(stages.map(({ resources }) => resources));
}

/** Texts of the files that a pipeline was read from, by their paths relative to the project. */
export async function textsOf(
  root: string,
  { files }: ResolvedPipeline,
): Promise<Record<string, string>> {
  const read = files.map(async (path) => {
    return [relative(root, path), await localFiles.readText(path)] as const;
  });
  return Object.fromEntries((await Promise.all(read)).toSorted(([a], [b]) => a < b ? -1 : 1));
}

function frozenFiles(root: string, texts: Readonly<Record<string, string>>): Partial<Files> {
  const kept = new Map(Object.entries(texts).map(([path, text]) => [resolve(root, path), text]));
  return {
    readText: (path) => {
      const text = kept.get(path);
      return text === undefined ? localFiles.readText(path) : Promise.resolve(text);
    },
    exists: (path) => kept.has(path) ? Promise.resolve(true) : localFiles.exists(path),
  };
}

/** How points are run by this process. */
interface RunnerOptions {
  readonly root: string;
  readonly sweep: SweepFile;
  readonly terminal: Terminal;
  readonly control: RunControl;
  /** Stages and sandbox workers of each point. */
  readonly workers: number;
  readonly machine: MachineResources;
  readonly allowStage?: readonly string[];
}

/** A function that runs one point to its end. */
export function pointRunner(options: RunnerOptions): WorkOptions["run"] {
  const { root, sweep, terminal, control, workers, machine, allowStage } = options;
  return async (point, values, { opened, from }) => {
    const { runOptions } = await import("./run_and_report.ts");
    const { runPipeline } = await import("../pipeline/run/mod.ts");
    const { exporting } = await import("./live_export.ts");
    const pipeline = await pipelineOfPoint(root, sweep, values);
    const open = ({ runId }: { runId: string }) => opened(runId);
    const observer: RunObserver = {
      runOpened: open,
      unchanged: open,
      warning: ({ stage, message }) =>
        terminal.note(`! #${point}${stage ? ` ${stage}` : ""}: ${message}`),
    };
    const flags = { workers, gpus: machine.gpus, overlaid: true, allowStage, observer };
    const outcome = await exporting(
      pipeline,
      root,
      terminal,
      async (told) =>
        await runPipeline(pipeline, {
          ...runOptions(pipeline, terminal, flags),
          ...told,
          control,
          ...(from !== undefined && { continueFrom: { runId: from } }),
          marks: { sweep: sweep.sweep, point },
          requireLock: (lock) => requireFrozen(sweep.sweep, sweep.inputs ?? {}, lock),
        }),
      join(sweep.sweep, `${point}`),
    );
    return endOf(outcome, needsOf(pipeline, outcome, machine), root);
  };
}

/** Demands of the stage that this machine could not serve. */
function needsOf(
  { stages }: ResolvedPipeline,
  { stages: outcomes }: RunOutcome,
  machine: MachineResources,
): StageResources | undefined {
  const failed = outcomes.filter(({ status }) => status === "failed").map(({ stage }) => stage);
  return stages.find(({ name, resources }) =>
    failed.includes(name) && lacking(resources, machine) !== ""
  )?.resources;
}

function endOf(
  { runId: run, status, stages, checks, exitCode }: RunOutcome,
  needs: StageResources | undefined,
  root: string,
): PointEnd {
  if (status !== "failed") return { run, status };
  const failed = stages.find(({ fault }) => fault);
  const check = checks.find(({ passed }) => !passed);
  const fault = failed?.fault
    ? `${failed.stage}: ${failed.fault.message}`
    : `check "${check?.name}" does not hold: ${check?.found}`;
  if (exitCode === 3 && needs) return { run, status: "interrupted", needs };
  if (exitCode === 3) return { run, status: "interrupted", lacking: fault };
  const log = failed?.logPath && relative(root, failed.logPath);
  return { run, status, fault, ...(log && { log }) };
}
