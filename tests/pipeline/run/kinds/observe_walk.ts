/** Looks at a walk, and counts how often it was asked to. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number, walk } from "./ports.ts";

export default defineStage({
  kind: "observe_walk",
  version: 1,
  description: "Gives the place of a walk as a number.",
  params: z.strictObject({}),
  inputs: { walk },
  outputs: { place: number },
  run(context, inputs) {
    context.metric("place", inputs.walk.at);
    return Promise.resolve({ place: inputs.walk.at });
  },
});
