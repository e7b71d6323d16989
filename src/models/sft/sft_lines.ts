/** Files of examples for supervised fine-tuning: a JSON object in each line, with the completion to learn. */
import { type Diagnostic, InputError, inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { isRecord } from "../../base/record.ts";
import { lineSpan } from "../../base/span.ts";
import type { ChatMessage } from "../text/chat_template.ts";

/** One line: a text and its completion, or a conversation. */
export type SftLine =
  & {
    /** Place in the file, from 1. */
    readonly line: number;
    /** log R of the completion where the file has it, as `sluice export sft` writes it. */
    readonly logReward?: number;
  }
  & (SftText | SftConversation);

/** A text as it is. */
export interface SftText {
  /** Text before the completion. */
  readonly prompt: string;
  /** Text to be learnt; the end token is put behind it. */
  readonly completion: string;
}

/** Turns, the last of which is the assistant's. */
export interface SftConversation {
  /** All of them, the answers included. */
  readonly messages: readonly ChatMessage[];
  /** Functions that the model may call, from the line. */
  readonly tools?: readonly unknown[];
}

/** Findings that are shown; a file may be wrong in each line. */
const mostFindings = 20;

/** Valid roles; a misspelt one would make a turn that is not learnt. */
const roles = ["system", "developer", "user", "assistant", "tool", "function"];

/**
 * The lines of a file: `{"prompt": "…", "completion": "…"}`, where the prompt may be a list of messages,
 * or `{"messages": [{"role": "user", "content": "…"}, …]}`, whose last message is the assistant's, with
 * `tools` beside them. Messages may have `tool_calls` and `content: null`. Other keys are left alone, but
 * for `log_reward`.
 *
 * @throws InputError with every line that is something else, or if there is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readSftLines } from "./sft_lines.ts";
 * const [one] = readSftLines('{"prompt": "Add.", "completion": "a + b"}\n', "add.jsonl");
 * assert.deepEqual(one, { line: 1, prompt: "Add.", completion: "a + b" });
 * ```
 */
export function readSftLines(text: string, file: string): SftLine[] {
  const findings: Diagnostic[] = [];
  const found = text.split("\n").flatMap((json, i): SftLine[] => {
    if (json.trim() === "") return [];
    const read = readLine(json);
    if (typeof read !== "string") return [{ line: i + 1, ...read }];
    const message = `Cannot read ${file}:${i + 1} as an example: ${read}`;
    const hint = 'write {"prompt": "…", "completion": "…"} or {"messages": […]}';
    const span = lineSpan(file, i + 1, 1);
    findings.push({ code: "sft/line", severity: "error", message, span, hint });
    return [];
  });
  if (findings.length > 0) throw new InputError(findings.slice(0, mostFindings));
  if (found.length > 0) return found;
  throw inputError("sft/empty", `Cannot read ${file}: it has no examples`);
}

/** Reads a line; returns its contents, or its fault as text. */
function readLine(json: string): (SftText | SftConversation) & { logReward?: number } | string {
  const value = parsed(json);
  if (!isRecord(value)) return "it is no JSON object";
  const { log_reward: reward, tools } = value;
  if (reward !== undefined && typeof reward !== "number") return "log_reward is no number";
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) return "tools is no list";
  const beside = {
    ...(reward !== undefined && { logReward: reward }),
    ...(Array.isArray(tools) && tools.length > 0 && { tools }),
  };
  if (value.messages !== undefined) {
    const turns = conversation(value.messages);
    return typeof turns === "string" ? turns : { messages: turns, ...beside };
  }
  const { prompt = "", completion } = value;
  if (typeof completion !== "string") return "completion is missing, or no text";
  if (completion === "") return "the completion is empty";
  if (typeof prompt === "string") {
    return { prompt, completion, ...(reward !== undefined && { logReward: reward }) };
  }
  if (!Array.isArray(prompt)) return "prompt is no text and no messages";
  const turns = conversation([...prompt, { role: "assistant", content: completion }]);
  return typeof turns === "string" ? turns : { messages: turns, ...beside };
}

/** The turns, or their fault as text. */
function conversation(value: unknown): ChatMessage[] | string {
  if (!Array.isArray(value) || value.length === 0) {
    return "messages is no list of { role, content }";
  }
  for (const [i, one] of value.entries()) {
    const wrong = wrongIn(one);
    if (wrong) return `message ${i + 1} ${wrong}`;
  }
  const turns: ChatMessage[] = (value as ChatMessage[]).map((one) => ({
    ...one,
    content: one.content ?? "",
  }));
  if (!turns.some(({ role }) => role === "assistant")) return "no message is the assistant's";
  const last = turns[turns.length - 1];
  if (last.role !== "assistant") return "the last message is not the assistant's";
  if (last.content === "" && !last.tool_calls) return "the completion is empty";
  return turns;
}

function wrongIn(one: unknown): string | undefined {
  if (!isRecord(one) || typeof one.role !== "string") return "is no { role, content }";
  const { role, content, tool_calls: calls } = one;
  if (!roles.includes(role)) {
    const meant = nearest(role, roles);
    const guess = meant === undefined ? "" : `, did you mean "${meant}"`;
    return `is of role "${role}"${guess}; known are ${roles.join(", ")}`;
  }
  const isCall = role === "assistant" && Array.isArray(calls) && calls.length > 0;
  if (typeof content === "string" || (isCall && (content === null || content === undefined))) {
    return undefined;
  }
  return "has no content, which only an assistant's with tool_calls need not have";
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
