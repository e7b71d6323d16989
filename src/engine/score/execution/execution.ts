/** The result of scoring one program against one data set, and the schedule that it ran under. */
import type { Diagnostic } from "../../../base/diagnostic.ts";
import type { LooMethod } from "../../loo/elpd.ts";
import type { RowOrder } from "../../language/pymc/check.ts";

/** Unit left out at once; `future`: a row and all behind it, of which the row is predicted. */
export type LooUnit = "row" | "group" | "future";

/** How rows follow each other in time, and which of them are predicted from those before them. */
export interface TimeRule {
  /** The column that orders the rows; they stand in its order. */
  readonly column: string;
  /** How many rows come first and are not judged. */
  readonly first: number;
  /** How many rows are predicted at once. */
  readonly ahead: number;
}

/** Everything a score depends on beside program, data and engine. Part of the memo's key. */
export interface Schedule {
  /** Chains. */
  readonly chains: number;
  /** Tuning draws per chain. */
  readonly tune: number;
  /** Draws per chain, to begin with. */
  readonly draws: number;
  /** Monte Carlo standard error of ELPD-LOO, nats, above which drawing goes on. */
  readonly targetMcse: number;
  /** Monte Carlo standard error, nats, above which an estimate is no score (`loo_unreliable`). */
  readonly maxMcse: number;
  /** Limit of gradient evaluations, refits included; exceeding it is a failure of the program. */
  readonly maxGradients: number;
  /** Changes every random number of the engine; 0 by default. */
  readonly seed: number;
  /** Unit left out at once; rows, with a warning where the data have groups, if not chosen. */
  readonly unit?: LooUnit;
  /** Whether programs may distinguish rows by their order; they may not, if left out. */
  readonly rows?: RowOrder;
  /** Order of rows in time, if they have one: the future of each row is left out then. */
  readonly time?: TimeRule;
  /**
   * The digits of constants are charged (`Score.literals`), as far as the scored rows determine
   * them, or all rows, withheld ones too.
   */
  readonly literals?: "scored" | "all";
  /** The evidence log p(y) is wanted (`Score.logMarginalLikelihood`); programs without it have no score. */
  readonly evidence?: true;
  /** Parameters are summarised, for which chains are drawn where the score itself needs none. */
  readonly summaries?: true;
}

/** The schedule of a target without settings of its own. */
export const defaultSchedule: Schedule = {
  chains: 4,
  tune: 100,
  draws: 125,
  targetMcse: 0.05,
  maxMcse: 0.5,
  maxGradients: 2_000_000,
  seed: 0,
};

/** Statuses that the supervisor reports; only `ok` carries a score. */
export const executionStatuses = [
  "ok",
  "rejected",
  "error",
  "loo_unreliable",
  "undecided",
  "timeout_wall",
  "timeout_cpu",
  "oom",
  "output_limit",
  "crash",
  "seccomp_violation",
  "no_result",
  "protocol_violation",
  "sandbox_unavailable",
  "sandbox_error",
] as const;
/** Name of one status. */
export type ExecutionStatus = (typeof executionStatuses)[number];

/** Summary of one named quantity, flattened in row-major order. */
export interface ParameterSummary {
  /** Posterior mean. */
  readonly mean: readonly number[];
  /** Posterior standard deviation. */
  readonly sd: readonly number[];
  /** Monte Carlo standard error of the mean. */
  readonly mcseMean: readonly number[];
  /** Monte Carlo standard error of the standard deviation. */
  readonly mcseSd: readonly number[];
  /** 5 % quantile. */
  readonly q05: readonly number[];
  /** 95 % quantile. */
  readonly q95: readonly number[];
  /** Lower end of the narrowest interval with 94 % of the draws. */
  readonly hdi03: readonly number[];
  /** Its upper end. */
  readonly hdi97: readonly number[];
  /** Bulk effective sample size. */
  readonly essBulk: readonly number[];
  /** Tail effective sample size. */
  readonly essTail: readonly number[];
  /** Rank-normalised split R-hat. */
  readonly rhat: readonly number[];
  /** Empty for a scalar. */
  readonly shape: readonly number[];
}

/** One scalar of the data beside its posterior predictive distribution. */
export interface PredictiveCheck {
  /** Of the data. */
  readonly observed: number;
  /** Mean over replicated data. */
  readonly predicted: number;
  /** Share of replications with a larger value, half of those with an equal one. */
  readonly p: number;
}

/** How data that the posterior predicts look beside the data. */
export interface Predictive {
  /** Share of the leave-one-out predictive distribution below each observation `[rows]`. */
  readonly looPit: readonly number[];
  /** By name: `mean`, `sd`, `min`, `max`, and `zeros` for counts. */
  readonly checks: Readonly<Record<string, PredictiveCheck>>;
}

/** Leave-one-out fit of a program that could be scored. Log quantities in nats. */
export interface Score {
  /** Σ log p(y_i | y_-i), what ArviZ's `loo` means; corrected, refitted or integrated where needed. */
  readonly elpdLoo: number;
  /**
   * Data term of the reward: Σ log E[P(y_i in its cell) | y_-i] − log resolution for data that were
   * recorded to a step; `elpdLoo` for others.
   */
  readonly elpdReward: number;
  /**
   * The charge for digits of constants, nats, at most 0: their code length, taken from the log
   * reward. Absent where the schedule does not ask for it.
   */
  readonly literals?: number;
  /**
   * log p(y): the prior's average of the likelihood, nats; of data recorded to a step that of their cells. Absent where the
   * schedule does not ask for it.
   */
  readonly logMarginalLikelihood?: number;
  /** Its Monte Carlo standard error. */
  readonly evidenceMcse?: number;
  /** `[units]`; sums to `elpdReward`. Absent where that is `elpdLoo`. */
  readonly rewardPointwise?: readonly number[];
  /** Monte Carlo standard error of `elpdReward`, at most; absent where that is `elpdLoo`. */
  readonly rewardMcse?: number;
  /** PSIS-LOO as ArviZ computes it from the same draws: no control variates, refits, integrals; of
   * `importance`, averages of the importance draws as they are. */
  readonly elpdRaw: number;
  /** How `elpdLoo` was computed. */
  readonly looMethod: LooMethod;
  /** Unit left out at once. */
  readonly unit: LooUnit;
  /** Standard error of ELPD-LOO over observations. */
  readonly se: number;
  /** Effective number of parameters. */
  readonly pLoo: number;
  /** Monte Carlo standard error of `elpdLoo` (influence-based). */
  readonly mcse: number;
  /** Σ log p(y_i | y) over withheld rows, of cells like `elpdReward`; absent if there are none, or if
   * the program cannot be carried over to other rows. */
  readonly elpdHoldout?: number;
  /** Its Monte Carlo standard error; absent like it. */
  readonly holdoutMcse?: number;
  /** `[rows]`; sums to `elpdHoldout`. */
  readonly holdoutPointwise?: readonly number[];
  /** `[units]`; sums to `elpdLoo`. */
  readonly elpdPointwise: readonly number[];
  /** `[units]`: Pareto shape of each. */
  readonly paretoK: readonly number[];
  /** Shape above which an observation is refitted. */
  readonly goodK: number;
  /** Indices of the observations that were refitted exactly. */
  readonly exactRefits: readonly number[];
  /** Indices of those above the threshold for whose refit the budget had no room. */
  readonly unresolved: readonly number[];
  /** Units whose density is above 1 / resolution, the upper bound of a recorded datum's. */
  readonly cappedPoints: number;
  /** Largest R-hat of the coordinates; absent where no chains were needed (`importance`). */
  readonly rhatMax?: number;
  /** Smallest bulk effective sample size; absent like `rhatMax`. */
  readonly essBulkMin?: number;
  /** Divergent transitions after tuning; absent like `rhatMax`. */
  readonly divergences?: number;
  /** Gradient evaluations, refits included. */
  readonly gradients: number;
  /** Chains of the schedule. */
  readonly chains: number;
  /** Tuning draws per chain of the schedule. */
  readonly tune: number;
  /** Draws per chain that were made in the end; of `importance`, all that were weighted. */
  readonly draws: number;
  /** Summaries by name, if they were asked for. */
  readonly params: Readonly<Record<string, ParameterSummary>>;
  /** Predictive checks, if they were asked for. */
  readonly predictive?: Predictive;
}

/** One program scored, or why it was not. Failures are values. */
export interface Execution {
  /** Status that the supervisor reports. */
  readonly status: ExecutionStatus;
  /** Of a failed program: `syntax`, `names`, `shapes`, `support`, `unsupported`,
   * `data`, `budget`, `numeric`, `no_start`, `loo`. */
  readonly failureClass?: string;
  /** `native`. */
  readonly engine: string;
  /** Version of the engine. */
  readonly engineVersion: string;
  /** SHA-256 of the canonical graph; absent if the program could not be checked. */
  readonly programHash?: string;
  /** Present if and only if the program could be scored. */
  readonly score?: Score;
  /** Reasons for a missing score, or warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Statuses that the program itself causes: it was scored, or it cannot be. */
const ownStatuses: ReadonlySet<ExecutionStatus> = new Set<ExecutionStatus>([
  "ok",
  "rejected",
  "error",
  "loo_unreliable",
  "undecided",
]);

/**
 * Failures that are the machine's doing, not the program's: the run stops.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isMachineFailure } from "./execution.ts";
 * assert(!isMachineFailure("loo_unreliable"));
 * ```
 */
export function isMachineFailure(status: ExecutionStatus): boolean {
  return !ownStatuses.has(status);
}

/**
 * True where the same program has the same status on every machine, because only counted limits
 * decided it: such statuses may be kept, and a worker may report them of a program. `undecided` is
 * not: the clock, the memory or a crash ended the program twice, while another one was scored.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isSettled } from "./execution.ts";
 * assert(isSettled("ok"));
 * assert(!isSettled("undecided")); // the clock or the memory ended it
 * ```
 */
export function isSettled(status: ExecutionStatus): boolean {
  return ownStatuses.has(status) && status !== "undecided";
}
