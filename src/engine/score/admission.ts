/** Whether an estimate of ELPD-LOO is sound enough to be a score. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { ElpdEstimate } from "../loo/elpd.ts";
import type { Schedule } from "./execution.ts";

/**
 * Why an estimate is no score; `undefined` if it is one. Smoothed importance ratios say nothing of an
 * observation whose Pareto shape is above the threshold (Vehtari et al. 2024, section 3.2.4): such a
 * one has to be refitted, folded or integrated, and where the budget had no room for that, the sum is
 * not known. What is paid for such a sum is paid for burning the budget.
 *
 * @param what the thing that is left out: `row` or `group`.
 */
export function unsoundness(
  estimate: ElpdEstimate,
  what: string,
  { maxMcse }: Pick<Schedule, "maxMcse">,
): Diagnostic | undefined {
  const { unresolved, goodK, mcse, elpdLoo } = estimate;
  const value = `ELPD-LOO = ${elpdLoo.toFixed(2)}`;
  if (unresolved.length > 0) {
    const all = estimate.elpdPointwise.length;
    return unreliable(
      "loo/pareto-k",
      `${value} is no estimate to rely on: the Pareto k of ${unresolved.length} of ${all} ${what}s ` +
        `exceeds ${goodK.toFixed(2)}, and refits without them would cost too much`,
      "give scales and effects tighter priors, or raise max_gradients",
    );
  }
  if (mcse <= maxMcse) return undefined;
  return unreliable(
    "loo/mcse",
    `${value} is no estimate to rely on: its Monte Carlo error is ${mcse.toFixed(2)} nats, ` +
      `more than ${maxMcse}`,
    "give scales and effects tighter priors, or raise max_gradients or max_mcse",
  );
}

function unreliable(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}
