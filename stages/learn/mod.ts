/** Stage kind `learn`: one gradient step of an objective on fresh and replayed trajectories. */
import { optionalPort, port, ports } from "../ports/mod.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { learnParams } from "./params.ts";

export default defineStage({
  kind: "learn",
  version: 1,
  description: "One gradient step of an objective on fresh and replayed trajectories.",
  params: learnParams,
  inputs: {
    policy: port(ports.policy, "the policy to train"),
    trajectories: port(ports.trajectories, "fresh trajectories"),
    log_reward: optionalPort(
      ports.log_reward,
      "their log rewards; left out where the environment states its own",
    ),
    known: optionalPort(
      ports.scored,
      "rewards that were known before: the replay buffer begins with them",
    ),
  },
  outputs: {
    policy: port(ports.policy, "the policy after the step"),
    scored: port(ports.scored, "every reward that it was given, but for guesses of a surrogate"),
  },
  random: true,
  tensors: true,
  async check({ context, inputs, unknown, params }) {
    const { checkLearner } = await import("./check_learner.ts");
    const begins = inputs.known !== undefined || unknown.has("known");
    await checkLearner(context, params, begins);
    return {};
  },
  open: (params) => lazyInstance(async () => (await import("./learner.ts")).makeLearner(params)),
});
