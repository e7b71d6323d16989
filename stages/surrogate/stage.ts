/** Runs the stage kind `surrogate`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, inputs, params) {
    const { learnRewards } = await import("./learn_rewards.ts");
    return await learnRewards(context, inputs, params);
  },
});
