/** From an execution to a log reward: judges, their weights, and the rule for failures. */
import type { Dataset } from "../../base/dataset.ts";
import { type Execution, isMachineFailure, type Score } from "./execution.ts";

export { nullProgram } from "./null_program.ts";

/** What a judge knows of a program beside its execution. */
export interface JudgedProgram {
  /** The text itself. */
  readonly text: string;
  /** log p(program) under the environment's prior. */
  readonly logPrior: number;
}

/** What a judge says: a log reward in nats, and named parts of it for the tables. */
export interface Opinion {
  /** In nats. */
  readonly logReward: number;
  /** Parts of it, for the tables. */
  readonly components?: Readonly<Record<string, number>>;
}

/**
 * One term of a log reward. A judge that uses the `execution` is asked about programs with a score
 * only; one that uses the `prior` is asked about every program, failed ones included. A judge is a
 * pure function: the same arguments give the same bits.
 */
export interface Judge {
  /** What the pipeline and the tables call it. */
  readonly name: string;
  /** Changes whenever its opinions may change. */
  readonly version: number;
  /** Whether it needs a score, or the log prior alone. */
  readonly uses: "execution" | "prior";
  /** Its opinion of one program. */
  judge(execution: Execution, program: JudgedProgram, dataset: Dataset): Opinion;
}

/** Declares a judge, so that its fields are checked where it is written. */
export function defineJudge(judge: Judge): Judge {
  return Object.freeze({ ...judge });
}

/** ELPD-LOO after the density cap of the data's resolution. */
export const elpdLooJudge: Judge = defineJudge({
  name: "elpd_loo",
  version: 2,
  uses: "execution",
  judge(execution) {
    const { elpdReward, mcse, pLoo } = scoreOf(execution);
    return { logReward: elpdReward, components: { mcse, p_loo: pLoo } };
  },
});

/**
 * ELPD of rows that no program has seen, after the density cap. A program that cannot be carried
 * over to other rows predicts nothing there: it is worth as little as a scored program can be.
 */
export const elpdHoldoutJudge: Judge = defineJudge({
  name: "elpd_holdout",
  version: 1,
  uses: "execution",
  judge(execution) {
    return { logReward: scoreOf(execution).elpdHoldout ?? -Infinity };
  },
});

/** The log prior of the program under its environment. */
export const logPriorJudge: Judge = defineJudge({
  name: "log_prior",
  version: 1,
  uses: "prior",
  judge: (_execution, { logPrior }) => ({ logReward: logPrior }),
});

/** The judges that a target can name without a plug-in. */
export const builtInJudges: ReadonlyMap<string, Judge> = new Map(
  [elpdLooJudge, elpdHoldoutJudge, logPriorJudge].map((judge) => [judge.name, judge]),
);

function scoreOf(execution: Execution): Score {
  if (execution.score) return execution.score;
  throw new Error("internal: a judge of executions was asked about a program without a score");
}

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
  /** The program has no score. */
  readonly failed: boolean;
  /** The unweighted opinion of each judge by name, and its own components as `judge.component`. */
  readonly components: Readonly<Record<string, number>>;
}

/** How far above failure, in nats, the execution terms of every scored program lie at least. */
export const failureMargin = 1;

/**
 * The log reward of a program: the weighted sum of its judges. All execution terms together are the
 * failure constant if the program failed, and at least that constant + 1 if it did not.
 *
 * @throws internal, if the machine failed instead of the program, or a judge returns NaN or +∞.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
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
  return { logReward: earned + sums.prior, raised, failed, components };
}

function checked(judge: Judge, logReward: number): number {
  if (logReward < Infinity) return logReward;
  throw new Error(`internal: the judge ${judge.name} returned ${logReward} as a log reward`);
}
