/** Stage kind `prompts`: what a policy is asked about a data set, by templates of the pipeline. */
import type { Dataset } from "../../src/base/dataset.ts";
import { modelName } from "../../src/base/model_name.ts";
import { z } from "../../src/base/zod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const turn = z.strictObject({
  role: z.string().min(1).describe("system, user, assistant, or what else the chat template knows"),
  content: z.string().min(1).describe("Jinja, as a template"),
});

const prompt = z.strictObject({
  id: z.string().min(1).describe("its name among the prompts"),
  template: z.string().min(1).optional()
    .describe("Jinja; {{ story }}, columns and rows are there if they are shown"),
  messages: z.array(turn).min(1).optional()
    .describe("instead of a template: turns of a conversation that the policy answers"),
  data: z.string().min(1).optional()
    .describe("its data set, if not the input data: a stage that reads a data set"),
  show: z.array(z.enum(["story", "columns", "rows"])).default([])
    .describe("variables of the template: a text, summaries of columns, rows; none if empty"),
  held_out: z.boolean().default(false).describe("kept from training, to evaluate by"),
});

/** Where the data sets of single prompts are found. */
const dataPath = "prompts.*.data";

export default defineStage({
  kind: "prompts",
  version: 1,
  description: "Writes prompts by templates, and says what they show of a data set.",
  params: z.strictObject({
    model: modelName().optional()
      .describe("whose chat template makes texts of messages: sluice model list"),
    ...chatKeys,
    story: z.string().optional().describe("subject of the data, in words"),
    prompts: z.array(prompt).min(1)
      .refine(
        (list) =>
          list.every((one) => (one.template === undefined) !== (one.messages === undefined)),
        "wanted template or messages in each, and not both",
      )
      .refine(
        (list) => new Set(list.map(({ id }) => id)).size === list.length,
        "wanted each id once",
      ).describe("one or more, in order"),
    response: z.boolean().default(false)
      .describe(
        "whether columns and rows show values of the response: its author is then informed",
      ),
    most_rows: z.int().positive().default(20).describe("rows that are shown, from the first on"),
  }),
  inputs: {
    data: optionalPort(
      ports.dataset,
      "the data of the prompts; withheld rows are never shown",
    ),
  },
  wired: { [dataPath]: port(ports.dataset, "what a prompt is about") },
  outputs: { prompts: port(ports.prompts, "the prompts, and what each shows") },
  async run(context, inputs, params) {
    const { writePrompts } = await import("./write_prompts.ts");
    const { prompts } = writePrompts(aboutOf(inputs), params);
    context.rows("prompt", prompts.map(({ begins: _, ...one }) => ({ data: null, ...one })));
    const informed = prompts.filter((one) => one.informed).length;
    context.log(`${prompts.length} prompts, ${informed} of them with values of the response`);
    return { prompts: { prompts } };
  },
  async check({ inputs, unknown, params }) {
    const about = aboutOf(inputs);
    const isUnread = params.prompts.some(({ data }) => data !== undefined && !about.each[data]);
    if (unknown.has("data") || isUnread) return {};
    const { writePrompts } = await import("./write_prompts.ts");
    const { anyModel } = await import("./conversations.ts");
    const prompts = writePrompts(about, params, anyModel);
    const isSpoken = params.prompts.some(({ messages }) => messages);
    return isSpoken ? {} : { prompts }; // a check reads no models: texts of turns are not known
  },
});

/** What flows in, those of single prompts by their wires. */
function aboutOf(inputs: { readonly data?: Dataset | undefined }) {
  const { data, [dataPath]: each = {} } = inputs as PromptInputs;
  return { data, each };
}

interface PromptInputs {
  readonly data?: Dataset;
  readonly [dataPath]?: Readonly<Record<string, Dataset>>;
}
