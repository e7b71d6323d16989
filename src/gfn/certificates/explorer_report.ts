/** The report of one explorer beside a policy. */
import type { Estimate } from "../evaluation/importance_estimates.ts";
import type { ExplorerAgreement } from "./explorer_agreement.ts";
import type { Exploration } from "./exploration.ts";

/** Actions of one explorer, and its findings about the policy. */
export interface ExplorerReport
  extends Pick<Exploration, "name" | "consultsPolicy" | "evaluations"> {
  /** Its estimate of log Z, where it has one. */
  readonly logZ?: Estimate;
  /** Agreement of its samples and finds with the policy. */
  readonly agreement: ExplorerAgreement;
}
