/** The agent `script`: actions that stand in a file of JSON Lines, the same in every episode. */
import { type Diagnostic, InputError } from "../../../base/diagnostic.ts";
import { lineSpan } from "../../../base/span.ts";
import type { Action, Agent } from "./agent.ts";

/**
 * Reads a script: `{ "query": { "age": 1 } }` or `{ "submit": "import pymc …" }` on each line.
 *
 * @throws InputError with every line that is neither.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readScript } from "./script.ts";
 * assert.deepEqual(readScript('{"query":{"age":1}}\n', "a.jsonl"), [{ kind: "query", query: { age: 1 } }]);
 * ```
 */
export function readScript(text: string, file: string): readonly Action[] {
  const findings: Diagnostic[] = [];
  const actions = text.split(/\r?\n/).flatMap((line, i): Action[] => {
    if (line.trim() === "") return [];
    const action = actionOf(line);
    if (action) return [action];
    findings.push({
      code: "play/script",
      severity: "error",
      message: `Cannot read the script: line ${i + 1} is no action`,
      span: lineSpan(file, i + 1, 1),
      hint: 'write {"query": {…}} or {"submit": "…"}',
    });
    return [];
  });
  if (findings.length > 0) throw new InputError(findings, new Map([[file, text]]));
  return actions;
}

function actionOf(line: string): Action | undefined {
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    const keys = Object.keys(value);
    if (keys.length !== 1) return undefined;
    if (keys[0] === "query") return { kind: "query", query: value.query };
    return keys[0] === "submit" && typeof value.submit === "string"
      ? { kind: "submit", program: value.submit }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The agent that follows a script, action by action; once it ends, nothing is asked. */
export function scriptAgent(actions: readonly Action[]): Agent {
  let at = 0;
  return { act: () => actions[at++] ?? { kind: "query", query: null } };
}
