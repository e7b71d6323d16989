/** The certificate of a run: proofs about its policies, for machines. Its JSON Schema. */
import { z } from "../base/zod.ts";
import { subjectKinds } from "../base/measure_subject.ts";
import { verdicts } from "../base/verdicts.ts";

/** JSON has no infinities: a divergence that is infinite is the text "Infinity". */
const real = z.union([z.number(), z.enum(["Infinity", "-Infinity", "NaN"])]);

const measure = z.strictObject({
  value: real,
  mcse: real.describe("Monte Carlo standard error; 0 where the value is exact"),
  ci_lo: real.describe("lower end of a 95 % interval"),
  ci_hi: real.describe("upper end"),
  n: z.int().describe("objects, samples or repetitions that it rests on"),
  method: z.string(),
});

const measures = z.record(z.string(), measure).describe("by what is measured: tv, jsd, log_z, …");

const baseline = z.strictObject({
  kind: z.enum(subjectKinds).exclude(["policy"])
    .describe("compared: a policy that the pipeline names in `compare`; baseline: plain search"),
  name: z.string().describe("for compared the pipeline's own; kind and name tell baselines apart"),
  source: z.string().optional().describe("of a compared policy: the output, as it is wired"),
  measures,
});

const prefixShare = z.strictObject({
  prefix: z.array(z.int()).describe("actions from the initial state"),
  text: z.string(),
  kl_target_policy: real,
  kl_policy_target: real,
  share: real.describe("of KL(target‖policy), or of the EUBO gap on graphs"),
});

const lengthShare = z.strictObject({
  length: z.int().describe("actions, exit included"),
  objects: z.int(),
  target: real,
  policy: real,
});

const modeShare = z.strictObject({
  top: z.number().describe("fraction of all objects, those of largest reward"),
  objects: z.int(),
  target: real,
  policy: real,
  covered: z.number().describe("fraction of them to which the policy gives half their due or more"),
});

const reference = z.strictObject({
  name: z.string(),
  program: z.string().describe("SHA-256 of its text"),
  rank: z.int().describe("by target, among all programs"),
  programs: z.int(),
  target: z.number(),
  policy: z.number(),
  best: z.string().describe("SHA-256 of the likeliest program"),
  elpd_loo: z.number().optional().describe("absent if one of the two could not be scored"),
  elpd_difference: z.number().optional().describe("to the likeliest program, row by row"),
  elpd_difference_se: z.number().optional().describe("over observations"),
  elpd_difference_mcse: z.number().optional(),
});

const explorer = z.strictObject({
  name: z.string(),
  consults_policy: z.boolean().describe("whether what it does depends on the policy"),
  evaluations: z.int().describe("distinct objects that it was the first to ask the reward of"),
  reliable: z.boolean().describe("its samples stand for the target, as far as it can tell itself"),
  found_missed: z.number()
    .describe(
      "share of what both found that it found where the policy gives less than half its due",
    ),
  log_z: z.number().optional(),
  log_z_mcse: z.number().optional(),
  missed: z.number().optional()
    .describe("estimated share of the target that the policy misses, by its samples"),
  missed_mcse: z.number().optional(),
  best: z.string().optional().describe("the find of largest reward that the policy misses"),
});

const point = z.strictObject({
  stage: z.string(),
  step: z.int(),
  trajectories: z.int(),
  distinct_evaluations: z.int(),
  tv: real.optional(),
  kl_target_policy: real.optional(),
  kl_policy_target: real.optional(),
});

const staleness = z.strictObject({
  stage: z.string().describe("whose rows of the table trajectory say so"),
  steps: z.int().describe("most steps between the policy that sampled and the one that learned"),
});

const evaluation = z.strictObject({
  stage: z.string(),
  exact: z.boolean().describe("every object was counted; otherwise estimated from samples"),
  trajectories: z.int().describe("fresh trajectories that the policy learned from"),
  distinct_evaluations: z.int().describe("distinct objects whose reward its training asked for"),
  source: z.string().optional().describe("the policy under evaluation, as it is wired"),
  verdict: z.enum(verdicts).optional().describe(
    "exact: counted; consistent: explorers agree and tv_lower is at most 0.05, no claim beyond; " +
      "bounded: tv_lower is above it; inconsistent: an explorer found what the policy misses; " +
      "unknown: too little is known; absent where no policy was evaluated",
  ),
  verdict_reason: z.string().optional().describe("why, where not everything was counted"),
  not_counted: z.string().optional().describe("how many objects are too many, and what they take"),
  explorers: z.array(explorer).optional().describe("actions and findings of each explorer"),
  policy: measures,
  baselines: z.array(baseline).describe("baselines beside the policy"),
  remarks: z.array(z.string())
    .describe(
      "settings that move the optimum from R / Z, take a reward from outside, or have no bound",
    ),
  attribution: z.array(prefixShare),
  lengths: z.array(lengthShare),
  modes: z.array(modeShare),
  references: z.array(reference).optional().describe("published programs among all"),
});

const spreadMeasure = z.strictObject({
  n: z.int().describe("instances"),
  median: z.number(),
  min: z.number(),
  max: z.number(),
});

const spread = z.strictObject({
  stage: z.string().describe("in the pipeline file"),
  instances: z.array(z.string()).describe("among the evaluations"),
  seeds: z.array(z.int()).describe("of each instance"),
  policy: z.record(z.string(), spreadMeasure).describe("by what is measured"),
  verdicts: z.record(z.string(), z.int()).describe("how many instances have each"),
});

/** `certificate.json` beside a run. */
export const certificateSchema = z.strictObject({
  format: z.literal(2),
  run: z.strictObject({
    run_id: z.string(),
    pipeline: z.string(),
    name: z.string(),
    seed: z.int(),
    versions: z.record(z.string(), z.string()),
  }),
  evaluations: z.array(evaluation),
  spread: z.array(spread).optional().describe("over the seeds, where a pipeline asks for several"),
  staleness: z.array(staleness).optional().describe("where batches were of older policies"),
  course: z.array(point).describe("divergences while training went on"),
  artifacts: z.record(z.string(), z.string()).describe("SHA-256 of every output, by stage.port"),
}).describe("Proofs of a run of Sluice about its policies.");

/** Content of `certificate.json`. */
export type Certificate = z.output<typeof certificateSchema>;

/** Evaluation by one stage of a certificate's run. */
export type CertificateEvaluation = Certificate["evaluations"][number];

/** Measures of one stage, over its instances. */
export type CertificateSpread = z.output<typeof spread>;

/** Results of one explorer of an evaluation. */
export type CertificateExplorer = NonNullable<CertificateEvaluation["explorers"]>[number];

/** Baseline of a policy's evaluation. */
export type CertificateBaseline = CertificateEvaluation["baselines"][number];

/** A number of a certificate: infinities and NaN are text. */
export type CertificateReal = CertificateMeasure["value"];

/** One measure of a certificate. */
export type CertificateMeasure = z.output<typeof measure>;

/** The JSON Schema of `certificate.json`, as text. */
export function certificateSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(certificateSchema), null, 2)}\n`;
}
