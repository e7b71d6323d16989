/** Stage kind `numbers`: integers written digit by digit, all equally good. */
import { z } from "zod";
import { port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "numbers",
  version: 1,
  description: "The integers 0 … max, digit by digit, each with reward 1 (after Hu et al. 2024).",
  params: z.strictObject({
    max: z.int().min(0).default(99).describe("the largest"),
    base: z.int().min(2).max(36).default(10).describe("digits per place"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the numbers") },
  async run(_context, _inputs, params) {
    const { builtInEnvironments } = await import("../../src/gfn/environments/mod.ts");
    return { environment: builtInEnvironments.get("numbers")!(params) };
  },
});
