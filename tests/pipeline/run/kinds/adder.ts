/** Adds two numbers, capped, so that different inputs can give the same output. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number } from "./ports.ts";

export default defineStage({
  kind: "adder",
  version: 1,
  description: "Adds two numbers.",
  params: z.strictObject({ most: z.number().default(1e9) }),
  inputs: { a: number, b: { ...number, optional: true } },
  outputs: { sum: number },
  run(context, { a, b }, { most }) {
    const sum = Math.min(a + (b ?? 0), most);
    context.metric("sum", sum);
    return Promise.resolve({ sum });
  },
});
