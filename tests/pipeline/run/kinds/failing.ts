/** Writes a row and a line of log, then fails. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number } from "./ports.ts";

export default defineStage({
  kind: "failing",
  version: 1,
  description: "Fails.",
  params: z.strictObject({ message: z.string().default("no luck") }),
  inputs: {},
  outputs: { value: number },
  run(context, _inputs, { message }) {
    context.metric("before", 1);
    context.log("about to fail", "warning");
    throw new Error(message);
  },
});
