/** The environment of a grammar: one action per choice, an exit wherever a program is complete. */
import type { GrammarState } from "./grammar_state.ts";
import { digestOf } from "../../base/digest.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { type CompiledGrammar, compileGrammar } from "./compile.ts";
import type { Filling } from "./nested/filling.ts";
import { renderDerivation } from "./render.ts";
import { measure } from "./reach.ts";
import { someObjects } from "./some_programs.ts";
import { type Situation, Situations } from "./situations.ts";
import { walked } from "./meaning.ts";
import { exitName, type GrammarSpec } from "./spec.ts";

/**
 * The environment whose objects are the derivations of a grammar. Holes are filled depth first in
 * the order of the text; when none is left, the derivation may exit or take one of the clauses
 * that come later in their order. So every object has exactly one derivation.
 *
 * Masks and log priors are shared between states: do not write into them.
 *
 * @param spec a grammar that `readGrammar` accepted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { grammarEnvironment } from "./environment.ts";
 * const production = (name: string, weight: number, text: string) => ({
 *   name, weight, text, requires: [], requiresAny: [], excludes: [],
 * });
 * const environment = grammarEnvironment({
 *   format: 1, name: "coin", template: "side = {side}", exit: 1, clauses: [],
 *   holes: [{
 *     name: "side", type: "number",
 *     productions: [production("heads", 3, "1"), production("tails", 1, "0")],
 *   }],
 * });
 * const texts = [...environment.enumerate()].map((object) => object.text);
 * assert.deepEqual(texts, ["side = 1\n", "side = 0\n"]);
 * ```
 */
export function grammarEnvironment(spec: GrammarSpec): Environment<GrammarState> {
  const grammar = compileGrammar(spec);
  const situations = new Situations(grammar);
  const exitAction = grammar.actions.length;
  const { programs, longest } = measure(situations);
  const isNested = situations.rooms.nested.some((hole) => hole.isNested);
  const initial = { actions: [], situation: situations.initial, logPrior: 0 };
  const environment: Environment<GrammarState> = {
    kind: "grammar",
    digest: digestOf({ kind: "grammar", spec: walked(spec) }),
    spec,
    actionNames: [...grammar.actions.map((action) => action.name), exitName],
    exitAction,
    maxActions: longest,
    count: programs,
    initialState: () => initial,
    legalActions: (state) => within(state).mask,
    step: (state, action) => stepOf(situations, state, action),
    logPrior: (state) => within(state).logPrior,
    terminal: (state) => terminalOf(grammar, state),
    enumerate: () => enumerateFrom(environment, initial),
    some: (most) => someObjects(environment, most, { isNested }),
  };
  return environment;
}

/** Part of a state that decides the legal actions. */
function within({ situation, filling }: GrammarState): Situation | Filling {
  return filling ?? situation;
}

function stepOf(situations: Situations, state: GrammarState, action: number): GrammarState {
  const actions = [...state.actions, action];
  const logPrior = state.logPrior + within(state).logPrior[action];
  const { situation, filling = situation.filling } = state;
  if (!filling) return { actions, situation: situations.after(situation, action), logPrior };
  const next = filling.after(action);
  return next.isDone
    ? { actions, situation: situations.afterFilling(situation), logPrior }
    : { actions, situation, filling: next, logPrior };
}

function terminalOf(grammar: CompiledGrammar, state: GrammarState): TerminalObject {
  const exit = grammar.actions.length;
  if (within(state).mask[exit] !== 1) throw new Error("internal: the exit is not legal here");
  return {
    text: renderDerivation(grammar, state.actions),
    logPrior: state.logPrior + state.situation.logPrior[exit],
    actions: [...state.actions, exit],
    features: state.actions.map((action) => grammar.actions[action].name),
  };
}

/** Depth first; a program comes before those that extend it. */
function* enumerateFrom(
  environment: Environment<GrammarState>,
  state: GrammarState,
): Generator<TerminalObject> {
  const mask = environment.legalActions(state);
  if (mask[environment.exitAction] === 1) yield environment.terminal(state);
  for (let action = 0; action < environment.exitAction; action++) {
    if (mask[action] === 1) yield* enumerateFrom(environment, environment.step(state, action));
  }
}
