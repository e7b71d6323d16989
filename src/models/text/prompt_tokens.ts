/** The tokens of a prompt before texts that follow it: none may change where the two meet. */
import { inputError } from "../../base/diagnostic.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Letters of a completion that can change the tokens before it, and more. */
const joint = 64;

/**
 * The canonical tokens of a prompt, if they and the tokens of each completion stay the same when both are
 * joined: a policy writes its tokens behind the prompt's.
 *
 * @param completions Texts that may follow; beginnings that they share are checked once.
 * @throws InputError if the prompt ends inside a token, or a completion is cut otherwise behind it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { promptTokens } from "./prompt_tokens.ts";
 * // Two letters a token, one where one is left.
 * const encode = (text: string) => (text.match(/..?/gs) ?? []).map((pair) => pair.codePointAt(0)!);
 * const tokenizer = {
 *   encodeExactly: encode,
 *   encodePrompt: (prompt: string, whole: string) => ({ prompt: encode(prompt), whole: encode(whole) }),
 * };
 * assert.deepEqual(promptTokens(tokenizer, "up", ["to", "on"]), [117]);
 * assert.throws(() => promptTokens(tokenizer, "odd", ["to"]), /"to" has other tokens behind it/);
 * ```
 */
export function promptTokens(
  tokenizer: Pick<Tokenizer, "encodeExactly" | "encodePrompt">,
  text: string,
  completions: Iterable<string>,
): number[] {
  const own = tokenizer.encodeExactly(text);
  for (const head of headsOf(completions)) {
    const { prompt, whole } = tokenizer.encodePrompt(text, text + head);
    const behind = tokenizer.encodeExactly(head);
    const isSame = whole.length === prompt.length + behind.length &&
      behind.every((id, i) => id === whole[prompt.length + i]);
    if (!isSame) throw cutOtherwise(text, head);
  }
  return own;
}

/** Beginnings of texts, each once; whole letters. */
function headsOf(texts: Iterable<string>): ReadonlySet<string> {
  const heads = new Set<string>();
  for (const text of texts) heads.add([...text.slice(0, 2 * joint)].slice(0, joint).join(""));
  return heads;
}

function cutOtherwise(text: string, head: string) {
  const message = `Cannot use the prompt that ends in ${JSON.stringify(text.slice(-20))}: ` +
    `${JSON.stringify(head.slice(0, 20))} has other tokens behind it than alone`;
  const hint = "end the prompt in a letter or a sign that is a token of its own, such as a colon";
  return inputError("model/prompt", message, undefined, hint);
}
