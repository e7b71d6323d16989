/** Stage kind `propose`: trajectories beside the policy's own, for objectives that learn off policy. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath, modulePath } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const count = (what: string) => z.int().positive().default(8).describe(what);

const localSearch = z.strictObject({
  count: count("starts per step"),
  from: z.enum(["best", "fresh"]).default("best").describe(
    "starts: by rank of reward among the best objects so far, or fresh trajectories of this step",
  ),
  rounds: z.int().positive().default(1).describe("rounds of cutting and completing"),
  cut: z.number().positive().max(1).default(0.5).describe(
    "largest share of a trajectory's actions that is cut",
  ),
  rejoin: z.boolean().default(false).describe(
    "whether the cut may be anywhere, with the old actions after it kept if legal: for sequences",
  ),
});

const particles = z.strictObject({
  count: count("particles that move at every step"),
  until: z.number().positive().max(1).default(0.5)
    .describe("fraction of the loop at which they reach the target"),
});

const teacher = z.strictObject({
  count: count("trajectories of the teacher per step"),
  mixing: z.number().min(0).max(1).default(0.5).describe("share of log R in its log reward"),
  missed: z.number().min(0).default(19)
    .describe("factor, less 1, of losses where the policy's probability is too small"),
  learning_rate: z.number().positive().default(3e-3).describe(
    "learning rate of its network, a fresh one",
  ),
});

const thompson = z.strictObject({
  count: count("trajectories per step, all of one member"),
  heads: z.int().min(2).max(64).default(5).describe("networks of the ensemble"),
  keep: z.number().positive().max(1).default(0.5)
    .describe("random share of every batch that a member learns from"),
  learning_rate: z.number().positive().default(3e-3).describe("learning rate of the members"),
});

const broad = z.strictObject({
  count: count(
    "trajectories per step: half by the prior, half by policies that prefer the same random actions in every state",
  ),
});

const programs = z.strictObject({
  path: filePath().describe(
    'JSON lines: { "derivation": [names of productions, without the exit] }',
  ),
  count: count("programs per step, in turn"),
});

const own = z.strictObject({
  path: modulePath().describe("a module made with defineProposer"),
  count: count("most trajectories per step"),
  parameters: z.record(z.string(), z.unknown()).default({}).describe(
    "its parameters at every step",
  ),
});

export default declareStage({
  kind: "propose",
  version: 1,
  description: "Adds trajectories: local search, a teacher, an ensemble, files, own proposers.",
  params: z.strictObject({
    local_search: localSearch.optional().describe(
      "local search: cuts trajectories of good objects and lets the policy complete them",
    ),
    particles: particles.optional().describe(
      "a population annealed from broad trajectories to the target",
    ),
    teacher: teacher.optional().describe(
      "a second network that samples where the policy's loss is large (Kim et al. 2025)",
    ),
    thompson: thompson.optional().describe(
      "an ensemble of networks, of which one per batch samples (Rector-Brooks et al. 2023)",
    ),
    broad: broad.optional().describe("broad trajectories"),
    programs: programs.optional().describe("programs of people or other tools"),
    own: own.optional().describe("an own proposer"),
    memory: z.int().positive().default(1000).describe(
      "number of best objects kept for local search and own proposers",
    ),
  }).refine(
    (given) => Object.keys(given).length > 1,
    "wanted local_search, particles, teacher, thompson, broad, programs or own: nothing proposes",
  ),
  inputs: {
    policy: port(ports.policy, "whose log probabilities the trajectories get"),
    trajectories: port(ports.trajectories, "its own, which come first"),
    target: optionalPort(
      ports.target,
      "their reward; left out where the environment states its own",
    ),
  },
  outputs: { trajectories: port(ports.trajectories, "all of them: fresh ones, then proposals") },
  uses: ["executor", "oracle"],
  random: true,
  tensors: true,
  checks: true,
});
