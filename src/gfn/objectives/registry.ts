/** The objectives that come with Sluice: a line each. */
export { detailedBalance } from "./detailed_balance.ts";
export { forwardLookingDetailedBalance } from "./forward_looking.ts";
export { forwardLookingSubTrajectoryBalance } from "./forward_looking.ts";
export { grpo } from "./grpo.ts";
export { logPartitionVariance } from "./log_partition_variance.ts";
export { maximumLikelihood } from "./maximum_likelihood.ts";
export { mixedTrajectoryBalance } from "./mixed_trajectory_balance.ts";
export { modifiedDetailedBalance } from "./modified_detailed_balance.ts";
export { modifiedSubTrajectoryBalance } from "./modified_sub_trajectory_balance.ts";
export { ppo } from "./ppo.ts";
export { reinforce } from "./reinforce.ts";
export { relativeTrajectoryBalance } from "./relative_trajectory_balance.ts";
export { subTrajectoryBalance } from "./sub_trajectory_balance.ts";
export { trajectoryBalance } from "./trajectory_balance.ts";
export { trajectoryLikelihood } from "./trajectory_likelihood.ts";
export { weightedDetailedBalance } from "./weighted_detailed_balance.ts";
