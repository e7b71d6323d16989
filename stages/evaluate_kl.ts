/** Stage kind `evaluate_kl`: how close the policy came to the target, counted, not estimated. */
import { z } from "zod";
import { lazyInstance } from "../src/ports/lazy_instance.ts";
import { port, ports } from "../src/ports/mod.ts";
import { defineStage } from "../src/runner/stage.ts";

export default defineStage({
  kind: "evaluate_kl",
  version: 1,
  description: "Scores every program of the environment and compares policy and target exactly.",
  params: z.strictObject({
    worst_prefixes: z.int().min(0).default(10).describe(
      "prefixes that the divergence is put down to",
    ),
    floor_repetitions: z.int().min(0).default(20).describe("repetitions of the perfect sampler"),
  }),
  inputs: {
    policy: port(ports.policy, "what is evaluated"),
    target: port(ports.target, "what it is held against"),
  },
  outputs: { evaluation: port(ports.evaluation, "measures by name") },
  wired: { compare: port(ports.policy, "policies to put beside it, by suffix") },
  uses: ["executor"],
  random: true,
  tensors: true,
  open: (params) =>
    lazyInstance(async () => new (await import("../src/ports/evaluator.ts")).Evaluator(params)),
});
