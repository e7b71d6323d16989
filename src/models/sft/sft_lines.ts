/** Files of examples for supervised fine-tuning: a JSON object in each line, with what is to be said. */
import { type Diagnostic, InputError, inputError } from "../../base/diagnostic.ts";
import { isRecord } from "../../base/record.ts";
import { lineSpan } from "../../base/span.ts";
import type { ChatMessage } from "../text/chat_template.ts";

/** One line: what comes before, and what is to be learnt. */
export interface SftLine {
  /** Place in the file, from 1. */
  readonly line: number;
  /** Text as it is, or the turns of a conversation before the answer. */
  readonly prompt: string | readonly ChatMessage[];
  /** What is to be learnt; the end token is put behind it. */
  readonly completion: string;
  /** log R of the completion where the file says it, as `sluice export sft` does. */
  readonly logReward?: number;
}

/** Findings that are shown; a file may be wrong in each line. */
const mostFindings = 20;

/**
 * The lines of a file: `{"prompt": "…", "completion": "…"}`, where the prompt may be a list of messages,
 * or `{"messages": [{"role": "user", "content": "…"}, …]}`, whose last message is the assistant's. Other
 * keys are left alone, but for `log_reward`.
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

/** What a line says, or what is wrong with it. */
function readLine(json: string): Omit<SftLine, "line"> | string {
  const value = parsed(json);
  if (!isRecord(value)) return "it is no JSON object";
  const { log_reward: reward } = value;
  if (reward !== undefined && typeof reward !== "number") return "log_reward is no number";
  const logReward = reward === undefined ? {} : { logReward: reward };
  if (value.messages !== undefined) return fromMessages(value.messages, logReward);
  const { prompt = "", completion } = value;
  if (typeof completion !== "string") return "completion is missing, or no text";
  if (completion === "") return "the completion is empty";
  if (typeof prompt === "string") return { prompt, completion, ...logReward };
  const turns = messagesOf(prompt);
  return turns ? { prompt: turns, completion, ...logReward } : "prompt is no text and no messages";
}

function fromMessages(
  value: unknown,
  logReward: { readonly logReward?: number },
): Omit<SftLine, "line"> | string {
  const turns = messagesOf(value);
  if (!turns) return "messages is no list of { role, content }";
  const last = turns.at(-1);
  if (last?.role !== "assistant") return "the last message is not the assistant's";
  if (last.content === "") return "the completion is empty";
  return { prompt: turns.slice(0, -1), completion: last.content, ...logReward };
}

function messagesOf(value: unknown): ChatMessage[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isMessage = (one: unknown): one is ChatMessage =>
    isRecord(one) && typeof one.role === "string" && typeof one.content === "string";
  return value.every(isMessage) ? value : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
