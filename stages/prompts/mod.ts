/** Stage kind `prompts`: writes prompts about a data set by templates of the pipeline. */
import type { Dataset } from "../../src/base/dataset.ts";
import { modelName } from "../../src/base/model_name.ts";
import { z } from "../../src/base/zod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const turn = z.strictObject({
  role: z.string().min(1).describe("system, user, assistant, or another role of the chat template"),
  content: z.string().min(1).describe("Jinja, as `template`"),
});

const prompt = z.strictObject({
  id: z.string().min(1).describe("name of the prompt"),
  template: z.string().min(1).optional()
    .describe("Jinja; it may use only what `show` names: {{ story }}, columns, rows"),
  messages: z.array(turn).min(1).optional()
    .describe("instead of a template: turns of a conversation that the policy answers"),
  data: z.string().min(1).optional()
    .describe("stage that reads its data set (default: the input data)"),
  show: z.array(z.enum(["story", "columns", "rows"])).default([])
    .describe("parts of the data that the template shows: a text, summaries of columns, rows"),
  held_out: z.boolean().default(false).describe(
    "whether the prompt is kept from training, for evaluation",
  ),
});

/** Where the data sets of single prompts are found. */
const dataPath = "prompts.*.data";

export default defineStage({
  kind: "prompts",
  version: 1,
  description: "Writes prompts from templates, about a data set if one is wired.",
  params: z.strictObject({
    model: modelName().optional()
      .describe("model whose chat template writes `messages` as text: sluice model list"),
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
      ).describe("the prompts, in order"),
    response: z.boolean().default(false)
      .describe(
        "whether columns and rows show values of the response; the author is then informed",
      ),
    most_rows: z.int().positive().default(20).describe("number of rows shown, from the first on"),
  }),
  inputs: {
    data: optionalPort(
      ports.dataset,
      "the data of the prompts; withheld rows are never shown",
    ),
  },
  wired: { [dataPath]: port(ports.dataset, "the data set of a prompt") },
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

/** Data of the stage, and data of single prompts by their wires. */
function aboutOf(inputs: { readonly data?: Dataset | undefined }) {
  const { data, [dataPath]: each = {} } = inputs as PromptInputs;
  return { data, each };
}

interface PromptInputs {
  readonly data?: Dataset;
  readonly [dataPath]?: Readonly<Record<string, Dataset>>;
}
