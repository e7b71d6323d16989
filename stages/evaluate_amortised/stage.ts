/** Runs the stage kind `evaluate_amortised`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, inputs, params) {
    const { evaluateAmortised } = await import("./evaluate.ts");
    return await evaluateAmortised(context, inputs, params);
  },
});
