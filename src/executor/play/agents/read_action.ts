/** Reads the output of a language model as an action: in JSON, as a tool call, or as a line of text. */
import type { Action } from "./agent.ts";

/** How actions are written. */
export const actionForms = ["json", "xml", "text"] as const;

/** One of {@link actionForms}. */
export type ActionForm = (typeof actionForms)[number];

/** An action that was read, or why there is none. */
type ReadAction =
  | { readonly kind: "action"; readonly action: Action }
  | { readonly kind: "problem"; readonly problem: string };

/** Letters of an answer, its thoughts apart. */
const mostLetters = 20_000;

/**
 * The one action of an answer. Thoughts between `<think>` and `</think>` are left out before; an answer that
 * ends in them has none. Values are handed on as they stand: the world reads numbers, and refuses what is
 * none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readAction } from "./read_action.ts";
 * const said = '<think>Old ones first.</think>I ask: {"query": {"age": 5}}';
 * const found = readAction(said, "json");
 * assert.deepEqual(found, { kind: "action", action: { kind: "query", query: { age: 5 } } });
 * ```
 */
export function readAction(said: string, form: ActionForm): ReadAction {
  const text = withoutThoughts(said);
  if (text === undefined) return problem("the answer ends within a thought");
  if (text.trim() === "") return problem("the answer is empty");
  if (text.length > mostLetters) return problem(`an answer has at most ${mostLetters} letters`);
  const found = readers[form](text);
  if (found.length === 0) return problem("no action was found");
  if (found.length > 1) return problem(`wanted one action, found ${found.length}`);
  return found[0];
}

/** Without thoughts; undefined where the last of them has no end. */
export function withoutThoughts(said: string): string | undefined {
  const text = said.replace(/<think>[^]*?<\/think>/g, "").replace(/^[^]*?<\/think>/, "");
  return text.includes("<think>") ? undefined : text;
}

const readers: Readonly<Record<ActionForm, (text: string) => readonly ReadAction[]>> = {
  json: (text) => objectsIn(text).map((one) => actionOf(one)),
  xml: (text) =>
    [...text.matchAll(/<tool_call>([^]*?)<\/tool_call>/g)].map(([, call]) => calledAction(call)),
  text: (text) => [...queryLines(text), ...submissions(text)],
};

/** Objects of JSON in a text, those within others left out. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at)) {
    const end = endOfObject(text, at);
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (value !== undefined) found.push(value);
    at = value === undefined ? at + 1 : end!;
  }
  return found;
}

/** Behind the brace that closes the one at `from`, braces in strings apart. */
function endOfObject(text: string, from: number): number | undefined {
  let [depth, quoted] = [0, false];
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (quoted && letter === "\\") at++;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === "{") depth++;
    else if (!quoted && letter === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of `{"query": {…}}` or `{"submit": "…"}`. */
function actionOf(value: unknown): ReadAction {
  const keys = Object.keys(value as object);
  const [key] = keys;
  if (keys.length !== 1 || key !== "query" && key !== "submit") {
    return problem(
      `found the keys ${keys.join(", ") || "of nothing"}, wanted query or submit alone`,
    );
  }
  const said = (value as Record<string, unknown>)[key];
  return key === "query"
    ? { kind: "action", action: { kind: "query", query: said } }
    : submit(said);
}

/** Of `{"name": "query", "arguments": {…}}`; arguments may be JSON in a text. */
function calledAction(call: string): ReadAction {
  const value = parsed(call.trim()) as { name?: unknown; arguments?: unknown } | undefined;
  if (value === undefined || value === null) return problem("the tool call is no JSON");
  const { name } = value;
  const args = typeof value.arguments === "string" ? parsed(value.arguments) : value.arguments;
  if (name === "query") return { kind: "action", action: { kind: "query", query: args ?? null } };
  if (name === "submit") return submit((args as { program?: unknown } | undefined)?.program);
  return problem(`there is no tool ${JSON.stringify(name)}: wanted query or submit`);
}

/** Of `QUERY age = 1.5, sex = male`, on a line of its own. */
function queryLines(text: string): ReadAction[] {
  return [...text.matchAll(/^[ \t]*QUERY\b[ \t:]*(.*)$/gm)].map(([, said]): ReadAction => {
    const pairs = said.split(",").map((one) => /^\s*([A-Za-z_]\w*)\s*[=:]\s*(.+?)\s*$/.exec(one));
    if (pairs.some((pair) => pair === null)) {
      return problem(`cannot read ${JSON.stringify(said)}: wanted name = value, name = value`);
    }
    const query = Object.fromEntries(pairs.map((pair) => [pair![1], unquoted(pair![2])]));
    return { kind: "action", action: { kind: "query", query } };
  });
}

/** Of `SUBMIT` and a block of code behind it. */
function submissions(text: string): ReadAction[] {
  return text.split(/^[ \t]*SUBMIT\b.*$/m).slice(1).map((behind): ReadAction => {
    const blocks = [...behind.matchAll(/```\w*\n([^]*?)```/g)].map(([, block]) => block);
    if (blocks.length > 1) return problem(`wanted one program, found ${blocks.length}`);
    return submit(blocks[0]);
  });
}

function submit(program: unknown): ReadAction {
  if (typeof program !== "string" || program.trim() === "") return problem("submit has no program");
  return { kind: "action", action: { kind: "submit", program } };
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

function problem(text: string): ReadAction {
  return { kind: "problem", problem: text };
}
