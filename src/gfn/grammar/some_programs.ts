/** Chooses some programs of a grammar that has too many to check, every choice among them. */
import { exp } from "../../numerics/math/mod.ts";
import { RandomStream } from "../../base/random.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import type { GrammarState } from "./grammar_state.ts";

type Grammar = Environment<GrammarState>;

/**
 * At most so many different programs: one for every production, then one for every choice in every
 * situation, then draws from the prior. Choices after the first are drawn from the prior as well. The
 * same grammar gives the same programs; time grows with `most`, not with their number. Where holes
 * are nested, situations have no end: derivations prefer productions that none had before.
 */
export function someObjects(
  environment: Grammar,
  most: number,
  { isNested }: { readonly isNested: boolean },
): TerminalObject[] {
  const random = new RandomStream("some programs", environment.digest);
  const found = new Map<string, TerminalObject>();
  const keep = (state: GrammarState) => {
    const object = completed(environment, state, random);
    found.set(object.text, object);
  };
  const states = isNested ? curiousStates(environment, random) : statesOfEveryChoice(environment);
  for (const state of states) {
    if (found.size === most) return [...found.values()];
    keep(state);
  }
  // Draws may repeat themselves: as many again at most.
  for (let draw = 0; draw < most && found.size < most; draw++) keep(environment.initialState());
  return [...found.values()];
}

/** States right after a choice: of each production first, then of the others in each situation. */
function* statesOfEveryChoice(environment: Grammar): Generator<GrammarState> {
  const made = new Set<number>();
  const later: GrammarState[] = [environment.initialState()];
  for (const state of reachedStates(environment)) {
    for (const action of legalOf(environment, state)) {
      if (action === environment.exitAction) continue;
      const next = environment.step(state, action);
      if (made.has(action)) later.push(next);
      else {
        made.add(action);
        yield next;
      }
    }
    if (state.situation.mask[environment.exitAction] === 1) later.push(state);
  }
  yield* later;
}

/** Derivations in a row that find no new production. */
const walksInVain = 50;

/** Complete states of derivations that prefer productions which no earlier one took. */
function* curiousStates(environment: Grammar, random: RandomStream): Generator<GrammarState> {
  const made = new Set<number>([environment.exitAction]);
  for (let vain = 0; vain < walksInVain; vain++) {
    let state = environment.initialState();
    for (;;) {
      const legal = legalOf(environment, state);
      const fresh = legal.find((action) => !made.has(action));
      const action = fresh ?? drawn(environment.logPrior(state), legal, random);
      if (fresh !== undefined) vain = 0;
      made.add(action);
      if (action === environment.exitAction) break;
      state = environment.step(state, action);
    }
    yield state;
  }
}

/** One state of every situation, nearest first. */
function* reachedStates(environment: Grammar): Generator<GrammarState> {
  const queue = [environment.initialState()];
  const seen = new Set(queue.map(({ situation }) => situation));
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head];
    yield state;
    for (const action of legalOf(environment, state)) {
      if (action === environment.exitAction) continue;
      const next = environment.step(state, action);
      if (!seen.has(next.situation)) queue.push(next);
      seen.add(next.situation);
    }
  }
}

function completed(environment: Grammar, from: GrammarState, random: RandomStream): TerminalObject {
  let state = from;
  for (;;) {
    const action = drawn(environment.logPrior(state), legalOf(environment, state), random);
    if (action === environment.exitAction) return environment.terminal(state);
    state = environment.step(state, action);
  }
}

function drawn(logPrior: Float64Array, legal: readonly number[], random: RandomStream): number {
  let left = random.uniform();
  return legal.find((action) => (left -= exp(logPrior[action])) < 0) ?? legal[legal.length - 1];
}

function legalOf(environment: Grammar, state: GrammarState): number[] {
  const actions: number[] = [];
  environment.legalActions(state).forEach((legal, action) => legal === 1 && actions.push(action));
  return actions;
}
