/** Stage kind `bit_sequence`: sequences of bits near hidden ones, with their own reward. */
import { z } from "zod";
import { port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "bit_sequence",
  version: 1,
  description: "Sequences of n bits, k at a time, near one of several modes (Malkin et al. 2022).",
  params: z.strictObject({
    n: z.int().positive().default(16).describe("bits of a sequence, a multiple of 8"),
    k: z.int().positive().default(1).describe("bits per action, a divisor of n"),
    beta: z.number().positive().default(2).describe("the log reward is −beta times the distance"),
    distance: z.enum(["hamming", "edit"]).default("hamming").describe("to the nearest mode"),
    modes: z.int().min(0).default(0).describe(
      "how many, drawn by `seed`; 0 is every concatenation of motifs",
    ),
    seed: z.int().min(0).default(0).describe("draws the modes"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the sequences") },
  async run(_context, _inputs, params) {
    const { builtInEnvironments } = await import("../../src/gfn/environments/mod.ts");
    return { environment: builtInEnvironments.get("bit_sequence")!(params) };
  },
});
