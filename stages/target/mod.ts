/** Stage kind `target`: states the target of learning once: R(program) on this data. */
import { z } from "../../src/base/zod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { optionalChatKeys } from "../common/chat_settings.ts";
import { authors, looksAtShownRows, unseenJudge } from "./author.ts";
import { declareStage, modulePath } from "../../src/pipeline/contract/mod.ts";
import { criticPaths, settledTerm } from "./judge_terms.ts";
import { builtInJudges } from "../../src/engine/score/judges/mod.ts";
import { containerExecutor, executorNames } from "../../src/executor/front_ends/mod.ts";
import { defaultSchedule } from "../../src/engine/score/execution/mod.ts";

const weight = z.number().refine(
  (value) => value !== 0,
  "wanted another weight than 0: it rewards nothing",
);

const oracleTerm = z.strictObject({
  oracle: z.string().min(1).describe("a stage of the kind oracle"),
  of: z.enum(["x", "y|x"]).describe("text to score: the object itself, or an answer given it"),
  weight: weight.default(1).describe("factor of log p, β; not 0"),
  template: z.string().optional()
    .describe("of y|x: Jinja that makes the prompt of the object, {{ x }}"),
  answer: z.union([
    z.string().min(1, "wanted a completion that is not empty"),
    z.strictObject({
      generate: z.literal(true).describe("the oracle writes y for each x"),
      temperature: z.number().positive().max(100).default(1).describe(
        "temperature at which y is drawn",
      ),
      most_tokens: z.int().positive().max(4096).default(32).describe("most tokens of y"),
      fresh: z.boolean().default(false)
        .describe("whether y is drawn again each time x is rewarded"),
    }),
  ]).optional().describe("of y|x: text scored after the prompt, y; its end token counts"),
  given: z.string().min(1, "wanted a text that is not empty").optional()
    .describe("of x: text before the object that is not scored, such as a prompt"),
  chat: z.boolean().optional()
    .describe("wraps the text as a turn of a conversation by the model's template"),
  system: z.string().optional()
    .describe("of a conversation: its first turn (default: the one of the model's template)"),
  ...optionalChatKeys,
}).superRefine((term, context) => {
  const { of, template, answer, given, chat } = term;
  const problem = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (of === "y|x" && template === undefined) problem("template", 'of = "y|x" wants a template');
  if (of === "y|x" && answer === undefined) problem("answer", 'of = "y|x" wants an answer');
  const own = Object.entries(of === "x" ? { template, answer } : { given });
  const extra = own.find(([, value]) => value !== undefined)?.[0];
  const scores = of === "x" ? "scores the object alone" : "is given what its template makes";
  if (extra) problem(extra, `of = "${of}" ${scores}: leave out ${extra}`);
  if (of === "x" && chat && given === undefined) problem("chat", "wanted given beside it");
  for (const key of ["system", "template_variables", "tools"] as const) {
    if (term[key] !== undefined && !chat) problem(key, "wanted chat = true beside it");
  }
});

const judgeTerm = z.strictObject({
  judge: z.union([z.enum([...builtInJudges.keys()]), modulePath()])
    .describe("a built-in judge, or the path of a module made with defineJudge"),
  weight: z.number().default(1).describe("factor of the judge's log reward"),
});

const schedule = z.strictObject({
  chains: z.int().min(2).default(defaultSchedule.chains).describe("number of chains"),
  tune: z.int().min(20).default(defaultSchedule.tune).describe("tuning steps of a chain"),
  draws: z.int().min(50).default(defaultSchedule.draws).describe("draws of a chain"),
  target_mcse: z.number().positive().default(defaultSchedule.targetMcse)
    .describe("Monte Carlo standard error of ELPD-LOO, nats, above which drawing goes on"),
  max_mcse: z.number().positive().default(defaultSchedule.maxMcse)
    .describe("Monte Carlo standard error, nats, above which an estimate is no score"),
  max_gradients: z.int().positive().default(defaultSchedule.maxGradients)
    .describe("gradient evaluations after which a program has failed"),
  seed: z.int().min(0).default(0).describe("changes every random number of the engine"),
});

/** Judges of one's own are asked when the target is made. */
function isUnseen(judge: string): boolean {
  const builtIn = builtInJudges.get(judge);
  return !builtIn || !looksAtShownRows(builtIn);
}

export default declareStage({
  kind: "target",
  version: 1,
  description: "Combines environment, data, executor and judges into a target.",
  params: z.strictObject({
    executor: z.union([z.enum(executorNames), containerExecutor, modulePath()]).default("native")
      .describe(
        "reader of programs: a built-in executor, a container, or a module made with defineExecutor",
      ),
    log_reward: z.array(z.union([judgeTerm, settledTerm, oracleTerm])).min(1)
      .describe("judges and oracles; their weighted sum is the log reward"),
    schedule: schedule.prefault({}).describe("effort of the sampler"),
    unit: z.enum(["row", "group"]).optional()
      .describe(
        "unit that cross-validation leaves out (default: row, with a warning if there are groups or times)",
      ),
    rows: z.enum(["exchangeable", "ordered"]).default("exchangeable")
      .describe("whether programs may use the order of rows: random walks, lags, np.arange"),
    time: z.string().optional()
      .describe(
        "column that orders the rows; each is then predicted from those before it, by the judge elpd_lfo",
      ),
    time_first: z.int().min(1).optional()
      .describe("with time: number of first rows not scored (default: a quarter)"),
    time_ahead: z.int().min(1).default(1)
      .describe("with time: number of rows predicted at once"),
    author: z.enum(authors).optional()
      .describe(
        "whether the author of the programs has seen the response; then only elpd_holdout rewards (default: informed for an own environment, else blind)",
      ),
    confirm: z.number().gt(0).lt(1).optional()
      .describe(
        "share of the rows that neither a reward nor a choice reads; the likeliest programs are checked on them",
      ),
    literals: z.boolean().optional()
      .describe(
        "whether digits of constants cost log reward, by the judge literals (default: if an author writes numbers)",
      ),
    failure_margin: z.number().min(0).default(5)
      .describe("nats by which a failed program is worse than the null program"),
  }).refine(
    ({ author, log_reward: terms }) =>
      author !== "informed" || terms.every((one) => !("judge" in one) || isUnseen(one.judge)),
    `author = "informed" is rewarded by rows that it never saw: wanted { judge = "${unseenJudge}" }, ` +
      "and holdout = { share = 0.2 } in the stage that reads the data",
  ),
  inputs: {
    environment: port(ports.environment, "whose programs are rewarded"),
    prompts: optionalPort(ports.prompts, "prompts of the policy; they decide which data it sees"),
    data: optionalPort(ports.dataset, "the data to explain; needed where a judge rewards"),
  },
  outputs: { target: port(ports.target, "the target") },
  wired: {
    "log_reward.*.oracle": port(ports.oracle, "the oracle of a term"),
    ...Object.fromEntries(criticPaths.map((path) => [path, port(ports.oracle, "a critic")])),
  },
  uses: ["executor"],
  checks: true,
});
