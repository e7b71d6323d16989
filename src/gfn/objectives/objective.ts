/** The objective's interface: a pure function from scores to a loss and its gradients, in f64. */
import type { z } from "../../base/zod.ts";
import { readSettings, type Settings } from "../settings/read_settings.ts";
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";

/** Input of an objective beside scores and batch; `P` are its parameters. */
export interface ObjectiveState<P = Settings> {
  /**
   * Estimate of log Z; learned by the learner for an objective that moves `log_z`. Where
   * trajectories answer prompts, the mean of `logZs`.
   */
  readonly logZ: number;
  /** `[B]`: log Z of the prompt of each trajectory; left out where there are no prompts. */
  readonly logZs?: Float64Array;
  /** Parameters of the objective, with its defaults, as {@linkcode parametersOf} returns them. */
  readonly parameters: P;
  /**
   * Scores of this batch before the first of several steps on it, for objectives that bound
   * those steps; absent at the first.
   */
  readonly first?: Scores;
  /** Share of the training that is over, in [0, 1); 0 if left out. */
  readonly fraction?: number;
}

/** Loss of an objective and its gradients. */
export interface ObjectiveResult {
  /** Mean over trajectories. */
  readonly loss: number;
  /**
   * dLoss/dScores and dLoss/dlogZ, and `[B]` the part that each trajectory has in the latter, which
   * is needed where there are prompts.
   */
  readonly gradients: ScoreGradients & { readonly logZ: number; readonly logZs?: Float64Array };
  /** Named numbers for the `metric` table. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** Pure; called once per gradient step. */
export type ObjectiveFunction<P = Settings> = (
  scores: Scores,
  batch: Batch,
  state: ObjectiveState<P>,
) => ObjectiveResult;

/**
 * Objects whose log rewards an objective reads: none, the end of a trajectory, or every complete
 * object that it passes too. Only these are executed, and count as evaluations.
 */
export type Reads = "none" | "ends" | "prefixes";

/** Quantities beside the forward policy for which an objective has a gradient. */
export type Moved = "log_z" | "flow" | "backward";

/** An objective with its name, and its properties that training reads. */
export interface Objective<P = Settings> {
  /** Name in pipelines and the `metric` table. */
  readonly name: string;
  /** Version, raised whenever the same scores would give another loss. */
  readonly version: number;
  /** Schema of its parameters with defaults; left out: those of the pipeline are passed on unread. */
  readonly parameters?: z.ZodObject;
  /** Log rewards that it reads. Left out: `prefixes`, as far as these have any; the others are NaN. */
  readonly reads?: Reads | ((parameters: P) => Reads);
  /** Quantities that its gradient moves; the learner learns a log Z only for an objective that names it. */
  readonly moves: readonly Moved[];
  /** Trajectories that a batch must have, of each prompt where there are prompts; 1 if left out. */
  readonly minimumBatch?: number;
  /** True if its expectation holds for trajectories of the policy alone: no replay. */
  readonly onPolicy?: boolean;
  /** True if log P_B has a loss of its own, which is not in `loss`: `gradients.logPb` is of that one. */
  readonly ownBackward?: boolean;
  /** Gradient steps on one batch, from 1; 1 if left out. Each is given the scores of the first. */
  readonly stepsPerBatch?: (parameters: P) => number;
  /**
   * One sentence for summary and certificate where the optimum is not R / Z with these
   * parameters; undefined where it is. Left out: it always is.
   */
  readonly movesOptimum?: (parameters: P) => string | undefined;
  /** The objective itself. */
  readonly evaluate: ObjectiveFunction<P>;
}

/** An objective whose parameters have the types that its schema gives them. */
export type ObjectiveDefinition<S extends z.ZodObject> = Objective<z.output<S>> & {
  /** Its parameters with their defaults. */
  readonly parameters?: S;
};

/**
 * Makes an objective of one's own: the default export of a module that a pipeline names by path.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { z } from "../../base/zod.ts";
 * import { defineObjective, parametersOf } from "./objective.ts";
 * // Maximum likelihood, times a factor.
 * const scaled = defineObjective({
 *   name: "scaled",
 *   version: 1,
 *   parameters: z.strictObject({ factor: z.number().positive().default(1) }),
 *   reads: "none",
 *   moves: [],
 *   evaluate: ({ logPf, logExit, logFlow }, { B }, { parameters: { factor } }) => ({
 *     loss: -factor * logPf.reduce((sum, one) => sum + one, 0) / B,
 *     gradients: {
 *       logPf: logPf.map(() => -factor / B),
 *       logExit: new Float64Array(logExit.length),
 *       logFlow: new Float64Array(logFlow.length),
 *       logZ: 0,
 *     },
 *     metrics: {},
 *   }),
 * });
 * assert.deepEqual(parametersOf(scaled, {}), { factor: 1 });
 * assert.throws(() => parametersOf(scaled, { factor: 0 }), /factor is 0/);
 * ```
 */
export function defineObjective<S extends z.ZodObject>(
  objective: ObjectiveDefinition<S>,
): Objective {
  // Callers pass parameters that `parametersOf` read by its own schema.
  return objective as unknown as Objective;
}

/**
 * True for the default export of a module made with `defineObjective`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectiveNamed } from "./built_in_objectives.ts";
 * import { isObjective } from "./objective.ts";
 * assert(isObjective(objectiveNamed("trajectory_balance")));
 * assert(!isObjective({}));
 * ```
 */
export function isObjective(value: unknown): value is Objective {
  const one = value as Partial<Objective> | null;
  return typeof one === "object" && one !== null && typeof one.evaluate === "function" &&
    typeof one.name === "string" && Array.isArray(one.moves);
}

/**
 * The parameters of an objective, with its defaults where `given` is silent.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectiveNamed } from "./built_in_objectives.ts";
 * import { parametersOf } from "./objective.ts";
 * const { residual_loss } = parametersOf(objectiveNamed("trajectory_balance"), {});
 * assert.equal(residual_loss, "log_cosh");
 * ```
 *
 * @throws InputError with every finding.
 */
export function parametersOf({ name, parameters }: Objective, given: Settings): Settings {
  if (!parameters) return given;
  return readSettings(parameters, given, {
    what: `objective "${name}"`,
    code: "objective/parameter",
  });
}

/**
 * Objects whose log rewards an objective reads with these parameters; undefined if not declared.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectiveNamed } from "./built_in_objectives.ts";
 * import { readsOf } from "./objective.ts";
 * assert.equal(readsOf(objectiveNamed("trajectory_balance"), {}), "ends");
 * ```
 */
export function readsOf({ reads }: Objective, parameters: Settings): Reads | undefined {
  return typeof reads === "function" ? reads(parameters) : reads;
}
