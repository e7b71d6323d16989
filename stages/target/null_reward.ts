/** The reward of the host's null program: the reference for a failed program. */
import type { Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import type { ExecutionRequest, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import { type Judge, logRewardOf, nullProgram } from "../../src/engine/score/judges/mod.ts";

/** Weighted judges whose scores add up to a log reward. */
export type WeightedJudges = readonly { readonly judge: Judge; readonly weight: number }[];

/**
 * Executes the null program and judges it, without the terms that judge the prior.
 *
 * @throws Error if the host's own program cannot be scored: then nothing can be rewarded; InputError
 * `budget/rows` if it is the data that are too many.
 */
export async function nullReward(
  context: StageContext,
  request: Omit<ExecutionRequest, "programs">,
  terms: WeightedJudges,
  dataset: Dataset,
): Promise<{ readonly logReward: number; readonly elpd: number }> {
  const text = nullProgram(dataset);
  const [execution] = await context.execute<Execution>({ ...request, programs: [text] });
  if (!execution.score) {
    const why = execution.diagnostics.map((d) => d.message).join("; ") || execution.status;
    const message = `Cannot score the null program, so no reward can be fixed: ${why}`;
    const tooLarge = execution.diagnostics.find(({ code }) => code === "budget/rows");
    if (tooLarge) throw inputError(tooLarge.code, message, undefined, tooLarge.hint);
    throw new Error(message);
  }
  const judged = terms.filter(({ judge }) => judge.uses === "execution");
  const rule = { terms: judged, failure: { logReward: -Infinity } };
  const { logReward } = logRewardOf(rule, execution, { text, logPrior: 0 }, dataset);
  return { logReward, elpd: execution.score.elpdReward };
}
