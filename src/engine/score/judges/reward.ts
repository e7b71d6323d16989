/** From an execution to a log reward: judges, their weights, and the rule for failures. */
import { type Dataset, makeDataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { type Execution, isMachineFailure } from "../execution/execution.ts";
import type { Judge, JudgedProgram, Opinion } from "./judge.ts";

export { defineJudge, isJudge, type Judge, type JudgedProgram, type Opinion } from "./judge.ts";
export * from "./built_in_judges.ts";
export * from "./settled_judges.ts";
export { nullProgram } from "../execution/null_program.ts";

/** Weighted judges, and the constant that stands for all execution terms of a failed program. */
export interface RewardRule {
  /** Judges and the factors of their log rewards. */
  readonly terms: readonly { readonly judge: Judge; readonly weight: number }[];
  /** Value that replaces all execution terms of a failed program. */
  readonly failure: { readonly logReward: number };
}

/** A log reward and how it came about. */
export interface Judgement {
  /** Log reward for the learner; finite. */
  readonly logReward: number;
  /** The execution terms of a program with a score lay below failure + 1 and were raised to it. */
  readonly raised: boolean;
  /** Of a raised program: its log reward before it was raised. May be −∞. */
  readonly unraised?: number;
  /** The program has no score. */
  readonly failed: boolean;
  /** The judge whose critic gave no answer, for which the program has no score. */
  readonly unanswered?: string;
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
  return judged(rule, execution.score === undefined, (judge) => {
    return judge.judge(execution, program, dataset);
  });
}

/**
 * The log reward of a text that nothing executes, by judges of texts and of the prior. It fails where
 * a critic gives no answer.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { logPriorJudge, logRewardOfText } from "./reward.ts";
 * const rule = { terms: [{ judge: logPriorJudge, weight: 2 }], failure: { logReward: -40 } };
 * assert.equal(logRewardOfText(rule, { text: "x", logPrior: -3 }).logReward, -6);
 * ```
 */
export function logRewardOfText(rule: RewardRule, program: JudgedProgram): Judgement {
  const dataset = makeDataset("none", []);
  return judged(rule, false, (judge) => judge.judge(notExecuted, program, dataset));
}

/** The execution that judges of texts are given where nothing is executed; they do not look at it. */
const notExecuted: Execution = {
  status: "rejected",
  engine: "none",
  engineVersion: "0",
  diagnostics: [],
};

function judged(rule: RewardRule, isUnscored: boolean, ask: (judge: Judge) => Opinion): Judgement {
  const components: Record<string, number> = {};
  const sums = { data: 0, prior: 0 };
  let unanswered: string | undefined;
  for (const { judge, weight } of rule.terms) {
    if (isUnscored && judge.uses !== "prior") continue;
    const opinion = ask(judge);
    if (opinion.unanswered) unanswered ??= judge.name;
    else {
      sums[judge.uses === "prior" ? "prior" : "data"] += weight * checked(judge, opinion.logReward);
      components[judge.name] = opinion.logReward;
    }
    for (const [key, value] of Object.entries(opinion.components ?? {})) {
      components[`${judge.name}.${key}`] = value;
    }
  }
  const failed = isUnscored || unanswered !== undefined;
  const floor = rule.failure.logReward + failureMargin;
  const raised = !failed && sums.data < floor;
  const earned = failed ? rule.failure.logReward : raised ? floor : sums.data;
  const own = raised && { unraised: sums.data + sums.prior };
  const silent = unanswered !== undefined && { unanswered };
  return { logReward: earned + sums.prior, raised, ...own, failed, ...silent, components };
}

function checked(judge: Judge, logReward: number): number {
  if (logReward < Infinity) return logReward;
  const message = `Cannot add the reward of judge ${judge.name}: its logReward is ${logReward}, ` +
    "wanted a number, or -Infinity";
  const hint = "return { logReward: … } from judge, in nats";
  throw inputError("judge/log-reward", message, undefined, hint);
}
