/** Asks an agent for its next action, and reports the fault of one that gives none. */
import { inputError } from "../../../base/diagnostic.ts";
import type { Action, ActionCost, Agent, AgentView } from "./agent.ts";

/**
 * The next action of an agent. A query is handed on as it stands: the world reads it.
 *
 * @throws InputError `play/agent`, if the agent fails or gives no action.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { nextAction } from "./next_action.ts";
 * const view = { left: 3, transcript: [] } as never;
 * const found = await nextAction("ages", { act: () => ({ kind: "query", query: { age: 1 } }) }, view);
 * assert.deepEqual(found, { kind: "query", query: { age: 1 } });
 * ```
 */
export async function nextAction(
  name: string,
  agent: Agent,
  view: AgentView,
): Promise<Action & ActionCost> {
  let given: unknown;
  try {
    given = await agent.act(view);
  } catch (error) {
    throw refused(name, view, `fails: ${error instanceof Error ? error.message : error}`);
  }
  if (!isAction(given)) throw refused(name, view, `gives ${shown(given)}, which is no action`);
  return given;
}

function isAction(given: unknown): given is Action & ActionCost {
  const { kind, program, tokens = 0, cost = 0 } = (given ?? {}) as Record<string, unknown>;
  const isCounted = [tokens, cost].every((one) => Number.isFinite(one) && Number(one) >= 0);
  return isCounted && (kind === "query" || kind === "submit" && typeof program === "string");
}

function shown(given: unknown): string {
  return (JSON.stringify(given) ?? String(given)).slice(0, 200);
}

function refused(name: string, { transcript }: AgentView, found: string): Error {
  const message = `Cannot play with the agent "${name}": action ${transcript.length + 1} ${found}`;
  const hint = 'let act return { kind: "query", query: { … } } or { kind: "submit", program: "…" }';
  return inputError("play/agent", message, undefined, hint);
}
