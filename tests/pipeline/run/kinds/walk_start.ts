/** Where a walk starts. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { walk } from "./ports.ts";

export default defineStage({
  kind: "walk_start",
  version: 1,
  description: "Starts a walk.",
  params: z.strictObject({ at: z.number().default(0) }),
  inputs: {},
  outputs: { walk },
  run: (_context, _inputs, { at }) => Promise.resolve({ walk: { at } }),
});
