/** Examples for supervised fine-tuning in tokens: spans of completions, without repetition, in two parts. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import { lineSpan } from "../../base/span.ts";
import { answeredTurn } from "../text/answered_turn.ts";
import type { ChatMessage, ChatSettings, ChatTemplate } from "../text/chat_template.ts";
import type { TextEnds } from "../text/text_ends.ts";
import { type ScoredText, textIds } from "../text/text_ids.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import { readSftLines, type SftConversation, type SftLine } from "./sft_lines.ts";

/** Tokenizer and template that turn texts into tokens. */
export interface SftTexts {
  /** Tokenizer of the model that learns. */
  readonly tokenizer: Tokenizer;
  /** Begin and end tokens of a text. */
  readonly ends: TextEnds;
  /** Template of the model, required where prompts are conversations. */
  readonly template?: ChatTemplate;
}

/** Options of examples. */
export interface SftOptions {
  /** Most tokens of an example. */
  readonly context: number;
  /** Whether text between `<think>` and `</think>` is learnt too; it is by default. */
  readonly thinking?: "kept" | "stripped";
  /** Which answers of a conversation are examples: each, by default, or the last one alone. */
  readonly learn?: "all" | "last";
  /** Variables and tools of the template; `tools` of a line stand before those here. */
  readonly chat?: ChatSettings;
  /** Lines that are read, from the first on; all by default. */
  readonly most?: number;
  /** Share of the lines that is kept from training, in [0, 1); 0 by default. */
  readonly validation?: number;
}

/** One example: only its tokens from `from` on are learnt. */
export interface SftExample {
  /** Ids of the begin token, the prompt, the completion, and the end token. */
  readonly ids: readonly number[];
  /** The first token of the completion. */
  readonly from: number;
  /** Text of the completion, as the template writes it; without the end token. */
  readonly completion: string;
  /** Text before it, where the line is no conversation. */
  readonly prompt?: string;
  /** Where it was read. */
  readonly line: number;
  /** log R of the completion, in nats, where the line has it. */
  readonly logReward?: number;
}

/** All examples of a file. */
export interface SftExamples {
  /** Examples for training, in the order of the file. */
  readonly training: readonly SftExample[];
  /** Held-out examples; the tokens of a line decide whether it is one. */
  readonly validation: readonly SftExample[];
  /** Examples that had the tokens of an earlier one. */
  readonly duplicates: number;
}

/** Findings that are shown. */
const mostFindings = 20;

/**
 * Reads a file of examples. A prompt's tokens must be the first of the whole text, so that a
 * policy with this prompt has to write the learnt tokens. Each answer of a conversation is an example:
 * it stands behind the turns before it, as the template alone writes them.
 *
 * @param text JSON Lines, see {@link readSftLines}.
 * @throws InputError with every line that is wrong: no example, a prompt that ends inside a token, an
 * empty completion or one that holds the end token, more tokens than `context`, a conversation without a
 * template, or one whose template does not keep the text before an answer.
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
 * assert.deepEqual(training, [{ ids: [256, 97, 98, 257], from: 2, completion: "b", line: 1, prompt: "a" }]);
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
  const lines = readSftLines(text, file).slice(0, options.most);
  const all = lines.flatMap((line) => {
    try {
      return examplesOf(line, texts, options);
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

/** Texts of a line as they are scored, one for each answer that is learnt. */
function examplesOf(
  line: SftLine,
  { tokenizer, ends, template }: SftTexts,
  { context, thinking = "kept", learn = "all", chat = {} }: SftOptions,
): SftExample[] {
  const clean = (text: string) => thinking === "kept" ? text : withoutThinking(text);
  const scored = "messages" in line
    ? turnsOf(line, template, { chat, clean, learn, end: ends.end?.token })
    : [{ given: line.prompt, scored: clean(line.completion) }];
  const { logReward } = line;
  return scored.map((one) => {
    const { ids, from } = textIds(tokenizer, ends, one);
    if (ids.length > context) throw tooLong(ids.length, context);
    if (ends.end && ids.indexOf(ends.end.id, from) < ids.length - 1) {
      throw endInside(ends.end.token);
    }
    return {
      ids,
      from,
      completion: one.scored,
      line: line.line,
      ...("prompt" in line && { prompt: line.prompt }),
      ...(logReward !== undefined && { logReward }),
    };
  });
}

interface TurnOptions {
  readonly chat: ChatSettings;
  readonly clean: (text: string) => string;
  readonly learn: "all" | "last";
  readonly end: string | undefined;
}

/** The answers of a conversation that are learnt; one of `weight` 0 is not. */
function turnsOf(
  { messages, tools = [] }: SftConversation,
  template: ChatTemplate | undefined,
  { chat, clean, learn, end }: TurnOptions,
): ScoredText[] {
  if (!template) {
    throw finding("sft/no-chat", "it is a conversation, and the model has no chat template");
  }
  const settings = { ...chat, tools: [...tools, ...chat.tools ?? []] };
  const turns = messages.map((one) =>
    isAnswer(one) ? { ...one, content: clean(one.content) } : one
  );
  const places = turns.keys().filter((i) => isAnswer(turns[i]) && turns[i].weight !== 0);
  const learnt = learn === "last" ? [turns.length - 1] : [...places];
  if (learnt.length === 0) throw finding("sft/weight", "all answers have weight 0");
  return learnt.map((i) => ({
    ...answeredTurn(template, turns.slice(0, i + 1), settings, end),
    chat: true,
  }));
}

function isAnswer({ role }: ChatMessage): boolean {
  return role === "assistant";
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

/** The last lines in the order of their digests: neither order nor number of lines matters. */
function splitOff(
  examples: readonly SftExample[],
  share: number,
): Pick<SftExamples, "training" | "validation"> {
  const lines = [...Map.groupBy(examples, ({ line }) => line).values()];
  const count = share === 0 ? 0 : Math.min(lines.length - 1, Math.max(1, share * lines.length));
  const keys = new Map(lines.map((one) => [one, digestOf(one.flatMap(({ ids }) => [...ids]))]));
  const order = lines.toSorted((a, b) => keys.get(a)! < keys.get(b)! ? -1 : 1);
  const kept = new Set(order.slice(0, Math.max(0, Math.round(count))).flat());
  return {
    training: examples.filter((one) => !kept.has(one)),
    validation: examples.filter((one) => kept.has(one)),
  };
}

function tooLong(found: number, most: number) {
  return finding("sft/context", `it has ${found} tokens, and the context is of ${most}`);
}

function endInside(token: string) {
  return finding("sft/end", `its completion holds "${token}", which ends an answer`);
}

function finding(code: string, what: string) {
  const message = `Cannot use an example: ${what}`;
  return new InputError([{ code, severity: "error", message }]);
}
