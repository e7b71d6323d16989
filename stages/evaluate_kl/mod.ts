/** Stage kind `evaluate_kl`: how close the policy came to the target, counted where it can be. */
import { z } from "../../src/base/zod.ts";
import { onPolicyObjectives } from "../../src/gfn/objectives/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defaultCount } from "./count_budget.ts";
import { declareStage } from "../../src/pipeline/contract/mod.ts";

const capacity = z.strictObject({
  steps: z.int().positive().default(1000).describe("gradient steps"),
  batch_size: z.int().positive().default(64).describe("exact samples of the target per step"),
  learning_rate: z.number().positive().default(3e-3).describe(
    "learning rate; falls to 0 by a cosine",
  ),
});

const rivals = z.strictObject({
  objectives: z.array(z.enum(onPolicyObjectives.map(({ name }) => name))).min(1)
    .refine((names) => new Set(names).size === names.length, "wanted each objective once at most")
    .default(["reinforce", "grpo"])
    .describe(
      "policy gradients, each at the divergence from the prior whose optimum is the target",
    ),
  batch_size: z.int().min(2).default(32).describe("trajectories per step"),
  learning_rate: z.number().positive().default(3e-3).describe(
    "learning rate; falls to 0 by a cosine",
  ),
});

const targetNoise = z.strictObject({
  share: z.number().positive().max(1).default(0.5)
    .describe("share of the target that is scored again, the most probable programs first"),
  seed: z.int().positive().default(1).describe("added to the seed of the engine"),
});

const reference = z.strictObject({
  name: z.string().min(1).describe("name in the report"),
  derivation: z.array(z.string()).describe("names of productions in the order of choice"),
});

const sampling = z.strictObject({
  samples: z.int().min(2).default(1000).describe("trajectories of the policy"),
  sub_supports: z.int().positive().default(200).describe("random sets of objects"),
  sub_support_size: z.int().min(2).default(64).describe("objects of each set"),
});

const certificate = z.strictObject({
  share: z.number().min(0).max(1).default(0.2)
    .describe("budget of explorers and samples, as a share of training's distinct evaluations"),
  at_least: z.int().min(0).default(200).describe("distinct evaluations, if the share is smaller"),
  list_at_most: z.int().min(0).default(300_000)
    .describe("most objects to list without scoring"),
  seed: z.string().min(1).optional()
    .describe("a reader's own word, which seeds the random numbers"),
  seeds: z.int().min(1).max(20).default(1)
    .describe("number of certificates with different random numbers; the worst is reported"),
});

const bidirectional = z.strictObject({
  samples: z.int().min(2).default(1000).describe(
    "trajectories of the policy, and samples of the target",
  ),
});

const count = z.strictObject({
  seconds: z.number().positive().default(defaultCount.seconds)
    .describe("seconds, converted to objects: no clock is read"),
  per_second: z.number().positive().optional()
    .describe("objects per second (default: 60 if programs are executed, else 10,000)"),
}).refine(
  ({ seconds, per_second: pace = 1 }) => seconds * pace >= 1,
  "wanted a budget of at least one object: raise seconds or per_second",
);

export default declareStage({
  kind: "evaluate_kl",
  version: 2,
  description:
    "Compares a policy with its target, exactly if objects can be enumerated, else by a certificate.",
  params: z.strictObject({
    worst_prefixes: z.int().min(0).default(10).describe(
      "states to which the divergence is attributed",
    ),
    floor_repetitions: z.int().min(0).default(20).describe(
      "repetitions of the perfect sampler; 0: no floor",
    ),
    baseline_repetitions: z.int().min(0).default(0)
      .describe("repetitions of Metropolis–Hastings, sequential Monte Carlo and beam search"),
    budget: z.int().positive().optional()
      .describe(
        "distinct evaluations of each search and rival, at least 64 (default: those of training)",
      ),
    active_surrogate: z.boolean().default(false)
      .describe("whether to compare a surrogate that chooses what to score"),
    capacity: capacity.optional()
      .describe("copy of the network fitted to exact samples of the target"),
    rivals: rivals.optional()
      .describe(
        "fresh networks trained by policy gradients at equal budget",
      ),
    target_noise: targetNoise.optional()
      .describe("programs scored again with another seed of the engine"),
    references: z.array(reference).optional()
      .describe("published programs, ranked among all enumerated ones"),
    enumerate_at_most: z.int().positive().default(250_000)
      .describe("most objects to enumerate; with more, divergences are estimated from samples"),
    count: count.prefault({}).describe(
      "time limit of enumeration; beyond it divergences are estimated from samples",
    ),
    sampling: sampling.prefault({}).describe("estimates where objects cannot be enumerated"),
    bidirectional: bidirectional.optional().describe(
      "lower and upper estimates of log Z, if the target itself can be sampled",
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
