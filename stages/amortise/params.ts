/** Parameters of the stage kind `amortise`. */
import { z } from "../../src/base/zod.ts";
import { lossNames, trainingSettings } from "../../src/gfn/settings/mod.ts";

const { learning_rate, average_decay } = trainingSettings.shape;

/** Parameters of a stage of kind `amortise`. */
export const amortiseParams = z.strictObject({
  loss: z.enum(lossNames).default("cross_entropy")
    .describe("cross entropy to shares of the scored programs, or variance of log R − log P"),
  batch_size: z.int().positive().default(16).describe("data sets of a gradient step"),
  updates: z.int().positive().default(10).describe("gradient steps in a step of the loop"),
  programs: z.int().min(2).default(64)
    .describe(
      "most programs of a data set in a gradient step: half the best known, half drawn from the rest",
    ),
  learning_rate,
  clip_norm: z.number().positive().default(1).describe("largest global norm of the gradient"),
  average_decay,
});

/** As the schema gives them. */
export type AmortiseParams = z.output<typeof amortiseParams>;
