/** Reasons why programs have no score, each reported once: the user has to decide about them. */
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** Reasons that are reported. */
const mostReasons = 3;

/**
 * Writes an event of kind `failures` and a warning for the most frequent reasons why programs have no
 * score, each with the first message and what mends it.
 */
export function describeFailures(
  context: StageContext,
  failed: readonly Execution[],
  programs: number,
): void {
  const byReason = Map.groupBy(failed, (one) => one.diagnostics[0]?.code ?? one.status);
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length).slice(0, mostReasons);
  for (const [reason, [first, ...others]] of reasons) {
    const count = others.length + 1;
    const [found] = first.diagnostics;
    const why = found?.message ?? first.status;
    const mend = found?.hint === undefined ? "" : `; ${found.hint}`;
    const which = count === 1 ? "one" : "the first";
    const message =
      `${count} of ${programs} programs have no score (${reason}); ${which}: ${why}${mend}`;
    context.rows("event", [{ level: "warning", kind: "failures", message }]);
    context.log(message, "warning");
  }
}
