/** Keys that say how conversations are rendered: the same of prompts, examples, answers and oracles. */
import { z } from "../../src/base/zod.ts";
import type { ChatSettings } from "../../src/models/text/mod.ts";

/** The keys, for the schema of a term, where what is left out stays out. */
export const optionalChatKeys = {
  template_variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional().describe(
      "variables of the chat template beside the messages: { enable_thinking = false }",
    ),
  tools: z.array(z.record(z.string(), z.unknown())).optional()
    .describe("functions, as JSON schemas, that the chat template shows the model"),
};

/** The keys, for the schema of a stage. */
export const chatKeys = {
  template_variables: optionalChatKeys.template_variables.unwrap().default({})
    .describe("variables of the chat template beside the messages: { enable_thinking = false }"),
  tools: optionalChatKeys.tools.unwrap().default([])
    .describe("functions, as JSON schemas, that the chat template shows the model"),
};

/** The keys as a stage gets them. */
export interface ChatParams {
  readonly template_variables?: Readonly<Record<string, string | number | boolean>>;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
}

/** Settings of a chat template. */
export function chatSettings({ template_variables = {}, tools = [] }: ChatParams): ChatSettings {
  return { variables: template_variables, tools };
}
