/** Parameters of the stage kind `learn`, and the objective that they name. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Course } from "../../src/gfn/train/course.ts";
import type { Objective } from "../../src/gfn/objectives/objective.ts";
import { builtInObjectives } from "../../src/gfn/objectives/mod.ts";
import type { Eviction } from "../../src/gfn/replay/replay.ts";
import type { ReplayChoice } from "../../src/gfn/replay/replay_choice.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import type { LogZSource } from "./log_z_estimate.ts";
import type { LearningRate } from "../policy/config.ts";

/** What is replayed beside the fresh trajectories. */
export interface ReplayParams {
  readonly capacity: number;
  readonly fraction: number;
  readonly choice?: ReplayChoice["kind"];
  readonly eviction?: Eviction;
  readonly power?: number;
  readonly top?: number;
  readonly top_share?: number;
}

/** As the schema of `learn` gives them; what an objective reads stands among them by its name. */
export interface LearnParams {
  readonly objective: string;
  readonly flow?: "learned" | "exact_where_terminable";
  readonly lambda?: number;
  readonly residual_loss?: string;
  readonly replay?: ReplayParams;
  readonly reward_exponent?: Course;
  readonly learning_rate: LearningRate;
  readonly flow_learning_rate?: number;
  readonly log_z?: LogZSource;
  readonly log_z_start?: number;
  readonly log_z_learning_rate: number;
  readonly clip_norm: number;
  readonly average_decay?: number;
}

/** Parameters that are the learner's own and no objective's. */
const ownNames: ReadonlySet<string> = new Set([
  "objective",
  "replay",
  "reward_exponent",
  "learning_rate",
  "flow_learning_rate",
  "log_z",
  "log_z_start",
  "log_z_learning_rate",
  "clip_norm",
  "average_decay",
]);

/** Those that a built-in objective reads; all but the learner's for an objective of one's own. */
export function objectiveParameters(params: LearnParams): Readonly<Record<string, unknown>> {
  const names = builtInObjectives.get(params.objective)?.parameterNames;
  const reads = (name: string) => names ? names.includes(name) : !ownNames.has(name);
  const given = Object.entries(params).filter(([name, value]) =>
    value !== undefined && reads(name)
  );
  return Object.fromEntries(given);
}

/** Objectives that read the reward of an object where a trajectory ends, and nowhere else. */
const endsOnly: ReadonlySet<string> = new Set([
  "trajectory_balance",
  "relative_trajectory_balance",
  "log_partition_variance",
  "detailed_balance",
  "weighted_detailed_balance",
  "maximum_likelihood",
  "reinforce",
  "ppo",
  "grpo",
]);

/** True if complete objects on the way need no reward: they are then neither executed nor counted. */
export function readsEndsOnly({ objective, flow }: LearnParams): boolean {
  return endsOnly.has(objective) || (objective === "sub_trajectory_balance" && flow === "learned");
}

/** @throws InputError if a plug-in's default export is not an objective. */
export function findObjective(name: string, context: StageContext): Objective {
  const builtIn = builtInObjectives.get(name);
  if (builtIn) return builtIn;
  const plugin = context.plugin(name) as Partial<Objective> | undefined;
  if (typeof plugin?.evaluate === "function" && typeof plugin.name === "string") {
    return plugin as Objective;
  }
  const hint = "write: export default defineObjective({ name, version: 1, learnsLogZ, evaluate })";
  const message = `Cannot use the objective ${name}: its default export is not an objective`;
  throw inputError("plugin/objective", message, undefined, hint);
}

/** @throws InputError if the objective cannot learn from replayed trajectories and gets some. */
export function checkReplay({ name, onPolicy }: Objective, { replay }: LearnParams): void {
  if (!onPolicy || !replay || replay.fraction === 0) return;
  const message = `Cannot replay with ${name}: it is right for the policy's own trajectories only`;
  throw inputError("learn/on-policy", message, undefined, "leave out replay");
}
