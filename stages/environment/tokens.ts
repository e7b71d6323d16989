/** Stage kind `tokens`: an environment in the tokens of a language model, or its free texts. */
import { InputError } from "../../src/base/diagnostic.ts";
import { z } from "../../src/base/zod.ts";
import { modelName } from "../../src/base/model_name.ts";
import { wholePattern } from "../../src/base/whole_pattern.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

/**
 * The runner finds such parameters by their format: a mask of the language brings the rules of programs
 * into every process of the pipeline that may meet its texts, and into no other.
 */
const maskName = z.enum(["trie", "language", "none"]).meta({ format: "token-mask" });

function refuseUnbounded(source: string, issues: { addIssue(message: string): void }): void {
  try {
    wholePattern(source);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [{ message, hint }] = error.diagnostics;
    issues.addIssue(`${message}; ${hint}`);
  }
}

export default defineStage({
  kind: "tokens",
  version: 1,
  description:
    "Texts in the tokens of a language model, of an environment or free: an action is a token.",
  params: z.strictObject({
    model: modelName().describe("a model of the project: sluice model list"),
    mask: maskName.optional().describe(
      "legal next tokens; trie: those that continue the canonical tokens of an enumerated object; " +
        "language: those that continue the beginning of a program; none: any (default: trie with an " +
        "environment, none without)",
    ),
    enumerate_at_most: z.int().positive().default(250_000).describe(
      "trie: most objects to enumerate",
    ),
    most_tokens: z.int().min(2).default(256)
      .describe("language, none: most tokens of a text, its end included"),
    stop: z.array(z.string().min(1)).max(20).default([])
      .describe("language, none: strings that end a text"),
    pattern: z.string().min(1).superRefine(refuseUnbounded).optional()
      .describe(
        "language, none: regular expression that a whole text must match; other texts fail",
      ),
    thinking: z.strictObject({
      open: z.string().default("<think>").describe("text that begins a thought"),
      close: z.string().min(1).default("</think>").describe("text that ends it"),
      most_tokens: z.int().min(1).max(100_000).default(64)
        .describe("most tokens of a thought between the two; then it is closed"),
      among: z.array(z.string().min(1)).min(1).optional()
        .describe("texts of one token each that a thought may contain (default: any)"),
    }).optional().describe("a thought before each object, not part of it"),
  }),
  inputs: {
    environment: optionalPort(
      ports.environment,
      "whose objects are written in tokens; left out: texts, of no environment",
    ),
  },
  outputs: { environment: port(ports.environment, "the same objects, token by token") },
  async check({ inputs: { environment }, unknown, params }) {
    const { mask = environment ? "trie" : "none" } = params;
    if (mask === "trie" || unknown.has("environment")) return {};
    const { withoutModel } = await import("./free_texts.ts");
    return { environment: withoutModel(environment, { ...params, mask }) };
  },
  async run(context, { environment }, params) {
    const { lift } = await import("./lift.ts");
    return { environment: await lift(context, environment, params) };
  },
});
