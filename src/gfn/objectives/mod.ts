/** The objectives that come with Sluice, by name, with the checks of their parameters. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { Objective } from "./objective.ts";
import { detailedBalance, detailedBalanceRules } from "./detailed_balance.ts";
import {
  forwardLookingDetailedBalance,
  forwardLookingDetailedBalanceRules,
  forwardLookingSubTrajectoryBalance,
  forwardLookingSubTrajectoryBalanceRules,
} from "./forward_looking.ts";
import { grpo, grpoRules } from "./grpo.ts";
import { logPartitionVariance, logPartitionVarianceRules } from "./log_partition_variance.ts";
import { maximumLikelihood, maximumLikelihoodRules } from "./maximum_likelihood.ts";
import {
  modifiedDetailedBalance,
  modifiedDetailedBalanceRules,
} from "./modified_detailed_balance.ts";
import {
  modifiedSubTrajectoryBalance,
  modifiedSubTrajectoryBalanceRules,
} from "./modified_sub_trajectory_balance.ts";
import { checkParameters } from "./parameters.ts";
import type { ParameterRules } from "./parameters.ts";
import { ppo, ppoRules } from "./ppo.ts";
import { reinforce, reinforceRules } from "./reinforce.ts";
import {
  relativeTrajectoryBalance,
  relativeTrajectoryBalanceRules,
} from "./relative_trajectory_balance.ts";
import { subTrajectoryBalance, subTrajectoryBalanceRules } from "./sub_trajectory_balance.ts";
import { trajectoryBalance, trajectoryBalanceRules } from "./trajectory_balance.ts";
import {
  weightedDetailedBalance,
  weightedDetailedBalanceRules,
} from "./weighted_detailed_balance.ts";

/** An objective and what it knows about its parameters. */
export interface BuiltInObjective extends Objective {
  /** Names of the parameters that it reads, as in the pipeline. */
  readonly parameterNames: readonly string[];
  /** Every finding on the parameters; empty if all is well. */
  readonly check: (parameters: Readonly<Record<string, unknown>>) => Diagnostic[];
}

function builtIn(objective: Objective, rules: ParameterRules): [string, BuiltInObjective] {
  const parameterNames = Object.keys(rules);
  const check = (parameters: Readonly<Record<string, unknown>>) =>
    checkParameters(objective.name, rules, parameters);
  return [objective.name, { ...objective, parameterNames, check }];
}

/** Every built-in objective by its name in a pipeline. */
export const builtInObjectives: ReadonlyMap<string, BuiltInObjective> = new Map([
  builtIn(trajectoryBalance, trajectoryBalanceRules),
  builtIn(subTrajectoryBalance, subTrajectoryBalanceRules),
  builtIn(modifiedSubTrajectoryBalance, modifiedSubTrajectoryBalanceRules),
  builtIn(forwardLookingSubTrajectoryBalance, forwardLookingSubTrajectoryBalanceRules),
  builtIn(detailedBalance, detailedBalanceRules),
  builtIn(modifiedDetailedBalance, modifiedDetailedBalanceRules),
  builtIn(forwardLookingDetailedBalance, forwardLookingDetailedBalanceRules),
  builtIn(weightedDetailedBalance, weightedDetailedBalanceRules),
  builtIn(logPartitionVariance, logPartitionVarianceRules),
  builtIn(relativeTrajectoryBalance, relativeTrajectoryBalanceRules),
  builtIn(maximumLikelihood, maximumLikelihoodRules),
  builtIn(reinforce, reinforceRules),
  builtIn(ppo, ppoRules),
  builtIn(grpo, grpoRules),
]);

export { subTrajectoryBalance };
