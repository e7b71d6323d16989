/** Verifies a run: its artifacts by their digests, a stage by computing it again. */
import { join } from "node:path";
import { inputError } from "../base/diagnostic.ts";
import { readRecordedRun } from "../pipeline/plan/mod.ts";
import { damagedRows, findRuns, ObjectStore } from "../pipeline/store/mod.ts";
import type { Terminal } from "../report/terminal.ts";
import { askRuns } from "./ask_runs.ts";
import type { ExitStatus } from "./exit.ts";
import { laidOver } from "./laid_over.ts";
import { readPipeline } from "./pipeline_arguments.ts";

/** Artifacts that differ from the run's record. */
interface Fault {
  readonly sha256: string;
  /** Where the run has it: `train.policy`. */
  readonly what: string;
  readonly found: "missing" | "corrupt";
}

/** Hashes every artifact of a run again; 1 if one is missing or corrupt. */
export async function verifyRun(
  root: string,
  run: string,
  json: boolean,
  terminal: Terminal,
): Promise<ExitStatus> {
  const [runId] = findRuns(root, run);
  const rows = await askRuns(
    root,
    [runId],
    (ask) =>
      ask(`select a.sha256, min(i.stage || '.' || i.port) as what from artifact a
      left join stage_io i using (sha256) group by all order by what`),
  );
  const objects = new ObjectStore(root, true);
  const faults = rows.flatMap(({ sha256, what }): Fault[] => {
    const { kind: found } = objects.get(String(sha256));
    return found === "found" ? [] : [{ sha256: String(sha256), what: String(what), found }];
  });
  const damaged = damagedRows(join(root, "runs", runId));
  if (json) {
    const found = { run: runId, artifacts: rows.length, faults, damaged };
    terminal.data(JSON.stringify(found, null, 2));
  } else {
    const whole = rows.length - faults.length;
    terminal.out(`run ${runId}: ${whole} of ${rows.length} artifacts are what they were`);
    const { lines, files } = damaged;
    terminal.out(
      `  rows: ${lines + files === 0 ? "whole" : `${lines} lines and ${files} files damaged`}`,
    );
    for (const { what, found, sha256 } of faults) terminal.out(`  ${what}: ${found} (${sha256})`);
  }
  return faults.length + damaged.lines + damaged.files > 0 ? 1 : 0;
}

/** Stage to compute again. */
interface AskedStage {
  readonly root: string;
  readonly run: string;
  readonly stage: string;
  readonly times: number;
  readonly allowStage?: readonly string[];
}

/** Computes a stage again; 1 if its outputs differ from those of the run. */
export async function verifyStage(asked: AskedStage, terminal: Terminal): Promise<ExitStatus> {
  const { root, run, stage, times, allowStage } = asked;
  const [runId] = findRuns(root, run);
  const recorded = readRecordedRun(root, runId);
  const before = recorded.stages.find((one) => one.stage === stage);
  if (!before) throw noStage(stage, runId, recorded.stages.map((one) => one.stage));
  const sets = laidOver(recorded.values);
  const path = join(root, recorded.pipeline);
  const pipeline = await readPipeline({ path, overlays: [], sets });
  const { runWithProgress } = await import("./run_and_report.ts");
  let differs = 0;
  for (let time = 1; time <= times; time++) {
    const select = { only: [stage], force: [stage] };
    const { outcome } = await runWithProgress(pipeline, terminal, {
      overlaid: true,
      allowStage,
      select,
    });
    if (outcome.exitCode !== 0) return outcome.exitCode;
    const now = outcome.stages.find((one) => one.stage === stage)!;
    const ports = Object.keys({ ...before.outputs, ...now.outputs });
    const other = ports.filter((port) => before.outputs?.[port] !== now.outputs[port]);
    differs += other.length;
    terminal.out(
      `${stage}, time ${time} of ${times}: ${
        other.length === 0
          ? `the same bytes as in run ${runId}`
          : `other bytes in ${other.map((port) => `"${port}"`).join(", ")} (run ${outcome.runId})`
      }`,
    );
  }
  return differs > 0 ? 1 : 0;
}

function noStage(stage: string, runId: string, known: readonly string[]): Error {
  const message = `Cannot verify stage "${stage}": run ${runId} has none of this name`;
  return inputError("verify/unknown-stage", message, undefined, `its stages: ${known.join(", ")}`);
}
