/** Laws that every environment keeps, trees and graphs alike; their tests call these. */
import assert from "node:assert/strict";
import { resampleBackward, uniformLogPb } from "./backward.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";
import { type StateGraph, stateGraph } from "../../src/gfn/environments/state_graph.ts";
import { RandomStream } from "../../src/base/random.ts";

/**
 * Walks the whole environment and checks that masks, steps, priors, rewards, the way back and the
 * enumeration agree. Only for environments that are small enough to be walked.
 */
export function checkEnvironmentLaws<S>(environment: Environment<S>): void {
  const graph = stateGraph(environment);
  for (const state of graph.states) checkState(environment, state);
  checkEnumeration(graph);
  checkPriors(graph);
  assert.equal(longestWalk(graph) + 1, environment.maxActions, "maxActions is reached, not passed");
  checkBackward(graph);
  if (environment.features) checkFeatures(graph);
}

/** The laws of single states along walks by the prior: for environments of any size. */
export function checkSomeWalks<S>(environment: Environment<S>, walks = 20): void {
  const random = new RandomStream("laws", environment.kind);
  const { exitAction, maxActions } = environment;
  for (let walk = 0; walk < walks; walk++) {
    let state = environment.initialState();
    for (let steps = 1;; steps++) {
      checkState(environment, state);
      assert.ok(steps <= maxActions, "maxActions is not passed");
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
  const at = logPrior.findIndex((value) => (left -= Math.exp(value)) < 0);
  return at < 0 ? last : at;
}

function checkState<S>(environment: Environment<S>, state: S): void {
  const { actionNames, exitAction } = environment;
  const mask = environment.legalActions(state);
  assert.equal(mask.length, actionNames.length);
  assert.ok(mask.includes(1), "there is no dead end");
  const logPrior = environment.logPrior(state);
  const mass = logPrior.reduce((sum, value) => sum + Math.exp(value), 0);
  assert.ok(Math.abs(mass - 1) < 1e-12, `the log priors of a state sum to ${mass}`);
  mask.forEach((legal, action) => {
    assert.equal(logPrior[action] > -Infinity, legal === 1, "the prior is where the mask is");
    if (action === exitAction || legal === 0) {
      assert.throws(() => environment.step(state, action), /internal/);
    }
  });
  if (mask[exitAction] === 1) checkObject(environment, state, environment.terminal(state));
  else assert.throws(() => environment.terminal(state), /internal/);
}

/** Replaying an object's actions gives the object; its reward is that of its state. */
function checkObject<S>(environment: Environment<S>, state: S, object: TerminalObject): void {
  assert.notEqual(object.text, "");
  const end = replay(environment, object.actions);
  assert.equal(environment.terminal(end).text, object.text, "its actions lead to the object");
  if (environment.stateKey) assert.equal(environment.stateKey(end), environment.stateKey(state));
  assert.equal(object.logReward !== undefined, environment.logReward !== undefined);
  if (!environment.logReward) return;
  assert.equal(environment.logReward(state), object.logReward);
  assert.ok(Number.isFinite(object.logReward), `log reward ${object.logReward}`);
}

function replay<S>(environment: Environment<S>, actions: readonly number[]): S {
  assert.equal(actions[actions.length - 1], environment.exitAction, "the exit comes last");
  return actions.slice(0, -1).reduce(
    (state, action) => environment.step(state, action),
    environment.initialState(),
  );
}

function checkEnumeration<S>({ environment, states, terminable }: StateGraph<S>): void {
  const walked = states.filter((_, i) => terminable[i]).map((s) => environment.terminal(s).text);
  const enumerated = [...environment.enumerate()];
  const texts = enumerated.map((object) => object.text);
  assert.equal(new Set(texts).size, texts.length, "the enumeration is without duplicates");
  assert.equal(firstDifference(texts.toSorted(), walked.toSorted()), -1, "and complete");
  if (environment.count !== undefined) assert.equal(environment.count, enumerated.length);
  const again = [...environment.enumerate()];
  const text = (object: TerminalObject) => JSON.stringify(object);
  assert.equal(firstDifference(again.map(text), enumerated.map(text)), -1, "the order is fixed");
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  return a.findIndex((value, i) => value !== b[i]);
}

/** The priors of all ways to an object sum to its own, those of all objects to 1. */
function checkPriors<S>(graph: StateGraph<S>): void {
  const { environment, states, firstStep, action, to, terminable } = graph;
  const visits = new Float64Array(states.length);
  visits[0] = 1;
  let mass = 0;
  states.forEach((state, i) => {
    const prior = environment.logPrior(state);
    for (let step = firstStep[i]; step < firstStep[i + 1]; step++) {
      visits[to[step]] += visits[i] * Math.exp(prior[action[step]]);
    }
    if (!terminable[i]) return;
    const pushed = visits[i] * Math.exp(prior[environment.exitAction]);
    const own = Math.exp(environment.terminal(state).logPrior);
    assert.ok(
      Math.abs(own - pushed) <= 1e-10 * pushed,
      `log prior of an object: ${own}, ${pushed}`,
    );
    mass += own;
  });
  assert.ok(Math.abs(mass - 1) < 1e-9, `the log priors of all objects sum to ${mass}`);
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
    assert.ok(logPb.every((value) => value === 0), "a tree has one way to each state");
    return;
  }
  assert.ok(stateKey, "a graph names its states");
  const total = new Float64Array(states.length);
  logPb.forEach((value, step) => total[to[step]] += Math.exp(value));
  total.forEach((sum, i) => assert.ok(i === 0 || Math.abs(sum - 1) < 1e-12, "P_B sums to one"));
  from.forEach((parent, step) => {
    const undone = backward.undoing(states[parent], action[step]);
    const before = backward.previous(states[to[step]], undone);
    assert.equal(environment.stateKey!(before.state), keys[parent], "undoing leads back");
    assert.equal(before.action, action[step], "and names the action that was undone");
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
  assert.equal(mask.length, backward.actionNames.length);
  assert.equal(mask.reduce((sum, legal) => sum + legal, 0), steps, "as many ways back as steps in");
  mask.forEach((legal, one) => {
    if (!legal) return assert.throws(() => backward.previous(state, one), /internal/);
    const { state: parent, action } = backward.previous(state, one);
    assert.equal(environment.stateKey!(environment.step(parent, action)), key, "forward again");
    assert.equal(backward.undoing(parent, action), one);
  });
}

/** Other ways to some objects lead to the same objects and have the log P_B of their steps. */
function checkPaths<S>(graph: StateGraph<S>): void {
  const { environment, index, firstStep, action, logPb } = graph;
  const random = new RandomStream("laws", environment.digest);
  for (const object of [...environment.enumerate()].slice(-20)) {
    const other = resampleBackward(environment, object.actions, random);
    assert.equal(environment.terminal(replay(environment, other)).text, object.text);
    let [state, sum] = [environment.initialState(), 0];
    for (const taken of other.slice(0, -1)) {
      const node = index.get(environment.stateKey!(state))!;
      sum += logPb[action.indexOf(taken, firstStep[node])];
      state = environment.step(state, taken);
    }
    assert.ok(Math.abs(uniformLogPb(environment, other) - sum) < 1e-12, "log P_B of a way");
  }
}

/** Different states are described by different numbers. */
function checkFeatures<S>({ environment, states }: StateGraph<S>): void {
  const { size, encode } = environment.features!;
  const seen = new Set<string>();
  for (const state of states) {
    const out = new Float32Array(size + 2);
    encode(state, out, 1);
    assert.equal(out[0], 0, "nothing is written before the offset");
    assert.equal(out[size + 1], 0, "nor behind the features");
    seen.add(out.join());
  }
  assert.equal(seen.size, states.length, "features tell states apart");
}

/** The digest tells every one of these environments from every other. */
export function checkDigests(environments: readonly Environment<never>[]): void {
  const digests = environments.map((environment) => environment.digest);
  assert.equal(new Set(digests).size, digests.length, "every parameter is part of the digest");
}
