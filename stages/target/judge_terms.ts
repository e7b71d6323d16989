/** Terms of a log reward that judges with settings say: `format`, `rubric`, `llm_critic`, `composite`. */
import { z } from "../../src/base/zod.ts";

const parts = z.array(z.string().min(1)).min(1);

const name = {
  name: z.string().min(1).optional()
    .describe("name in the table judgement, if a target has two judges of a kind"),
};

const critic = {
  oracle: z.string().min(1).describe("the stage of kind oracle that answers"),
  askings: z.int().min(1).max(24).default(3)
    .describe(
      "number of times it is asked, each with the answers in another order; the median counts",
    ),
  least_share: z.number().gt(0).lt(1).default(0.01)
    .describe("total probability of the answers below which there is none"),
};

const format = z.strictObject({
  judge: z.literal("format"),
  ...name,
  code_block: z.enum(["one", "none"]).optional()
    .describe(
      "one: one fenced block of code, half the score if there is other text; none: no fence",
    ),
  most_characters: z.int().min(1).optional().describe(
    "characters of full score; a text twice as long gets half",
  ),
  most_lines: z.int().min(1).optional().describe(
    "lines of full score; a text with twice as many gets half",
  ),
  forbidden: parts.optional().describe("strings that its code must not contain"),
});

const criterion = z.strictObject({
  name: z.string().min(1).describe("name in messages and rows"),
  weight: z.number().positive().default(1).describe("weight in the mean"),
  contains: parts.optional().describe("strings of which one must occur"),
  lacks: parts.optional().describe("strings of which none may occur"),
  most_lines: z.int().min(1).optional().describe("most lines that are not empty"),
  where: z.enum(["code", "text"]).optional()
    .describe("text searched; code: without comments and strings (default); text: all"),
  question: z.string().min(1).optional().describe(
    "question to the oracle, which answers yes or no",
  ),
  oracle: critic.oracle.optional(),
  askings: critic.askings.unwrap().optional()
    .describe("with question: number of times it is asked (default: 3)"),
  least_share: critic.least_share.unwrap().optional()
    .describe(
      "with question: total probability of yes and no below which there is no answer (default: 0.01)",
    ),
}).superRefine((one, context) => {
  const { contains, lacks, most_lines, where, question, oracle, askings, least_share } = one;
  const problem = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  const code = Object.entries({ contains, lacks, most_lines, where });
  const asked = Object.entries({ oracle, askings, least_share });
  const isSet = ([, value]: [string, unknown]) => value !== undefined;
  if (question !== undefined) {
    if (oracle === undefined) problem("oracle", "a question wants an oracle");
    const [extra] = code.filter(isSet);
    if (extra) problem(extra[0], `an oracle answers the question: leave out ${extra[0]}`);
    return;
  }
  const [extra] = asked.filter(isSet);
  if (extra) problem(extra[0], `wanted question beside ${extra[0]}`);
  else if (!code.slice(0, 3).some(isSet)) {
    problem("name", "wanted contains, lacks or most_lines beside it, or question and oracle");
  }
});

const rubric = z.strictObject({
  judge: z.literal("rubric"),
  ...name,
  criteria: z.array(criterion).min(1).describe("criteria; the score is their weighted mean")
    .refine(haveOwnNames(({ name }: { name: string }) => name), "two criteria have the same name"),
});

const llmCritic = z.strictObject({
  judge: z.literal("llm_critic"),
  ...name,
  ...critic,
  rubric: z.string().min(1).describe("description of a good text"),
  answers: z.array(z.string().min(1)).min(2).max(12).optional()
    .describe('possible answers, the worst first (default: "1" … "5")')
    .refine(
      (all) => all === undefined || new Set(all).size === all.length,
      "two answers are alike",
    ),
  grades: z.array(z.number().min(0).max(1)).optional()
    .describe("score of each answer (default: evenly from 0 to 1)"),
  data: z.boolean().default(true).describe("whether it sees names and ranges of the columns"),
}).superRefine(({ answers, grades }, context) => {
  const wanted = answers?.length ?? 5;
  if (grades && grades.length !== wanted) {
    const message = `wanted ${wanted} numbers, one for each answer`;
    context.addIssue({ code: "custom", path: ["grades"], message });
  }
});

const weight = z.number().default(1).describe("weight of its score");

const part = z.union([
  format.extend({ weight }),
  rubric.extend({ weight }),
  z.strictObject({ ...llmCritic.shape, weight }),
]);

const composite = z.strictObject({
  judge: z.literal("composite"),
  ...name,
  by: z.enum(["sum", "log_product"])
    .describe("sum: Σ weight × score; log_product: Σ weight × log score, scores at least 0.001"),
  parts: z.array(part).min(1).describe("judges of texts with their weights")
    .refine(
      haveOwnNames((one: z.output<typeof part>) => one.name ?? one.judge),
      "two parts have the same name: give each one of its own",
    ),
});

const ofTarget = {
  weight: weight.describe("nats for a score of 1; in a log_product a factor"),
};

/** A term as a target writes it. */
export const settledTerm = z.union([
  format.extend(ofTarget),
  rubric.extend(ofTarget),
  llmCritic.safeExtend(ofTarget),
  composite.extend(ofTarget),
]);

/** Wires of terms, to what answers them. */
export const criticPaths = [
  "log_reward.*.criteria.*.oracle",
  "log_reward.*.parts.*.oracle",
  "log_reward.*.parts.*.criteria.*.oracle",
] as const;

function haveOwnNames<T>(name: (one: T) => string) {
  return (all: readonly T[]) => new Set(all.map(name)).size === all.length;
}
