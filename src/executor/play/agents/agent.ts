/** An agent: asks an experiment for rows, and in the end submits a program or answers. */
import type { EpisodeView } from "../episode.ts";

/** A query and its outcome. */
export interface Step {
  /** As the agent sent it. */
  readonly query: unknown;
  /** Rows with their responses; absent where the query was refused. */
  readonly observation?: readonly Readonly<Record<string, number | string>>[];
  /** The observation in the words of the experiment. */
  readonly words?: string;
  /** Why the query was refused. */
  readonly reason?: string;
}

/** View of an agent: never latents, questions before they are asked, nor seeds. */
export interface AgentView extends EpisodeView {
  /** Queries so far, refused ones included. */
  readonly transcript: readonly Step[];
  /** Queries that are left. */
  readonly left: number;
}

/** Action of an agent. */
export type Action =
  | { readonly kind: "query"; readonly query: unknown }
  /** A program of PyMC, which is fitted to the transcript and judged. */
  | { readonly kind: "submit"; readonly program: string };

/** Cost of an action. */
export interface ActionCost {
  /** Of a language model. */
  readonly tokens?: number;
  /** In the unit of its price. */
  readonly cost?: number;
}

/** An agent within one episode. */
export interface Agent {
  /** The next action; remote agents take their time. */
  act(view: AgentView): Promise<Action & ActionCost> | Action & ActionCost;
}

/** A module of one's own that is an agent. */
export interface AgentDefinition {
  /** Discriminates it from other plug-ins. */
  readonly kind: "agent";
  /** In tables and reports. */
  readonly name: string;
  /** Raise it when the agent changes otherwise than by its code. */
  readonly version: number;
  /** Opens the agent for an episode. */
  open(options: { readonly episode: number }): Agent;
}

/**
 * Makes an agent of one's own: `export default defineAgent({ … })`, named by path in a stage of kind `play`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineAgent } from "./agent.ts";
 * const middle = defineAgent({
 *   name: "middle",
 *   version: 1,
 *   open: () => ({ act: () => ({ kind: "query", query: { age: 2.5 } }) }),
 * });
 * assert.equal(middle.kind, "agent");
 * ```
 */
export function defineAgent(definition: Omit<AgentDefinition, "kind">): AgentDefinition {
  return { kind: "agent", ...definition };
}

/** Whether a value was made with `defineAgent`. */
export function isAgentDefinition(value: unknown): value is AgentDefinition {
  return typeof value === "object" && value !== null &&
    (value as AgentDefinition).kind === "agent" &&
    typeof (value as AgentDefinition).open === "function";
}
