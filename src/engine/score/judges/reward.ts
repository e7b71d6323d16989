/** From an execution to a log reward: judges, their weights, and the rule for failures. */
import type { Dataset } from "../../../base/dataset.ts";
import { type Execution, isMachineFailure } from "../execution/execution.ts";
import type { Judge, JudgedProgram } from "./judge.ts";

export { defineJudge, isJudge, type Judge, type JudgedProgram, type Opinion } from "./judge.ts";
export * from "./built_in_judges.ts";
export { nullProgram } from "../execution/null_program.ts";

/** Weighted judges, and the constant that stands for all execution terms of a failed program. */
export interface RewardRule {
  /** Judges and the factors of their log rewards. */
  readonly terms: readonly { readonly judge: Judge; readonly weight: number }[];
  /** What stands for all execution terms of a failed program. */
  readonly failure: { readonly logReward: number };
}

/** A log reward and how it came about. */
export interface Judgement {
  /** Finite: what the learner sees. */
  readonly logReward: number;
  /** The execution terms of a program with a score lay below failure + 1 and were raised to it. */
  readonly raised: boolean;
  /** Of a raised program: what its log reward would be if it had not been raised. May be −∞. */
  readonly unraised?: number;
  /** The program has no score. */
  readonly failed: boolean;
  /** The unweighted opinion of each judge by name, and its own components as `judge.component`. */
  readonly components: Readonly<Record<string, number>>;
}

/** How far above failure, in nats, the execution terms of every scored program lie at least. */
const failureMargin = 1;

/**
 * The log reward of a program: the weighted sum of its judges. All execution terms together are the
 * failure constant if the program failed, and at least that constant + 1 if it did not.
 *
 * @throws internal, if the machine failed instead of the program, or a judge returns NaN or +∞.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { elpdLooJudge, logPriorJudge, logRewardOf } from "./reward.ts";
 * const rule = {
 *   terms: [{ judge: elpdLooJudge, weight: 1 }, { judge: logPriorJudge, weight: 1 }],
 *   failure: { logReward: -40 },
 * };
 * const failed = { status: "rejected", engine: "native", engineVersion: "1", diagnostics: [] } as const;
 * const judgement = logRewardOf(rule, failed, { text: "x", logPrior: -3 }, makeDataset("none", []));
 * assert.deepEqual([judgement.failed, judgement.logReward], [true, -43]);
 * ```
 */
export function logRewardOf(
  rule: RewardRule,
  execution: Execution,
  program: JudgedProgram,
  dataset: Dataset,
): Judgement {
  if (isMachineFailure(execution.status)) {
    throw new Error(
      `internal: ${execution.status} is no fault of the program, so it has no reward`,
    );
  }
  const failed = execution.score === undefined;
  const components: Record<string, number> = {};
  const sums = { execution: 0, prior: 0 };
  for (const { judge, weight } of rule.terms) {
    if (failed && judge.uses === "execution") continue;
    const opinion = judge.judge(execution, program, dataset);
    sums[judge.uses] += weight * checked(judge, opinion.logReward);
    components[judge.name] = opinion.logReward;
    for (const [key, value] of Object.entries(opinion.components ?? {})) {
      components[`${judge.name}.${key}`] = value;
    }
  }
  const floor = rule.failure.logReward + failureMargin;
  const raised = !failed && sums.execution < floor;
  const earned = failed ? rule.failure.logReward : raised ? floor : sums.execution;
  const own = raised && { unraised: sums.execution + sums.prior };
  return { logReward: earned + sums.prior, raised, ...own, failed, components };
}

function checked(judge: Judge, logReward: number): number {
  if (logReward < Infinity) return logReward;
  throw new Error(`internal: the judge ${judge.name} returned ${logReward} as a log reward`);
}
