/** Ends its process as a crash would, or never ends. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "crashing",
  version: 1,
  description: "Crashes, or hangs.",
  params: z.strictObject({ hang: z.boolean().default(false) }),
  inputs: {},
  outputs: {},
  run(context, _inputs, { hang }) {
    context.metric("tries", 1);
    if (hang) return new Promise(() => {});
    setTimeout(() => Deno.exit(139), 1);
    return new Promise(() => {});
  },
});
