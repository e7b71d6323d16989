/** One answer of a conversation as its template writes it: the prompt, and the model's text. */
import { inputError } from "../../base/diagnostic.ts";
import type { ChatMessage, ChatSettings, ChatTemplate } from "./chat_template.ts";

/** A turn of the assistant behind those before it; the two texts are one rendering of the template. */
export interface AnsweredTurn {
  /** Prompt as a server renders it: the turns before, up to where the answer begins. */
  readonly given: string;
  /** The answer without the token that ends it. */
  readonly scored: string;
}

/**
 * Renders the turns before an answer, and the answer behind them, both by the template alone: the model
 * is later asked for the learnt text, with the same variables and tools.
 *
 * @param messages Turns of a conversation, the last of which is the assistant's.
 * @param end Spelling of the token that ends an answer; undefined if there is none.
 * @throws InputError if the template raises, does not keep the text of the turns before where an answer
 * stands behind them, or leaves out the text of the answer.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { answeredTurn } from "./answered_turn.ts";
 * import { ChatTemplate } from "./chat_template.ts";
 * const template = new ChatTemplate(
 *   "{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}" +
 *     "{% if add_generation_prompt %}<assistant>{% endif %}",
 * );
 * const turns = [{ role: "user", content: "2 + 2?" }, { role: "assistant", content: "4" }];
 * const { given, scored } = answeredTurn(template, turns, {}, "<end>");
 * assert.deepEqual([given, scored], ["<user>2 + 2?<end><assistant>", "4"]);
 * ```
 */
export function answeredTurn(
  template: ChatTemplate,
  messages: readonly ChatMessage[],
  settings: ChatSettings,
  end: string | undefined,
): AnsweredTurn {
  const before = messages.slice(0, -1);
  const given = template.render(before, settings);
  const whole = template.render(messages, { ...settings, addGenerationPrompt: false });
  if (!whole.startsWith(given)) throw notKept(given, whole);
  const scored = withoutEnd(whole.slice(given.length), end);
  requireSaid(messages[messages.length - 1], scored);
  return { given, scored };
}

/** Up to the last end token, behind which templates put line breaks alone, or up to these. */
function withoutEnd(text: string, end: string | undefined): string {
  const at = end === undefined ? -1 : text.lastIndexOf(end);
  return at >= 0 && text.slice(at + end!.length).trim() === "" ? text.slice(0, at) : text.trimEnd();
}

/** @throws InputError if the template does not write the text of the turn. */
function requireSaid({ content, tool_calls: calls }: ChatMessage, scored: string): void {
  const names = (Array.isArray(calls) ? calls : []).map((call) =>
    call?.function?.name ?? call?.name
  );
  const missing = names.find((name) => typeof name === "string" && !scored.includes(name));
  if (missing !== undefined) {
    throw refused(
      `the chat template does not write the call of "${missing}"`,
      "leave tool_calls out",
    );
  }
  const [said] = content.trim().split("\n");
  if (scored.includes(said)) return;
  const what = `the chat template writes the answer ${shown(scored)}, without ${shown(said)}`;
  throw refused(what, "look at what the template does to answers: sluice model show NAME");
}

function notKept(given: string, whole: string) {
  const at = [...given].findIndex((letter, i) => letter !== [...whole][i]);
  const [asked, kept] = [given, whole].map((text) =>
    shown([...text].slice(Math.max(0, at)).join(""))
  );
  const what = "the chat template does not keep its prefix: what is asked goes on with " +
    `${asked}, and with the answer behind it stands ${kept}`;
  return refused(what, "set template_variables to those that the model will be asked with");
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function refused(what: string, hint: string) {
  return inputError("model/turn", `Cannot use an answer: ${what}`, undefined, hint);
}
