/** Checks an environment: masks, steps, priors, rewards, backward actions and the enumeration agree. */
import { inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { exp } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "./environment.ts";
import { type StateGraph, stateGraph } from "./state_graph.ts";
import { resampleBackward, uniformLogPb } from "./walk_back.ts";

/** Options of the check of an environment. */
export interface CheckEnvironmentOptions {
  /**
   * Number of trajectories by the prior along which single states are checked, for environments too
   * large to visit in full. Left out: every state and every object is checked.
   */
  readonly walks?: number;
}

/**
 * Checks an environment by the rules that training and evaluation rest on: the exit is legal where
 * there is an object, legal actions are those of the prior, whose probabilities sum to 1, objects are
 * replayed by their actions, every backward action leads forward again, `maxActions` is reached and not
 * passed, the enumeration is complete and without duplicates, features of different states differ.
 *
 * @throws InputError about the first rule that is broken.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkEnvironment } from "./check_environment.ts";
 * import { hypergridEnvironment } from "./hypergrid.ts";
 * const grid = hypergridEnvironment({ ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 });
 * checkEnvironment(grid);
 * assert.throws(() => checkEnvironment({ ...grid, maxActions: 3 }), /maxActions/);
 * ```
 */
export function checkEnvironment<S>(
  environment: Environment<S>,
  { walks }: CheckEnvironmentOptions = {},
): void {
  try {
    if (walks !== undefined) checkSomeWalks(environment, walks);
    else checkAll(environment);
  } catch (error) {
    if (!(error instanceof BrokenRule)) throw error;
    const message = `Cannot use the environment "${environment.kind}": ${error.message}`;
    throw inputError(
      "environment/rule",
      message,
      undefined,
      "docs/environments.md says what each part is",
    );
  }
}

/** The first rule that does not hold. */
class BrokenRule extends Error {}

function holds(rule: boolean, broken: string): asserts rule {
  if (!rule) throw new BrokenRule(broken);
}

function throws(what: () => unknown): boolean {
  try {
    what();
    return false;
  } catch {
    return true;
  }
}

function checkAll<S>(environment: Environment<S>): void {
  const graph = stateGraph(environment);
  for (const state of graph.states) checkState(environment, state);
  checkEnumeration(graph);
  checkPriors(graph);
  holds(
    longestWalk(graph) + 1 === environment.maxActions,
    `maxActions is ${environment.maxActions}, and the longest walk has ${
      longestWalk(graph) + 1
    } actions`,
  );
  checkBackward(graph);
  if (environment.features) checkFeatures(graph);
}

/** The rules of single states along trajectories by the prior, for environments of any size. */
function checkSomeWalks<S>(environment: Environment<S>, walks: number): void {
  const random = new RandomStream("check", environment.kind);
  const { exitAction, maxActions } = environment;
  for (let walk = 0; walk < walks; walk++) {
    let state = environment.initialState();
    for (let steps = 1;; steps++) {
      checkState(environment, state);
      holds(steps <= maxActions, `a walk has more than maxActions = ${maxActions} actions`);
      const action = drawn(environment.logPrior(state), random);
      if (action === exitAction) break;
      state = environment.step(state, action);
    }
  }
}

/** An action, with these log probabilities. */
function drawn(logPrior: Float64Array, random: RandomStream): number {
  let left = random.uniform();
  const last = logPrior.findLastIndex((value) => value > -Infinity);
  const at = logPrior.findIndex((value) => (left -= exp(value)) < 0);
  return at < 0 ? last : at;
}

function checkState<S>(environment: Environment<S>, state: S): void {
  const { actionNames, exitAction } = environment;
  const mask = environment.legalActions(state);
  holds(
    mask.length === actionNames.length,
    `a mask has ${mask.length} entries for ${actionNames.length} actions`,
  );
  holds(mask.includes(1), "a state has no legal action");
  const logPrior = environment.logPrior(state);
  const mass = logPrior.reduce((sum, value) => sum + exp(value), 0);
  holds(Math.abs(mass - 1) < 1e-12, `the prior probabilities of a state's actions sum to ${mass}`);
  mask.forEach((legal, action) => {
    holds(
      (logPrior[action] > -Infinity) === (legal === 1),
      `action ${action} is ${legal ? "legal" : "illegal"} and its log prior is ${logPrior[action]}`,
    );
    if (action === exitAction || legal === 0) {
      holds(
        throws(() => environment.step(state, action)),
        `step takes action ${action}, which is ${legal ? "the exit" : "illegal"}, without an error`,
      );
    }
  });
  if (mask[exitAction] === 1) checkObject(environment, state);
  else {holds(
      throws(() => environment.terminal(state)),
      "a state without a legal exit has an object",
    );}
}

/** Replaying an object's actions gives the object; its reward is that of its state. */
function checkObject<S>(environment: Environment<S>, state: S): void {
  const object = environment.terminal(state);
  holds(object.text !== "", "an object has an empty text");
  holds(
    object.actions.at(-1) === environment.exitAction,
    "the actions of an object do not end with the exit",
  );
  const end = replay(environment, object.actions);
  holds(
    environment.terminal(end).text === object.text,
    `the actions of ${object.text} lead to another object`,
  );
  if (environment.stateKey) {
    holds(
      environment.stateKey(end) === environment.stateKey(state),
      `the actions of ${object.text} lead to another state`,
    );
  }
  holds(
    (object.logReward !== undefined) === (environment.logReward !== undefined),
    "objects state a log reward, or the environment does, and not both",
  );
  if (!environment.logReward) return;
  holds(
    environment.logReward(state) === object.logReward,
    `the log reward of ${object.text} is not that of its state`,
  );
  holds(
    Number.isFinite(object.logReward),
    `the log reward of ${object.text} is ${object.logReward}`,
  );
}

function replay<S>(environment: Environment<S>, actions: readonly number[]): S {
  return actions.slice(0, -1).reduce(
    (state, action) => environment.step(state, action),
    environment.initialState(),
  );
}

function checkEnumeration<S>({ environment, states, terminable }: StateGraph<S>): void {
  const walked = states.filter((_, i) => terminable[i]).map((s) => environment.terminal(s).text);
  const enumerated = [...environment.enumerate()];
  const texts = enumerated.map((object) => object.text);
  holds(new Set(texts).size === texts.length, "the enumeration has duplicates");
  holds(
    firstDifference(texts.toSorted(), walked.toSorted()) === -1,
    "the enumeration is not what walks reach",
  );
  const { count = enumerated.length } = environment;
  holds(
    count === enumerated.length,
    `count is ${count}, and ${enumerated.length} objects are enumerated`,
  );
  const again = [...environment.enumerate()];
  const text = (object: TerminalObject) => JSON.stringify(object);
  holds(
    firstDifference(again.map(text), enumerated.map(text)) === -1,
    "the enumeration has another order the second time",
  );
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  return a.findIndex((value, i) => value !== b[i]);
}

/** The priors of all paths to an object sum to its own, those of all objects to 1. */
function checkPriors<S>(graph: StateGraph<S>): void {
  const { environment, states, firstStep, action, to, terminable } = graph;
  const visits = new Float64Array(states.length);
  visits[0] = 1;
  let mass = 0;
  states.forEach((state, i) => {
    const prior = environment.logPrior(state);
    for (let step = firstStep[i]; step < firstStep[i + 1]; step++) {
      visits[to[step]] += visits[i] * exp(prior[action[step]]);
    }
    if (!terminable[i]) return;
    const pushed = visits[i] * exp(prior[environment.exitAction]);
    const own = exp(environment.terminal(state).logPrior);
    holds(
      Math.abs(own - pushed) <= 1e-10 * pushed,
      `the prior probability of an object is ${own}, that of its ways ${pushed}`,
    );
    mass += own;
  });
  holds(Math.abs(mass - 1) < 1e-9, `the prior probabilities of all objects sum to ${mass}`);
}

/** Most steps from the initial state to a complete one. */
function longestWalk<S>({ states, firstStep, to, terminable }: StateGraph<S>): number {
  const depth = new Int32Array(states.length);
  let longest = 0;
  states.forEach((_, i) => {
    for (let step = firstStep[i]; step < firstStep[i + 1]; step++) {
      depth[to[step]] = Math.max(depth[to[step]], depth[i] + 1);
    }
    if (terminable[i]) longest = Math.max(longest, depth[i]);
  });
  return longest;
}

function checkBackward<S>(graph: StateGraph<S>): void {
  const { environment, states, keys, from, to, action, logPb } = graph;
  const { backward, stateKey } = environment;
  if (!backward) {
    holds(
      logPb.every((value) => value === 0),
      "several ways lead to a state, and there is no backward part",
    );
    return;
  }
  holds(stateKey !== undefined, "several ways lead to a state, and there is no stateKey");
  const total = new Float64Array(states.length);
  logPb.forEach((value, step) => total[to[step]] += exp(value));
  total.forEach((sum, i) => holds(i === 0 || Math.abs(sum - 1) < 1e-12, `P_B sums to ${sum}`));
  from.forEach((parent, step) => {
    const undone = backward.undoing(states[parent], action[step]);
    const before = backward.previous(states[to[step]], undone);
    holds(
      environment.stateKey!(before.state) === keys[parent],
      "undoing a step leads to another state",
    );
    holds(
      before.action === action[step],
      "previous names another action than the one that was undone",
    );
  });
  const steps = new Int32Array(states.length);
  to.forEach((child) => steps[child]++);
  states.forEach((state, i) => checkWaysBack(environment, state, keys[i], steps[i]));
  checkPaths(graph);
}

function checkWaysBack<S>(
  environment: Environment<S>,
  state: S,
  key: string,
  steps: number,
): void {
  const backward = environment.backward!;
  const mask = backward.legalActions(state);
  holds(mask.length === backward.actionNames.length, "a backward mask is not as long as its names");
  holds(
    mask.reduce((sum, legal) => sum + legal, 0) === steps,
    "a state has more or fewer ways back than steps into it",
  );
  mask.forEach((legal, one) => {
    if (!legal) {
      return holds(
        throws(() => backward.previous(state, one)),
        "previous takes an illegal way back without an error",
      );
    }
    const { state: parent, action } = backward.previous(state, one);
    holds(
      environment.stateKey!(environment.step(parent, action)) === key,
      "a way back does not lead forward again",
    );
    holds(backward.undoing(parent, action) === one, "undoing names another way back");
  });
}

/** Other paths to some objects lead to the same objects and have the log P_B of their steps. */
function checkPaths<S>(graph: StateGraph<S>): void {
  const { environment, index, firstStep, action, logPb } = graph;
  const random = new RandomStream("check", environment.digest);
  for (const object of [...environment.enumerate()].slice(-20)) {
    const other = resampleBackward(environment, object.actions, random);
    holds(
      environment.terminal(replay(environment, other)).text === object.text,
      "another way leads to another object",
    );
    let [state, sum] = [environment.initialState(), 0];
    for (const taken of other.slice(0, -1)) {
      const node = index.get(environment.stateKey!(state))!;
      sum += logPb[action.indexOf(taken, firstStep[node])];
      state = environment.step(state, taken);
    }
    holds(
      Math.abs(uniformLogPb(environment, other) - sum) < 1e-12,
      "the log P_B of a way is not the sum of its steps",
    );
  }
}

/** Different states are described by different numbers. */
function checkFeatures<S>({ environment, states }: StateGraph<S>): void {
  const { size, encode } = environment.features!;
  const seen = new Set<string>();
  for (const state of states) {
    const out = new Float32Array(size + 2);
    encode(state, out, 1);
    holds(out[0] === 0, "encode writes before its offset");
    holds(out[size + 1] === 0, "encode writes behind its features");
    seen.add(out.join());
  }
  holds(seen.size === states.length, "two states have the same features");
}
