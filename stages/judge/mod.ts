/** Stage kind `judge`: turns executions into log rewards by the target's judges. */
import { z } from "../../src/base/zod.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import { statesKey } from "../common/wanted_states.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";

export default defineStage({
  kind: "judge",
  version: 1,
  description:
    "Computes log rewards of executions by the target's judges, and of texts by its oracles.",
  params: z.strictObject({
    states: statesKey.describe(`if only oracles reward: ${statesKey.description}`),
  }),
  inputs: {
    executions: optionalPort(ports.executions, "the executions"),
    trajectories: optionalPort(
      ports.trajectories,
      "instead, where oracles alone reward and nothing is executed",
    ),
    target: optionalPort(ports.target, "its judges and failure rule; or targets by prompt"),
  },
  outputs: { log_reward: port(ports.log_reward, "one log reward per complete prefix") },
  wired: { targets: port(ports.target, "one for each prompt, by its id, instead of one for all") },
  uses: ["oracle"],
  open: ({ states }) =>
    lazyInstance(async () => new (await import("./judging.ts")).Judging(states)),
});
