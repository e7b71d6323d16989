/** The objectives that come with Sluice, by name, with the checks of their parameters. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { Objective } from "../objective.ts";
import { detailedBalance, detailedBalanceRules } from "./detailed_balance.ts";
import { logPartitionVariance, logPartitionVarianceRules } from "./log_partition_variance.ts";
import { maximumLikelihood, maximumLikelihoodRules } from "./maximum_likelihood.ts";
import { checkParameters } from "./parameters.ts";
import type { ParameterRules } from "./parameters.ts";
import { subTrajectoryBalance, subTrajectoryBalanceRules } from "./sub_trajectory_balance.ts";
import { trajectoryBalance, trajectoryBalanceRules } from "./trajectory_balance.ts";

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
  builtIn(detailedBalance, detailedBalanceRules),
  builtIn(logPartitionVariance, logPartitionVarianceRules),
  builtIn(maximumLikelihood, maximumLikelihoodRules),
]);

export {
  detailedBalance,
  logPartitionVariance,
  maximumLikelihood,
  subTrajectoryBalance,
  trajectoryBalance,
};
