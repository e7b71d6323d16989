/** JSON Schema of the answer of a run: probabilities of answers to each question, with their uncertainty. */
import { z } from "../base/zod.ts";

const probability = z.number().min(0).max(1);
const none = "null where the reward is no sum over rows, or no program that answers so was scored";
const bound = probability.nullable().describe(
  `of the middle 90 % of bootstraps of the rows; where target is null, its bound if no program ` +
    `without a score predicts better than the best with one; ${none}`,
);
const whole = probability.nullable()
  .describe(
    `the same with the error of the fits, which rows cannot show (as printed); ${none}`,
  );

const spread = z.strictObject({
  median: probability,
  lo: probability.describe("5 % quantile"),
  hi: probability.describe("95 % quantile"),
});

const target = probability.nullable();
const open = "null where programs without a score could change it: then lo and hi bound it";

const answerShare = z.strictObject({
  answer: z.string(),
  prior: probability.describe("before the data, over the whole space"),
  scored: z.int().describe("programs with a score that answer so"),
  target: target.describe(`after the data: prior × exp(ELPD); ${open}`),
  lo: bound,
  hi: bound,
  whole_lo: whole,
  whole_hi: whole,
});

const difference = z.strictObject({
  answer: z.string().describe("the likeliest"),
  other: z.string().describe("the next"),
  elpd_difference: z.number().describe("nats; of the mixtures of their programs"),
  se: z.number().describe("over rows, or groups"),
  error: z.number()
    .describe("with the part that rows cannot show: the square root of se² + parameters"),
  parameters: z.number().describe(
    "that tell the two apart: difference of their effective numbers, 0.5 at least; 1 if unknown",
  ),
  verdict: z.enum(["apart", "alike", "small"])
    .describe("apart: larger than twice its error; small: below 4 nats, its error means little"),
  reliable: z.boolean().describe("false if it is small, or there are fewer than 100 rows"),
  deciding: z.strictObject({
    rows: z.array(z.int()).describe(
      "from 1, in the order of the rows, or groups, that were scored",
    ),
    elpd_difference: z.number().describe("without them"),
  }).nullable().describe("fewest rows, five at most, that it takes to be small or turned"),
});

const question = z.strictObject({
  question: z.string(),
  answers: z.array(answerShare)
    .describe("the likeliest first; `not asked`, where the question does not arise, last"),
  difference: difference.nullable().describe("of the two likeliest answers"),
  flat_prior: z.record(z.string(), probability.nullable())
    .describe("targets if all programs were as likely; null where targets are"),
});

const ratio = z.strictObject({
  name: z.string().describe("odds ratio, rate ratio, time ratio, ratio"),
  mean: z.number().describe("exponential of the effect's mean"),
  lo: z.number(),
  hi: z.number(),
});

const effect = z.strictObject({
  term: z.string(),
  against: z.string().nullable()
    .describe("the level that a level of a category is compared with; null for other terms"),
  mean: z.number().describe("averaged over the programs that have it"),
  lo: z.number().describe("5 % quantile: posterior, programs and bootstraps together"),
  hi: z.number().describe("95 % quantile"),
  at: z.string().nullable()
    .describe("of a product: where the effects of its factors hold, in models that have it"),
  ratio: ratio.nullable().describe("the exponential of the effect, where it is a ratio"),
  share: probability.nullable().describe(
    "of the target: summarised programs that have it; null where programs have no score",
  ),
});

const model = z.strictObject({
  answers: z.array(z.string()).describe("one to each question, in their order"),
  model: z.string().describe("as a formula, or its answers where questions are about no terms"),
  programs: z.int().describe("scored programs that give these answers"),
  prior: probability,
  target: target.describe(open),
  lo: bound,
  hi: bound,
  whole_lo: whole,
  whole_hi: whole,
  stacking: probability.nullable()
    .describe("weight in the mixture that predicts left-out rows best, over all programs"),
  pseudo_bma_plus: probability.nullable().describe("mean of the target over bootstraps"),
  literals: z.number().nullable()
    .describe(
      "charge for digits of its constants, nats, averaged over its programs; null where none is",
    ),
});

const confirmed = z.strictObject({
  promised: z.number().describe("nats: mean of the rows that were read, times those that confirm"),
  confirmed: z.number().describe("nats, over the rows that confirm"),
  error: z.number().describe("standard error of the difference, over rows of both kinds"),
});

const confirmation = z.strictObject({
  rows: z.int().describe("that no reward and no choice has read"),
  programs: z.int().describe("likeliest programs that were scored on them"),
  share: probability.describe("of the target that these hold"),
  winner: confirmed.describe("the likeliest program"),
  mixture: confirmed.describe("of these programs by their target"),
});

/** `answer.json` beside a run. */
export const answerSchema = z.strictObject({
  format: z.literal(1),
  run: z.strictObject({
    run_id: z.string(),
    pipeline: z.string(),
    name: z.string(),
    seed: z.int(),
    stage: z.string().describe("the stage that scored the programs"),
  }).optional(),
  programs: z.int().describe("of the space"),
  scored: z.int().describe("programs with a score"),
  failed: z.int().describe("programs that were executed and have none"),
  failed_at_most: probability.nullable()
    .describe("target that these would have if each predicted as well as the best of the others"),
  raised: z.int().describe(
    "scored programs that predict so badly that the reward of policies was raised to a floor; " +
      "here they count by their own score",
  ),
  raised_at_floor: probability.describe("target that these would have at that floor"),
  models: z.int().describe("different sets of answers to all questions"),
  complete: z.boolean().describe("every program of the space was executed"),
  unscored_prior: probability.describe("prior of what was not executed or has no score"),
  rows: z.int(),
  unit: z.enum(["row", "group"]).describe("unit left out and bootstrapped"),
  formula: z.string().nullable()
    .describe("left side and terms of all programs, where questions are about terms"),
  questions: z.array(question),
  effects: z.array(effect),
  likeliest: z.array(model).describe("the ten models of largest target"),
  bootstrap_tv: spread.nullable()
    .describe("total variation between the target and its bootstraps; null without rows"),
  engine_tv: spread.describe("between the target and what another seed of the engine would give"),
  prior_sensitivity: z.array(z.strictObject({
    question: z.string(),
    answer: z.string().describe("the likeliest"),
    other: z.string().describe("the next"),
    parameters: z.array(z.string())
      .describe("of the likeliest programs of the two, those that one has and the other has not"),
    width: z.number().describe("how many times as wide their priors were"),
    moves: z.number().describe("nats, of the likeliest answer's log odds against the next"),
    target: probability.nullable().describe("of the likeliest answer with these priors"),
    rests: z.boolean().describe(
      "the answer rests on these priors: it would be another, it would fall below 0.9, or it " +
        "moves by more than 2 nats",
    ),
  })).describe("moves of each question by wider priors of its parameters, where it has such"),
  prior_scaling: z.array(z.strictObject({
    power: z.number().describe("of the prior over programs; 0 is flat"),
    tv: probability.describe("from the target"),
  })),
  winner: z.strictObject({
    same_in_bootstraps: probability.describe("share in which the likeliest program is the same"),
    expected_bias: z.number().describe("selection bias of its ELPD, nats"),
    lead: z.number().describe("its ELPD less that of the median program"),
    lead_by_chance: z.number().describe("expected if all programs predicted equally well"),
    searched: z.int().describe("programs that were tried, those that were not listed too"),
    search_bias: z.number().describe(
      "nats that the best of so many tries of one number gains where nothing is to be found",
    ),
  }).nullable(),
  confirmation: confirmation.nullable()
    .describe("scores of the likeliest programs on rows kept for it; null where none were"),
  stacking_gap: z.number().nullable()
    .describe("bound on what the stacked log score of a row could still gain"),
  sentences: z.array(z.string()).describe("the answer in words"),
}).describe("Answers of the data to the questions of a space of programs, with their uncertainty.");

/** Contents of `answer.json`. */
export type Answer = z.output<typeof answerSchema>;

/** One question of an answer. */
export type AnsweredQuestion = Answer["questions"][number];

/** The JSON Schema of `answer.json`, as text. */
export function answerSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(answerSchema), null, 2)}\n`;
}
