/** Which of the prompts of a pipeline a file's line asks: the one of the same tokens. */
import { type InputError, inputError } from "../../src/base/diagnostic.ts";
import { lineSpan } from "../../src/base/span.ts";
import type { Prompt } from "../../src/gfn/environments/mod.ts";

/** Tokens that a policy is given before an answer, from the one that begins the text on. */
type Tokens = readonly number[];

/** A line that asks something. */
interface AskingLine {
  readonly file: string;
  readonly line: number;
  readonly tokens: Tokens;
}

/**
 * Finds prompts by what the policy reads.
 *
 * @param begin The token that begins a text which does not say so itself; undefined if there is none.
 * @returns The prompt that a line asks. @throws InputError if it is none of these.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { namedPrompts } from "./named_prompts.ts";
 * const find = namedPrompts([{ id: "one", tokens: [5, 6] }], 0);
 * assert.equal(find({ file: "a.jsonl", line: 1, tokens: [0, 5, 6] }).id, "one");
 * assert.throws(() => find({ file: "a.jsonl", line: 2, tokens: [0, 5] }), /is none of the prompts/);
 * ```
 */
export function namedPrompts(
  prompts: readonly Prompt[],
  begin: number | undefined,
): (line: AskingLine) => Prompt {
  const known = new Map(prompts.map((one) => [beginning(one, begin).join(" "), one]));
  return ({ file, line, tokens }) => {
    const found = known.get(tokens.join(" "));
    if (found) return found;
    throw unasked({ file, line }, prompts);
  };
}

/** A line that asks none of the prompts. */
export function unasked(
  { file, line }: Pick<AskingLine, "file" | "line">,
  prompts: readonly Pick<Prompt, "id" | "text">[],
): InputError {
  const message = `Cannot use ${file}:${line}: what it asks is none of the prompts`;
  const told = prompts.slice(0, mostTold).map(({ id, text }) => `"${id}" asks ${ending(text)}`);
  const more = prompts.length > mostTold ? `, and ${prompts.length - mostTold} more` : "";
  const hint = `ask what a prompt of the pipeline asks, to the letter: ${told.join(", ")}${more}`;
  return inputError("prompts/file", message, lineSpan(file, line, 1), hint);
}

/** Prompts that a message names. */
const mostTold = 3;

/** The end of a text, where a line break more or less is seen. */
function ending(text: string | undefined): string {
  if (text === undefined) return "by its tokens";
  return JSON.stringify(text.length > 60 ? `…${text.slice(-60)}` : text);
}

function beginning({ tokens, begins }: Prompt, begin: number | undefined): Tokens {
  const isBegun = begins || begin === undefined || tokens[0] === begin;
  return isBegun ? tokens : [begin, ...tokens];
}
