/** A text to be scored as token ids: the part conditioned on, the scored part, begin and end tokens. */
import { inputError } from "../../base/diagnostic.ts";
import type { TextEnds } from "./text_ends.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** A text to be scored. */
export interface ScoredText {
  /** Text before, which is conditioned on and not scored. */
  readonly given?: string;
  /** Text whose log probability is asked for. */
  readonly scored: string;
  /** Whether the end token is scored as well; it is unless this is false. */
  readonly ends?: boolean;
  /** Whether the model writes the text behind `given`: then no text is scored, and no end token. */
  readonly isDrawn?: boolean;
  /** Whether `given` is a conversation by the model's template, which includes the beginning of texts. */
  readonly chat?: boolean;
}

/** The tokens of a text, and which of them are scored. */
export interface TextIds {
  /** All ids, from the one that begins the text on. */
  readonly ids: readonly number[];
  /** The first that is scored. */
  readonly from: number;
}

/**
 * The ids of a text; those of its scored part are the ids that the whole text has.
 *
 * @throws InputError if the scored part is empty, or the text before it ends inside a token.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { folderTokenizer, textEnds, textIds, Tokenizer, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const source = folderTokenizer(folder);
 * const tokenizer = new Tokenizer(source);
 * const { ids, from } = textIds(tokenizer, textEnds(tokenizer, source), { given: "a", scored: "b" });
 * assert.deepEqual([ids, from], [[256, 97, 98, 257], 2]); // begin, given, scored, end
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function textIds(tokenizer: Tokenizer, ends: TextEnds, text: ScoredText): TextIds {
  const { given = "", scored } = text;
  const { prompt, whole } = tokenizer.encodePrompt(given, given + scored);
  if (whole.length === prompt.length && text.isDrawn !== true) {
    const hint = "score a text with at least one token";
    throw inputError("model/empty", "Cannot score a text: it is empty", undefined, hint);
  }
  const asked = text.chat !== true || ends.begin_is_added;
  const begin = ends.begin === null || !asked ? [] : [ends.begin.id];
  const isBegun = begin.length === 0 || whole[0] === begin[0];
  const isEnded = text.ends !== false && text.isDrawn !== true;
  const end = isEnded && ends.end ? [ends.end.id] : [];
  const ids = [...(isBegun ? [] : begin), ...whole, ...end];
  return { ids, from: Math.max(1, prompt.length + (isBegun ? 0 : 1)) };
}
