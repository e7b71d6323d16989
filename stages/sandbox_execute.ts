/** Stage kind `sandbox_execute`: executes the programs of trajectories in the sandbox. */
import { z } from "../src/base/zod.ts";
import { optionalPort, port, ports } from "./ports/mod.ts";
import { defineStage } from "../src/pipeline/contract/mod.ts";
import { statesKey } from "./common/wanted_states.ts";
import type { Rewarding } from "./common/prompt_targets.ts";

export default defineStage({
  kind: "sandbox_execute",
  version: 1,
  description: "Executes the programs of trajectories in the sandbox, or recalls their results.",
  params: z.strictObject({ states: statesKey }),
  inputs: {
    trajectories: port(ports.trajectories, "whose programs are executed"),
    target: optionalPort(ports.target, "data, executor and schedule; or targets by prompt"),
  },
  outputs: { executions: port(ports.executions, "one execution per complete prefix") },
  wired: { targets: port(ports.target, "one for each prompt, by its id, instead of one for all") },
  uses: ["executor"],
  async run(context, inputs, { states }) {
    const { executeTrajectories } = await import("./common/execute_trajectories.ts");
    const { trajectories } = inputs;
    return {
      executions: await executeTrajectories(context, trajectories, inputs as Rewarding, states),
    };
  },
});
