/** A source: gives a number, and writes one row for each unit of it. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number } from "./ports.ts";

export default defineStage({
  kind: "counter",
  version: 1,
  description: "Gives a number.",
  params: z.strictObject({ count: z.int().default(3) }),
  inputs: {},
  outputs: { value: number },
  run(context, _inputs, { count }) {
    for (let i = 0; i < count; i++) context.metric("unit", i);
    context.log(`counted to ${count}`);
    console.log("the console goes to stderr");
    return Promise.resolve({ value: count });
  },
});
