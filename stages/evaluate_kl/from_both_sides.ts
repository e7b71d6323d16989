/** Estimates from both sides of log Z, where the target itself can be sampled. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { bidirectional, targetSampler } from "../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Quantities } from "../evaluation/measure.ts";
import type { Rewarded } from "../common/rewards_asked.ts";
import type { TrainedPolicy } from "../ports/values.ts";
import { judgeStreams } from "./judge_streams.ts";
import type { EvaluateParams } from "./params.ts";

/**
 * `elbo`, `eubo` and `jeffreys` of a policy; nothing unless `bidirectional` asks for them.
 *
 * @throws InputError if the target cannot be sampled.
 */
export async function fromBothSides(
  context: StageContext,
  trained: TrainedPolicy,
  rewarded: Rewarded,
  { bidirectional: asked, certificate }: EvaluateParams,
): Promise<Quantities> {
  if (!asked) return {};
  const { environment } = rewarded;
  const draw = environment.thoughts
    ? undefined
    : targetSampler(environment, certificate.list_at_most);
  if (!draw) throw unsampled(environment, certificate.list_at_most);
  const { samples } = asked;
  const streams = await judgeStreams(context, trained, rewarded, certificate.seed);
  const random = streams("bidirectional");
  const { elbo, eubo, jeffreys } = await bidirectional(trained.policy, environment, draw, {
    samples,
    random,
  });
  return {
    elbo: { ...elbo, n: samples, method: "walks of the policy" },
    eubo: { ...eubo, n: samples, method: "exact samples of the target" },
    jeffreys: { ...jeffreys, n: 2 * samples, method: "both" },
  };
}

function unsampled({ kind, count, logReward, thoughts }: Environment, most: number): Error {
  const why = thoughts
    ? "thoughts stand before its objects"
    : logReward
    ? `${count ?? "unknown"} objects are more than the ${most} that are listed`
    : "its rewards come from executions";
  const message = `Cannot draw exact samples of the target of this ${kind}: ${why}`;
  const hint = "leave out bidirectional, raise certificate.list_at_most, or take an environment " +
    "that states its own reward";
  return inputError("evaluate/bidirectional", message, undefined, hint);
}
