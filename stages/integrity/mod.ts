/** Stage kind `integrity`: whether the best programs keep what every honest likelihood keeps. */
import { z } from "../../src/base/zod.ts";
import { port, ports } from "../ports/mod.ts";
import { declareStage } from "../../src/pipeline/contract/mod.ts";

export default declareStage({
  kind: "integrity",
  version: 1,
  description:
    "Checks the best programs: each likelihood is a distribution, and rows have no order.",
  params: z.strictObject({
    top: z.int().positive().default(10).describe("programs with the largest log rewards"),
    samples: z.int().positive().default(500)
      .describe("trajectories searched for the best programs, if not all can be enumerated"),
    enumerate_at_most: z.int().positive().default(250_000).describe("most programs to enumerate"),
    parameter_draws: z.int().positive().default(5)
      .describe("draws of the parameters from their priors at which likelihoods are integrated"),
  }),
  inputs: {
    policy: port(ports.policy, "the sampler of programs, where they cannot be enumerated"),
    target: port(ports.target, "their reward"),
  },
  outputs: { evaluation: port(ports.evaluation, "measures of the best programs") },
  uses: ["executor"],
  gate: { name: "nothing against the best programs", measure: "integrity_violations" },
  random: true,
  tensors: true,
});
