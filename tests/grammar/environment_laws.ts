/** Laws that every environment keeps; tests of environments call `checkEnvironmentLaws`. */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environment.ts";

/**
 * Walks the whole environment and checks that masks, steps, priors and the enumeration agree.
 * Only for environments that are small enough to be walked.
 */
export function checkEnvironmentLaws<S>(environment: Environment<S>): void {
  const walked = walk(environment);
  const enumerated = [...environment.enumerate()];
  const key = (actions: readonly number[]) => actions.join(" ");
  const keys = enumerated.map((object) => key(object.actions));
  assert.deepEqual([...keys].sort(), walked.map(key).sort(), "the enumeration is complete");
  assert.equal(new Set(keys).size, keys.length, "the enumeration is unique");
  const texts = new Set(enumerated.map((object) => object.text));
  assert.equal(texts.size, enumerated.length, "every object has its own text");
  const longest = Math.max(...enumerated.map((object) => object.actions.length));
  assert.equal(longest, environment.maxActions, "maxActions is reached and not exceeded");
  const mass = enumerated.reduce((sum, object) => sum + Math.exp(object.logPrior), 0);
  assert.ok(Math.abs(mass - 1) < 1e-12, `the log priors of all objects sum to ${mass}`);
  for (const object of enumerated) checkReplay(environment, object.actions, object);
  assert.deepEqual([...environment.enumerate()], enumerated, "the order is fixed");
}

/** Every trajectory, found by masks and steps alone. */
function walk<S>(environment: Environment<S>): number[][] {
  const { exitAction, actionNames } = environment;
  const found: number[][] = [];
  const visit = (state: S, actions: readonly number[]): void => {
    const mask = environment.legalActions(state);
    assert.equal(mask.length, actionNames.length);
    assert.ok(mask.includes(1), `a dead end after ${actions}`);
    checkPrior(environment, state);
    for (let action = 0; action < actionNames.length; action++) {
      if (action === exitAction) checkExit(environment, state, mask[action] === 1);
      else if (mask[action] === 1) visit(environment.step(state, action), [...actions, action]);
      else assert.throws(() => environment.step(state, action), /internal/);
    }
    if (mask[exitAction] === 1) found.push([...actions, exitAction]);
  };
  visit(environment.initialState(), []);
  return found;
}

function checkPrior<S>(environment: Environment<S>, state: S): void {
  const mask = environment.legalActions(state);
  const logPrior = environment.logPrior(state);
  const mass = logPrior.reduce((sum, value) => sum + Math.exp(value), 0);
  assert.ok(Math.abs(mass - 1) < 1e-12, `the log priors of a state sum to ${mass}`);
  mask.forEach((legal, action) => {
    assert.equal(logPrior[action] > -Infinity, legal === 1, "the prior is where the mask is");
  });
}

function checkExit<S>(environment: Environment<S>, state: S, isLegal: boolean): void {
  assert.throws(() => environment.step(state, environment.exitAction), /internal/);
  if (isLegal) assert.notEqual(environment.terminal(state).text, "");
  else assert.throws(() => environment.terminal(state), /internal/);
}

/** Replaying an object's actions from the start gives the object, and its log prior. */
function checkReplay<S>(
  environment: Environment<S>,
  actions: readonly number[],
  object: { readonly text: string; readonly logPrior: number },
): void {
  let state = environment.initialState();
  let logPrior = 0;
  for (const action of actions) {
    logPrior += environment.logPrior(state)[action];
    if (action !== environment.exitAction) state = environment.step(state, action);
  }
  assert.deepEqual(environment.terminal(state).actions, actions);
  assert.equal(environment.terminal(state).text, object.text);
  assert.ok(Math.abs(logPrior - object.logPrior) < 1e-12);
}
