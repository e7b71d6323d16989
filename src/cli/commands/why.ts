/** `sluice why`: why a stage of a run ran, or what differs between two runs. */
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import type { RecordedStage, StageDifference } from "../../pipeline/plan/mod.ts";
import { duration } from "../../report/format.ts";
import type { Terminal } from "../../report/terminal.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
For a stage: how it ended, and the reason of its plan. For two runs: each stage
whose result may differ, with the changed value, old -> new, its file and line.

Example:
  sluice why train
  sluice why 01JD last`;

export function addCommand(root: Command, session: Session): void {
  root.command("why")
    .description("explain why a stage of a run ran, or how two runs differ")
    .argument("<what>", 'stage, or run: its id, a prefix of it, or "last"')
    .argument("[run]", "second run")
    .option("--run <id>", "run of the stage", "last")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (what, second, { run, json, project }) => {
      const terminal = session.terminal();
      const projectRoot = projectHere(project);
      if (second === undefined) await whyStage(what, { run, json, projectRoot }, terminal);
      else await whyRuns([what, second], { json, projectRoot }, terminal);
    });
}

async function whyStage(
  name: string,
  { run, json, projectRoot }: { run: string; json?: true; projectRoot: string },
  terminal: Terminal,
): Promise<void> {
  const { readRecordedRun } = await import("../../pipeline/plan/mod.ts");
  const { findRuns } = await import("../../pipeline/store/mod.ts");
  const [runId] = findRuns(projectRoot, run);
  const { stages } = readRecordedRun(projectRoot, runId);
  const found = stages.filter(({ stage }) => stage === name || stage.startsWith(`${name}[`));
  if (found.length === 0) throw unknownStage(name, runId, stages);
  if (json) return terminal.data(JSON.stringify({ run: runId, stages: found }, null, 2));
  for (const { stage, status, reason, seconds, fault, logPath } of found) {
    const took = status === "cached" ? "" : ` after ${duration(seconds)}`;
    terminal.out(`${stage} in run ${runId}: ${status}${took}`);
    for (const line of (fault ?? reason).split("; ")) terminal.out(`  ${line}`);
    if (logPath) terminal.out(`  log: runs/${runId}/${logPath}`);
  }
}

function unknownStage(name: string, runId: string, stages: readonly RecordedStage[]): Error {
  const known = stages.map(({ stage }) => stage).join(", ") || "none that ended";
  const message = `Cannot say why "${name}" ran: run ${runId} has no such stage`;
  return inputError("why/unknown-stage", message, undefined, `its stages: ${known}`);
}

async function whyRuns(
  runs: readonly [string, string],
  { json, projectRoot }: { json?: true; projectRoot: string },
  terminal: Terminal,
): Promise<void> {
  const { compareRecorded, readRecordedRun } = await import("../../pipeline/plan/mod.ts");
  const { findRuns } = await import("../../pipeline/store/mod.ts");
  const [first, second] = runs.map((run) => {
    return readRecordedRun(projectRoot, findRuns(projectRoot, run)[0]);
  });
  const found = compareRecorded(projectRoot, first, second);
  if (json) {
    const named = { first: first.runId, second: second.runId, stages: found };
    return terminal.data(JSON.stringify(named, null, 2));
  }
  const width = Math.max(...found.map(({ stage }) => stage.length), 0);
  for (const one of found) {
    const [line, ...more] = linesOf(one, first.runId, second.runId);
    terminal.out(`${one.stage.padEnd(width)}  ${line}`);
    for (const text of more) terminal.out(`${" ".repeat(width)}  ${text}`);
  }
}

function linesOf({ kind, changes }: StageDifference, first: string, second: string): string[] {
  if (kind === "changed") return [...changes];
  if (kind === "same") return ["the same result"];
  if (kind === "gone") return ["another fingerprint; its parts are not in the cache"];
  return [`in run ${kind === "only-first" ? first : second} alone`];
}
