/** Stage kind `strings`: strings built from both ends, with their own reward. */
import { z } from "zod";
import { port, ports } from "../src/ports/mod.ts";
import { defineStage } from "../src/runner/stage.ts";

export default defineStage({
  kind: "strings",
  version: 1,
  description: "Strings built from both ends, the size of QM9-str (after Shen et al. 2023).",
  params: z.strictObject({
    blocks: z.int().min(2).max(26).default(11).describe("different blocks"),
    length: z.int().min(2).max(12).default(5).describe("blocks of a string"),
    exponent: z.number().positive().default(5).describe("sharpness of the reward"),
    floor: z.number().positive().default(0.001).describe("least score that counts"),
    seed: z.int().min(0).default(0).describe("draws the scores of pairs"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the strings") },
  async run(_context, _inputs, params) {
    const { builtInEnvironments } = await import("../src/gfn/environments/mod.ts");
    return { environment: builtInEnvironments.get("strings")!(params) };
  },
});
