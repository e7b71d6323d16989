/** Parameters of balance objectives that stay while one objective is exchanged for another. */
import { z } from "../../base/zod.ts";
import {
  hasExponential,
  type ResidualLoss,
  residualLosses,
  type ResidualLossName,
  residualLossNames,
} from "./residual_loss.ts";

/** Parameters by name, with their defaults. An objective ignores those that it does not read. */
export const commonParameters = {
  flow: z.enum(["learned", "exact_where_terminable"]).default("exact_where_terminable")
    .describe("sub_trajectory_balance: state flow where the exit action is legal"),
  lambda: z.number().positive().default(1).describe("weight λ^length of a sub-trajectory"),
  residual_loss: z.enum(residualLossNames).default("log_cosh")
    .describe("loss of a balance residual; all have the same optimum"),
};

/** The residual loss of this name, and whether it has an exponential. */
export function residualOf(
  name: ResidualLossName,
): { readonly residual: ResidualLoss; readonly exponential: boolean } {
  return { residual: residualLosses[name], exponential: hasExponential(name) };
}
