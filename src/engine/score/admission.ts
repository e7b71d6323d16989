/** Whether an estimate of ELPD-LOO is sound enough to be a score. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { ElpdEstimate } from "../loo/elpd.ts";
import type { Schedule } from "./execution/execution.ts";
import type { RecordedReward } from "./recorded_reward.ts";

const tighter =
  'give scales and effects tighter priors, as --prior "b[x] ~ Normal(0, 1)" of rank ' +
  "does, or raise max_gradients or max_mcse in the schedule of the target";

/** The first rows or groups, counted from 1 among those that are scored. */
function namedOf(units: readonly number[]): string {
  return units.slice(0, 5).map((unit) => unit + 1).join(", ") + (units.length > 5 ? ", …" : "");
}

/**
 * Why an estimate is no score; `undefined` if it is one. Smoothed importance ratios are unreliable
 * for an observation whose Pareto shape is above the threshold (Vehtari et al. 2024, section
 * 3.2.4): it has to be refitted, folded or integrated, and where the budget had no room for that,
 * the sum is not known. A reward for such a sum would be one for exhausting the budget.
 *
 * @param reward reward of the estimate.
 * @param what unit that is left out: `row`, `group` or `future`.
 */
export function unsoundness(
  estimate: ElpdEstimate,
  reward: Pick<RecordedReward, "total" | "mcse">,
  what: string,
  { maxMcse }: Pick<Schedule, "maxMcse">,
): Diagnostic | undefined {
  const { unresolved, goodK, mcse, elpdLoo } = estimate;
  const name = what === "future" ? "ELPD-LFO" : "ELPD-LOO";
  const value = `${name} = ${elpdLoo.toFixed(2)}`;
  if (unresolved.length > 0) {
    const all = estimate.elpdPointwise.length;
    return unreliable(
      "loo/pareto-k",
      `${value} is no estimate to rely on: the Pareto k of ${unresolved.length} of ${all} ` +
        (what === "future"
          ? `predicted rows exceeds ${goodK.toFixed(2)}, and refits before them would cost too much`
          : `${what}s exceeds ${goodK.toFixed(2)} (${namedOf(unresolved)}), and refits without ` +
            "them would cost too much"),
      `see whether a level or a parameter rests on them alone; ${tighter}`,
    );
  }
  if (Number.isNaN(reward.total)) {
    return unreliable(
      "loo/cell",
      `${value}, but data were recorded to a step, and what their cells are worth is not known here`,
      "where discrete variables are shared by the rows, write a mixture instead of them",
    );
  }
  if (!Number.isFinite(reward.total)) {
    return unreliable(
      "loo/cell",
      `${value}, but a recorded value has no probability of its own: no draw gives its cell any mass`,
      "give it a distribution whose support holds a cell around every value of the response",
    );
  }
  if (mcse <= maxMcse && !(reward.mcse <= maxMcse)) {
    return unreliable(
      "loo/mcse",
      `The reward ${
        reward.total.toFixed(2)
      } is no estimate to rely on: the Monte Carlo error of the ` +
        `cells that data were recorded in is ${reward.mcse.toFixed(2)} nats, more than ${maxMcse}`,
      tighter,
    );
  }
  if (mcse <= maxMcse) return undefined;
  return unreliable(
    "loo/mcse",
    `${value} is no estimate to rely on: its Monte Carlo error is ${mcse.toFixed(2)} nats, ` +
      `more than ${maxMcse}`,
    tighter,
  );
}

function unreliable(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}
