/** Examples for supervised fine-tuning in tokens: spans of completions, without repetition, in two parts. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import { lineSpan } from "../../base/span.ts";
import type { ChatTemplate } from "../text/chat_template.ts";
import type { TextEnds } from "../text/text_ends.ts";
import { textIds } from "../text/text_ids.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import { readSftLines, type SftLine } from "./sft_lines.ts";

/** What turns texts into tokens. */
export interface SftTexts {
  /** Tokenizer of the model that learns. */
  readonly tokenizer: Tokenizer;
  /** Begin and end tokens of a text. */
  readonly ends: TextEnds;
  /** Wanted where prompts are conversations. */
  readonly template?: ChatTemplate;
}

/** How examples are made. */
export interface SftOptions {
  /** Tokens that an example may have. */
  readonly context: number;
  /** Whether what stands between `<think>` and `</think>` is learnt too; it is left out by default. */
  readonly thinking?: "kept" | "stripped";
  /** Share of the examples that is kept from training, in [0, 1); 0 by default. */
  readonly validation?: number;
}

/** One example: only its tokens from `from` on are learnt. */
export interface SftExample {
  /** How the text begins, the prompt, the completion, and the end token. */
  readonly ids: readonly number[];
  /** The first token of the completion. */
  readonly from: number;
  /** Where it was read. */
  readonly line: number;
  /** log R of the completion, in nats, where the line has it. */
  readonly logReward?: number;
}

/** All examples of a file. */
export interface SftExamples {
  /** Those that are learnt from, in the order of the file. */
  readonly training: readonly SftExample[];
  /** Those that are kept from training; which ones, their tokens decide. */
  readonly validation: readonly SftExample[];
  /** Lines that had the tokens of an earlier one. */
  readonly duplicates: number;
}

/** Findings that are shown. */
const mostFindings = 20;

/**
 * Reads a file of examples. A prompt's tokens must be the first of the whole text, so that what is
 * learnt is what a policy with this prompt has to say.
 *
 * @param text JSON Lines, see {@link readSftLines}.
 * @throws InputError with every line that is wrong: no example, a prompt that ends inside a token, an
 * empty completion, more tokens than `context`, a conversation without a template.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { folderTokenizer, readSft, textEnds, Tokenizer, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const source = folderTokenizer(folder);
 * const tokenizer = new Tokenizer(source);
 * const texts = { tokenizer, ends: textEnds(tokenizer, source) };
 * const line = '{"prompt": "a", "completion": "b"}';
 * const { training } = readSft(line, "add.jsonl", texts, { context: 128 });
 * assert.deepEqual(training, [{ ids: [256, 97, 98, 257], from: 2, line: 1 }]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function readSft(
  text: string,
  file: string,
  texts: SftTexts,
  options: SftOptions,
): SftExamples {
  const findings: Diagnostic[] = [];
  const all = readSftLines(text, file).flatMap((line) => {
    try {
      return [exampleOf(line, texts, options)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const span = lineSpan(file, line.line, 1);
      findings.push(...error.diagnostics.map((one) => ({ ...one, span })));
      return [];
    }
  });
  if (findings.length > 0) throw new InputError(findings.slice(0, mostFindings));
  const distinct = [...new Map(all.toReversed().map((one) => [one.ids.join(" "), one])).values()];
  const examples = distinct.toReversed();
  const duplicates = all.length - examples.length;
  return { ...splitOff(examples, options.validation ?? 0), duplicates };
}

function exampleOf(
  { prompt, completion, line, logReward }: SftLine,
  { tokenizer, ends, template }: SftTexts,
  { context, thinking = "stripped" }: SftOptions,
): SftExample {
  const chat = typeof prompt !== "string";
  const given = chat ? conversation(prompt, template) : prompt;
  const scored = thinking === "kept" ? completion : withoutThinking(completion);
  const { ids, from } = textIds(tokenizer, ends, { given, scored, chat });
  if (ids.length > context) throw tooLong(ids.length, context);
  return { ids, from, line, ...(logReward === undefined ? {} : { logReward }) };
}

function conversation(turns: SftLine["prompt"] & object, template: ChatTemplate | undefined) {
  if (template) return template.render(turns);
  throw finding("sft/no-chat", "it is a conversation, and the model has no chat template");
}

/**
 * Text of an answer after its thoughts, as Qwen3 and others write it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withoutThinking } from "./sft_examples.ts";
 * assert.equal(withoutThinking("<think>Add them.</think>\n\na + b"), "a + b");
 * ```
 */
export function withoutThinking(completion: string): string {
  return completion.replace(/^\s*<think>[\s\S]*?<\/think>\s*/, "");
}

/** The last examples in the order of their digests: neither order nor number of lines matters. */
function splitOff(
  examples: readonly SftExample[],
  share: number,
): Pick<SftExamples, "training" | "validation"> {
  const count = share === 0
    ? 0
    : Math.min(examples.length - 1, Math.max(1, share * examples.length));
  const keys = new Map(examples.map((one) => [one, digestOf([...one.ids])]));
  const order = examples.toSorted((a, b) => keys.get(a)! < keys.get(b)! ? -1 : 1);
  const kept = new Set(order.slice(0, Math.max(0, Math.round(count))));
  return {
    training: examples.filter((one) => !kept.has(one)),
    validation: examples.filter((one) => kept.has(one)),
  };
}

function tooLong(found: number, most: number) {
  return finding("sft/context", `it has ${found} tokens, and the context is of ${most}`);
}

function finding(code: string, what: string) {
  const message = `Cannot use an example: ${what}`;
  return new InputError([{ code, severity: "error", message }]);
}
