/** A kind that reads a file when it is imported, which it may not. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";

const greedy = Deno.readTextFileSync("deno.json");

export default defineStage({
  kind: "greedy",
  version: 1,
  description: greedy,
  params: z.strictObject({}),
  inputs: {},
  outputs: {},
  run: () => Promise.resolve({}),
});
