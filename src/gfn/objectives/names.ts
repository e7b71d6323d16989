/** Which objective reads which parameter: for the schema of pipelines, without loading any of them. */

/** Parameters of each built-in objective that learns from rewards, by its name in a pipeline. */
export const objectiveParameterNames = {
  trajectory_balance: ["residual_loss"],
  sub_trajectory_balance: ["lambda", "flow", "residual_loss"],
  modified_sub_trajectory_balance: ["lambda", "residual_loss"],
  forward_looking_sub_trajectory_balance: ["lambda", "partial_reward", "residual_loss"],
  detailed_balance: ["residual_loss"],
  modified_detailed_balance: ["residual_loss"],
  forward_looking_detailed_balance: ["partial_reward", "residual_loss"],
  weighted_detailed_balance: ["residual_loss"],
  log_partition_variance: [],
  relative_trajectory_balance: ["beta", "residual_loss"],
  reinforce: ["kl"],
  ppo: ["kl", "clip", "epochs", "trace"],
  grpo: ["kl", "clip", "epochs", "advantage"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Names of the built-in objectives that learn from rewards. */
export const objectiveNames = Object.keys(
  objectiveParameterNames,
) as (keyof typeof objectiveParameterNames)[];

/** Those of `given` that the objective `name` does not read; none for an objective of one's own. */
export function unreadParameters(name: string, given: readonly string[]): readonly string[] {
  const reads: Readonly<Record<string, readonly string[]>> = objectiveParameterNames;
  return reads[name] ? given.filter((key) => !reads[name].includes(key)) : [];
}
