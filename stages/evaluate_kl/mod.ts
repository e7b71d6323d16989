/** Stage kind `evaluate_kl`: how close the policy came to the target, counted where it can be. */
import { z } from "../../src/base/zod.ts";
import { onPolicyObjectives } from "../../src/gfn/objectives/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defaultCount } from "./count_budget.ts";
import { declareStage } from "../../src/pipeline/contract/mod.ts";

const capacity = z.strictObject({
  steps: z.int().positive().default(1000).describe("gradient steps"),
  batch_size: z.int().positive().default(64).describe("exact samples of the target per step"),
  learning_rate: z.number().positive().default(3e-3).describe("falls to 0 by a cosine"),
});

const rivals = z.strictObject({
  objectives: z.array(z.enum(onPolicyObjectives.map(({ name }) => name))).min(1)
    .refine((names) => new Set(names).size === names.length, "wanted each objective once at most")
    .default(["reinforce", "grpo"])
    .describe(
      "policy gradients, each at the divergence from the prior whose optimum is the target",
    ),
  batch_size: z.int().min(2).default(32).describe("trajectories per step"),
  learning_rate: z.number().positive().default(3e-3).describe("falls to 0 by a cosine"),
});

const targetNoise = z.strictObject({
  share: z.number().positive().max(1).default(0.5)
    .describe("of the target: its likeliest programs are scored again"),
  seed: z.int().positive().default(1).describe("added to the seed of the engine"),
});

const reference = z.strictObject({
  name: z.string().min(1).describe("how the report calls it"),
  derivation: z.array(z.string()).describe("names of productions in the order of choice"),
});

const sampling = z.strictObject({
  samples: z.int().min(2).default(1000).describe("trajectories of the policy"),
  sub_supports: z.int().positive().default(200).describe("random sets of objects"),
  sub_support_size: z.int().min(2).default(64).describe("objects of each"),
});

const certificate = z.strictObject({
  share: z.number().min(0).max(1).default(0.2)
    .describe("of training's distinct evaluations, that explorers and samples may ask for"),
  at_least: z.int().min(0).default(200).describe("distinct evaluations, if that share is less"),
  list_at_most: z.int().min(0).default(300_000)
    .describe("objects up to which they are listed though not scored, to choose among"),
  seed: z.string().min(1).optional()
    .describe("a reader's own word: random numbers follow from it too, which no author knew"),
  seeds: z.int().min(1).max(20).default(1)
    .describe("certificates, each by its own random numbers; the worst is reported"),
});

const bidirectional = z.strictObject({
  samples: z.int().min(2).default(1000).describe("walks of the policy, and samples of the target"),
});

const count = z.strictObject({
  seconds: z.number().positive().default(defaultCount.seconds)
    .describe("that counting may take; reckoned in objects, no clock is read"),
  per_second: z.number().positive().optional()
    .describe("objects in a second: 60 if they are executed, else 10,000, if left out"),
}).refine(
  ({ seconds, per_second: pace = 1 }) => seconds * pace >= 1,
  "wanted a budget of at least one object: raise seconds or per_second",
);

export default declareStage({
  kind: "evaluate_kl",
  version: 2,
  description: "Holds a policy against its target: exactly where objects can be counted.",
  params: z.strictObject({
    worst_prefixes: z.int().min(0).default(10).describe(
      "prefixes that the divergence is put down to",
    ),
    floor_repetitions: z.int().min(0).default(20).describe("repetitions of the perfect sampler"),
    baseline_repetitions: z.int().min(0).default(0)
      .describe("repetitions of Metropolis–Hastings and sequential Monte Carlo"),
    budget: z.int().positive().optional()
      .describe("distinct evaluations of each search and rival; those of training if left out"),
    active_surrogate: z.boolean().default(false)
      .describe("put a surrogate beside it that chooses what is scored, without a policy"),
    capacity: capacity.optional()
      .describe("fit a copy of the network to exact samples of the target, as a floor"),
    rivals: rivals.optional()
      .describe(
        "train fresh networks of the same shape by reinforcement learning, at equal budget",
      ),
    target_noise: targetNoise.optional()
      .describe("score part of the target again with another seed of the engine"),
    references: z.array(reference).optional()
      .describe("published programs, to be ranked among all that are counted"),
    enumerate_at_most: z.int().positive().default(250_000)
      .describe("objects; with more, divergences are estimated from samples"),
    count: count.prefault({}).describe("time that counting may take; beyond it, the same"),
    sampling: sampling.prefault({}).describe("where objects cannot be counted"),
    bidirectional: bidirectional.optional().describe(
      "estimates from both sides of log Z, where the target itself can be sampled",
    ),
    certificate: certificate.prefault({})
      .describe("budget of the certificate where objects cannot be enumerated"),
  }),
  inputs: {
    policy: port(ports.policy, "the policy to evaluate"),
    target: optionalPort(ports.target, "the distribution to compare it with"),
    environment: optionalPort(
      ports.environment,
      "instead of a target: an environment that states its own log reward",
    ),
    scored: optionalPort(ports.scored, "every reward that training asked for: bounds rest on them"),
    surrogate: optionalPort(
      ports.surrogate,
      "a surrogate, to be checked against the target as well",
    ),
    prompts: optionalPort(
      ports.prompts,
      "prompts of the policy, held out or not: each is enumerated",
    ),
  },
  outputs: { evaluation: port(ports.evaluation, "measures of the policy and of every baseline") },
  wired: {
    compare: port(ports.policy, "policies to put beside it, each by a name of your own"),
    targets: port(ports.target, "with prompts: one for each, by its id, instead of one for all"),
  },
  uses: ["executor", "oracle"],
  checks: true,
  random: true,
  tensors: true,
});
