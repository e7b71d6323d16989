/** The target of a finite environment, enumerated: every program scored once, through the memo. */
import { datasetToJson } from "../base/dataset.ts";
import type { TerminalObject } from "../gfn/environment.ts";
import { type EnumeratedTarget, enumeratedTarget } from "../gfn/exact.ts";
import type { StageContext } from "../runner/stage.ts";
import type { Execution } from "../score/execution.ts";
import { type Judgement, logRewardOf } from "../score/reward.ts";
import { programRow } from "./trajectory_rows.ts";
import type { Target } from "./values.ts";

/** The enumerated target and what each of its programs got. */
export interface ScoredTarget extends EnumeratedTarget {
  readonly executions: readonly Execution[];
  readonly judgements: readonly Judgement[];
}

/** Executes and judges every program of the target's environment. */
export async function scoreEveryProgram(
  context: StageContext,
  target: Target,
): Promise<ScoredTarget> {
  const objects: TerminalObject[] = [...target.environment.enumerate()];
  const { executor, schedule, dataset, rule } = target;
  context.rows("program", objects.map(programRow));
  const executions = await context.execute<Execution>({
    programs: objects.map((object) => object.text),
    dataset: datasetToJson(dataset),
    executor,
    schedule,
    purpose: "evaluation",
  });
  const judgements = objects.map((object, i) => logRewardOf(rule, executions[i], object, dataset));
  const logReward = Float64Array.from(judgements, (one) => one.logReward);
  return { ...enumeratedTarget(target.environment, objects, logReward), executions, judgements };
}
