/** A plan for people and for programs: stages that would run, why, and how long each took when it last ran. */
import type { PlannedStage } from "../pipeline/plan/mod.ts";
import { count, duration } from "../report/format.ts";
import type { Terminal } from "../report/terminal.ts";

/** States of a plan as programs read them; a loop that goes on from a checkpoint runs. */
type State = "cached" | "run" | "blocked";

/** One stage as `plan --json` gives it. */
interface PlanLine {
  readonly stage: string;
  readonly kind: string;
  readonly state: State;
  readonly reason: string;
  /** Of the last time that the stage was computed; absent where it never was. */
  readonly seconds?: number;
  readonly touches?: string;
}

/** The plan as JSON. */
export function planJson(stages: readonly PlannedStage[]): string {
  return JSON.stringify({ stages: stages.map(lineOf) }, null, 2);
}

function lineOf({ stage, kind, state, reason, secondsBefore, touches }: PlannedStage): PlanLine {
  return {
    stage,
    kind,
    state: state === "resume" ? "run" : state,
    reason,
    ...(secondsBefore !== undefined && { seconds: secondsBefore }),
    ...(touches && { touches }),
  };
}

/** Prints the plan: a line for each stage, each reason in full, and the total. */
export function printPlan(stages: readonly PlannedStage[], terminal: Terminal): void {
  const { colour } = terminal;
  const paint = { cached: colour.green, run: colour.cyan, blocked: colour.dim };
  const width = Math.max(...stages.map(({ stage }) => stage.length));
  for (const one of stages) {
    const { stage, state, reason, seconds, touches } = lineOf(one);
    const [first, ...more] = reason.split("; ");
    const took = seconds === undefined ? "" : duration(seconds);
    terminal.out(
      `${stage.padEnd(width)}  ${paint[state](state.padEnd(7))}  ${took.padStart(9)}  ${first}`
        .trimEnd(),
    );
    const below = touches ? [...more, `may touch ${touches}`] : more;
    for (const line of below) terminal.out(`${" ".repeat(width + 22)}${line}`);
  }
  terminal.out(totalLine(stages));
}

/** How much there is to do, by the times of the last runs. */
export function totalLine(stages: readonly PlannedStage[]): string {
  const open = stages.filter(({ state }) => state !== "cached");
  if (open.length === 0) return `\nNothing to do: ${count(stages.length, "stage")} cached`;
  const known = open.flatMap(({ secondsBefore }) => secondsBefore ?? []);
  const sum = duration(known.reduce((total, one) => total + one, 0));
  const unknown = open.length - known.length;
  const of = `\n${open.length} of ${count(stages.length, "stage")} to do`;
  if (known.length === 0) return `${of}; none was timed here before`;
  const rest = unknown === 0 ? "" : `, and ${unknown} that never ran here`;
  return `${of}: ${sum} when ${known.length === 1 ? "it" : "they"} last ran${rest}`;
}
