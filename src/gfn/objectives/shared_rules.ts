/** Parameters that several objectives share. */
import type { ParameterRule, ParameterRules, Parameters } from "./parameters.ts";
import { readChoice } from "./parameters.ts";
import type { ResidualLoss, ResidualLossName } from "./residual_loss.ts";
import { hasExponential, residualLosses, residualLossNames } from "./residual_loss.ts";

/** `residual_loss`: what a residual costs. */
export const residualLossRule: ParameterRule = {
  kind: "choice",
  choices: residualLossNames,
  fallback: "squared",
};

/** `lambda`: weight of a sub-trajectory by its length. */
export const lambdaRule: ParameterRule = { kind: "positive", fallback: 1 };

/** The residual loss that parameters name, and whether it has an exponential. */
export function readResidual(
  name: string,
  rules: ParameterRules,
  parameters: Parameters,
): { readonly residual: ResidualLoss; readonly exponential: boolean } {
  const loss = readChoice<ResidualLossName>(name, rules, parameters, "residual_loss");
  return { residual: residualLosses[loss], exponential: hasExponential(loss) };
}
