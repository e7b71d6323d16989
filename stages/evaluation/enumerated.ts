/** The target of a finite environment, enumerated: every object rewarded once. */
import { type Environment, type TerminalObject, tooLong } from "../../src/gfn/environments/mod.ts";
import {
  type EnumeratedTarget,
  enumeratedTarget,
  ownLogRewards,
} from "../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { Judgement } from "../../src/engine/score/judges/mod.ts";
import { type Standing, standingExecutions } from "../common/execute_objects.ts";
import { executePrograms } from "../common/execute_programs.ts";
import { judgeObjects } from "../common/judge_objects.ts";
import { programRow } from "../common/trajectory_rows.ts";
import type { ProgramTarget, Target } from "../ports/values.ts";

/** The enumerated target, and what each of its programs got where programs are executed. */
export interface ScoredTarget extends EnumeratedTarget {
  readonly executions?: readonly Execution[];
  /** Executions, one for each. */
  readonly standing?: readonly Standing[];
  readonly judgements?: readonly Judgement[];
}

/** Actions of all objects together beyond which they are too many to hold in memory. */
const mostActions = 2 ** 24;

/**
 * Every object of an environment, or undefined if there are more than `limit`, or so long ones that
 * memory would not hold them.
 *
 * @throws InputError if an object takes more actions than the environment promises.
 */
export function enumerateUpTo(
  environment: Environment,
  limit: number,
): TerminalObject[] | undefined {
  if (environment.count !== undefined && environment.count > limit) return undefined;
  const objects: TerminalObject[] = [];
  let actions = 0;
  for (const object of environment.enumerate()) {
    actions += object.actions.length;
    if (objects.length === limit || actions > mostActions) return undefined;
    if (object.actions.length > environment.maxActions) {
      throw tooLong(environment, JSON.stringify(shortened(object.text)));
    }
    objects.push(object);
  }
  return objects;
}

/** Rewards every object: by the environment itself, or by executing and judging each program. */
export async function scoreEveryObject(
  context: StageContext,
  objects: readonly TerminalObject[],
  { environment, target }: { readonly environment: Environment; readonly target?: Target },
): Promise<ScoredTarget> {
  if (!target) {
    context.rows("program", objects.map(programRow));
    return enumeratedTarget(environment, objects, ownLogRewards(environment, objects));
  }
  const standing = target.dataset &&
    await standingExecutions(context, target, objects, "evaluation");
  const executions = standing?.map(({ execution }) => execution);
  const judgements = await judgeObjects(context, target, objects, executions);
  const logReward = Float64Array.from(judgements, (one) => one.logReward);
  const enumerated = enumeratedTarget(environment, objects, logReward);
  return { ...enumerated, ...(standing && { executions, standing }), judgements };
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** How programs are executed for measurement, where not by the target's settings. */
export interface MeasuredOtherwise {
  /** Seed of the schedule. */
  readonly seed?: number;
  /** `check`: of other data than the target's; see `ExecutionRequest`. */
  readonly purpose?: "evaluation" | "check";
}

/** Executes programs for measurement, with the schedule of the target or another one. */
export async function executeAll(
  context: StageContext,
  target: ProgramTarget,
  objects: readonly Pick<TerminalObject, "text" | "logPrior">[],
  { seed, purpose = "evaluation" }: MeasuredOtherwise = {},
): Promise<Execution[]> {
  const { schedule } = target;
  const seeded = seed === undefined ? schedule : { ...schedule, seed };
  return await executePrograms(context, { ...target, schedule: seeded }, {
    programs: objects.map(({ text }) => text),
    logPriors: objects.map(({ logPrior }) => logPrior),
    purpose,
  });
}
