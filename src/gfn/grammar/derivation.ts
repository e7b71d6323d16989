/** Turns a derivation by names, as users write it, into actions; reports impossible choices. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { Environment, WrittenIn } from "../environments/environment.ts";

/** Actions, or why there are none. */
export type DerivationResult =
  | { readonly ok: true; readonly actions: readonly number[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * The actions of a derivation, the exit included.
 *
 * @param names production names in the order of the choices, without the exit.
 * @param called how a finding calls the derivation.
 * @returns the actions, or a finding that names the first impossible choice, the legal ones and
 * the nearest name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { actionsOfDerivation } from "./derivation.ts";
 * import { grammarEnvironment } from "./environment.ts";
 * const production = (name: string, text: string) => ({
 *   name, weight: 1, text, requires: [], requiresAny: [], excludes: [],
 * });
 * const environment = grammarEnvironment({
 *   format: 1, name: "coin", template: "side = {side}", exit: 1, clauses: [],
 *   holes: [{
 *     name: "side", type: "number",
 *     productions: [production("heads", "1"), production("tails", "0")],
 *   }],
 * });
 * assert.deepEqual(actionsOfDerivation(environment, ["tails"]), { ok: true, actions: [1, 2] });
 * const wrong = actionsOfDerivation(environment, ["tail"], "my coin");
 * assert.ok(!wrong.ok && wrong.diagnostic.hint === 'did you mean "tails"? Legal here: heads, tails');
 * ```
 */
export function actionsOfDerivation<S>(
  environment: Environment<S>,
  names: readonly string[],
  called?: string,
): DerivationResult {
  if (environment.written) return inTokens(environment.written, names, called);
  const what = called === undefined ? "the derivation" : `derivation "${called}"`;
  const actions: number[] = [];
  let state = environment.initialState();
  for (const [i, name] of names.entries()) {
    const mask = environment.legalActions(state);
    const action = environment.actionNames.indexOf(name);
    if (action === environment.exitAction || action < 0 || mask[action] !== 1) {
      return { ok: false, diagnostic: impossible(environment, mask, what, names, i) };
    }
    actions.push(action);
    state = environment.step(state, action);
  }
  const mask = environment.legalActions(state);
  if (mask[environment.exitAction] === 1) {
    return { ok: true, actions: [...actions, environment.exitAction] };
  }
  return { ok: false, diagnostic: incomplete(environment, mask, what, names) };
}

/** Objects in tokens are derived where they come from, and found by their text. */
function inTokens(
  { of, actionsOf }: WrittenIn,
  names: readonly string[],
  called: string | undefined,
): DerivationResult {
  const derived = actionsOfDerivation(of, names, called);
  if (!derived.ok) return derived;
  let state = of.initialState();
  for (const action of derived.actions.slice(0, -1)) state = of.step(state, action);
  return { ok: true, actions: actionsOf(of.terminal(state).text)! };
}

function impossible<S>(
  environment: Environment<S>,
  mask: Uint8Array,
  what: string,
  names: readonly string[],
  index: number,
): Diagnostic {
  const name = names[index];
  const meant = nearest(name, legalNames(environment, mask));
  const choice = `choice ${index + 1} is "${name}"${after(names.slice(0, index))}`;
  return {
    code: "grammar/derivation",
    severity: "error",
    message: `Cannot follow ${what}: ${choice}; ${reasonOf(environment, name)}`,
    hint: `${meant ? `did you mean "${meant}"? ` : ""}${legalHint(environment, mask)}`,
  };
}

function legalHint<S>(environment: Environment<S>, mask: Uint8Array): string {
  const legal = legalNames(environment, mask);
  const end = mask[environment.exitAction] === 1 ? "the end of the derivation" : undefined;
  return `Legal here: ${[...legal, ...(end ? [end] : [])].join(", ")}`;
}

function reasonOf<S>(environment: Environment<S>, name: string): string {
  if (name === environment.actionNames[environment.exitAction]) return "the exit is not written";
  return environment.actionNames.includes(name)
    ? "it is not legal here"
    : "there is no such production";
}

function incomplete<S>(
  environment: Environment<S>,
  mask: Uint8Array,
  what: string,
  names: readonly string[],
): Diagnostic {
  return {
    code: "grammar/derivation",
    severity: "error",
    message: `Cannot follow ${what}: it is not complete${after(names)}`,
    hint: `go on with one of: ${legalNames(environment, mask).join(", ")}`,
  };
}

function after(names: readonly string[]): string {
  return names.length === 0 ? " at the start" : ` after ${names.join(", ")}`;
}

function legalNames<S>(environment: Environment<S>, mask: Uint8Array): string[] {
  return environment.actionNames.filter((_, action) =>
    action !== environment.exitAction && mask[action] === 1
  );
}
