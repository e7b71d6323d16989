/** The end of `sluice rank`: the answer of what was scored, also where it was interrupted. */
import { relative } from "node:path";
import type { RunOutcome } from "../../pipeline/run/mod.ts";
import { queries } from "../../pipeline/store/sql/mod.ts";
import type { ResolvedPipeline } from "../../pipeline/read/mod.ts";
import { readAnswer, writeAnswer } from "../../report/answer.ts";
import { duration } from "../../report/format.ts";
import { readWarnings } from "../../report/report.ts";
import { printWarnings } from "../../report/terminal_report/report.ts";
import { printAnswer } from "../../report/terminal_report/answer.ts";
import { type Ask, json as jsonOf } from "../../report/rows.ts";
import type { Terminal } from "../../report/terminal.ts";
import { commandLine, commandName } from "../../base/command_name.ts";
import { type PolicyDetail, printEscalation, printPolicy } from "./policy_words.ts";
import { explain } from "../run_and_report.ts";

/** The answer of a policy and its steps, if one was asked. */
async function readPolicy(ask: Ask): Promise<PolicyDetail | undefined> {
  const detail = async (kind: string) => {
    const [event] = await ask(`select detail from event where kind = '${kind}' limit 1`);
    return event && jsonOf(event.detail);
  };
  const answer = await detail("policy_answer");
  const escalation = await detail("policy_escalation");
  if (!answer) return undefined;
  return { ...answer as PolicyDetail, ...(escalation ? { escalation } : {}) } as PolicyDetail;
}

/** End of a ranking, and how its answer is printed. */
export interface RankEnd {
  readonly outcome: RunOutcome;
  readonly projectRoot: string;
  /** Takes the answer as data; undefined where it is printed for people. */
  readonly json: ((answer: object) => void) | undefined;
}

/** Prints the answer, writes `answer.json`, and names missing parts; false where all was done and nothing scored. */
export async function concludeRank(
  pipeline: ResolvedPipeline,
  terminal: Terminal,
  { outcome, projectRoot, json }: RankEnd,
): Promise<boolean> {
  const { runId, folder, status, seconds, stages } = outcome;
  for (const stage of stages) explain(stage, pipeline, terminal);
  const { answer, warnings, policy } = await queries(
    projectRoot,
    { run: runId },
    async (asking) => {
      const ask = async (sql: string) => (await asking(sql)).objects();
      const answer = status === "failed" ? undefined : await readAnswer(ask);
      return { answer, warnings: await readWarnings(ask), policy: await readPolicy(ask) };
    },
  );
  if (policy && !json) printPolicy(terminal, policy);
  if (policy && json && !answer && status === "done") {
    json(policy);
  }
  if (answer) {
    await writeAnswer(answer, folder);
    if (json) json(policy ? { ...answer, policy } : answer);
    else printAnswer(answer, terminal);
    if (policy && !json) printEscalation(terminal, policy);
  }
  if (!json) printWarnings(warnings, terminal);
  if (!json && answer) {
    terminal.out(`\nRun ${runId}: ${relative(Deno.cwd(), `${folder}/run.duckdb`)}`);
    const write = `${commandName()} programs ${runId} --top 10 --out best/`;
    terminal.out(`Files:   ${terminal.colour.cyan(write)}`);
    const show = `${commandName()} report ${runId} --out report/ --open`;
    terminal.out(`Page:    ${terminal.colour.cyan(show)}`);
  }
  if (status === "interrupted") {
    const partly = answer ? "; this is the answer of what was scored" : "; nothing was scored yet";
    terminal.note(`Interrupted after ${duration(seconds)}${partly}`);
    terminal.note(`next: the same command goes on: ${commandLine(...Deno.args)}`);
    return true;
  }
  const isAnswered = status !== "done" || answer !== undefined || policy !== undefined;
  if (!isAnswered) terminal.problem("No program of the space has a score");
  terminal.note(`${status === "done" ? "Done" : "Failed"} in ${duration(seconds)}`);
  return isAnswered;
}
