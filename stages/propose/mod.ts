/** Stage kind `propose`: trajectories beside the policy's own, for objectives that learn off policy. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath, modulePath } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const count = (what: string) => z.int().positive().default(8).describe(what);

const localSearch = z.strictObject({
  count: count("starts per step"),
  from: z.enum(["best", "fresh"]).default("best").describe(
    "starts: by rank of reward among the best objects met so far, or this step's own walks",
  ),
  rounds: z.int().positive().default(1).describe("of cutting and growing again"),
  cut: z.number().positive().max(1).default(0.5).describe("share of a way that is cut at most"),
  rejoin: z.boolean().default(false).describe(
    "the cut is a piece from anywhere, and the old way goes on behind it where that is legal",
  ),
});

const particles = z.strictObject({
  count: count("particles that move at every step"),
  until: z.number().positive().max(1).default(0.5)
    .describe("fraction of the loop at which they have come from broad walks to the target"),
});

const teacher = z.strictObject({
  count: count("walks of the teacher per step"),
  mixing: z.number().min(0).max(1).default(0.5).describe("share of log R in its log reward"),
  missed: z.number().min(0).default(19)
    .describe("how much more a loss counts, less 1, where the policy gives too little"),
  learning_rate: z.number().positive().default(3e-3).describe(
    "of its network, which is a fresh one",
  ),
});

const thompson = z.strictObject({
  count: count("walks per step, all of one member that is drawn for it"),
  heads: z.int().min(2).max(64).default(5).describe("members of the ensemble, a network each"),
  keep: z.number().positive().max(1).default(0.5)
    .describe("share of every batch that each member learns from, drawn for it alone"),
  learning_rate: z.number().positive().default(3e-3).describe("of every member"),
});

const broad = z.strictObject({
  count: count("walks per step, half by the prior, half by walkers who like some actions better"),
});

const programs = z.strictObject({
  path: filePath().describe(
    'JSON lines: { "derivation": [names of productions, without the exit] }',
  ),
  count: count("of them per step, in turn"),
});

const own = z.strictObject({
  path: modulePath().describe("a module made with defineProposer"),
  count: count("ways per step at most"),
  parameters: z.record(z.string(), z.unknown()).default({}).describe("told to it at every step"),
});

export default declareStage({
  kind: "propose",
  version: 1,
  description:
    "Adds trajectories to those of the policy: search, a teacher, an ensemble, programs, one's own.",
  params: z.strictObject({
    local_search: localSearch.optional().describe(
      "cuts good ways and lets the policy grow them again",
    ),
    particles: particles.optional().describe("annealed from broad walks to the target"),
    teacher: teacher.optional().describe("a second policy that goes where the loss is"),
    thompson: thompson.optional().describe(
      "an ensemble that disagrees where little was seen, one of it drawn per batch",
    ),
    broad: broad.optional().describe("walks that reach everywhere"),
    programs: programs.optional().describe("programs that people or other tools wrote"),
    own: own.optional().describe("a proposer of one's own"),
    memory: z.int().positive().default(1000).describe(
      "best objects that local search starts from and a proposer of one's own is told",
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
