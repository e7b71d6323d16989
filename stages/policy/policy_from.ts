/** A policy for many data sets from its file, to be trained further. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { questionsOf } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { policyAt } from "../common/policy_answer.ts";
import type { TrainedPolicy } from "../ports/values.ts";

/**
 * The policy of a file, and what it was trained on.
 *
 * @throws InputError if it is no such file, or was made for other questions.
 */
export async function policyFrom(
  context: StageContext,
  path: string,
  environment: Environment,
): Promise<TrainedPolicy> {
  const { policy, card } = await policyAt(path);
  const { space, most_predictors: predictors } = card;
  const asked = questionsOf(space, predictors);
  if (asked.digest !== environment.digest) {
    const most = space === "growth" ? "" : ` of ${predictors} predictors at most`;
    const message = `Cannot go on from ${path}: it answers questions about ${space}${most}, ` +
      "and the environment asks others";
    const hint = `wire the questions of simulate with space = "${space}"` +
      (most && `, most_predictors = ${predictors}`);
    throw inputError("policy/file", message, undefined, hint);
  }
  const { visits, rewards } = card.trained;
  context.log(`policy of ${path}: ${visits} data sets were visited, ${rewards} rewards asked for`);
  return { policy, trajectories: visits, distinctEvaluations: rewards };
}
