/** Tests of padded batches. */
import assert from "node:assert/strict";
import { maskOfRow } from "../../../src/gfn/environments/legal_actions.ts";
import { makeBatch, terminablePrefixes } from "../../../src/gfn/trajectories/batch.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { documentedGrammar, grammarOf } from "./small_grammar.ts";

const environment = grammarEnvironment(grammarOf(documentedGrammar()));
const objects = [...environment.enumerate()];

Deno.test("a batch of all objects holds what is legal in every state", () => {
  const batch = makeBatch(environment, objects);
  const A = environment.actionNames.length;
  assert.deepEqual([batch.B, batch.T, batch.A], [objects.length, environment.maxActions, A]);
  objects.forEach(({ actions }, b) => {
    let state = environment.initialState();
    assert.equal(batch.lengths[b], actions.length);
    actions.forEach((action, t) => {
      const cell = b * batch.T + t;
      const mask = environment.legalActions(state);
      assert.equal(batch.actions[cell], action);
      assert.deepEqual(maskOfRow(batch.states.legal[batch.states.index[cell]], A), mask);
      assert.equal(batch.terminable[cell], mask[environment.exitAction]);
      if (t < actions.length - 1) state = environment.step(state, action);
    });
    for (let t = actions.length; t < batch.T; t++) {
      const cell = b * batch.T + t;
      assert.equal(batch.actions[cell], 0);
      assert.equal(batch.states.index[cell], -1);
      assert.equal(batch.terminable[cell], 0);
    }
  });
});

Deno.test("log rewards go to the terminable states in their order", () => {
  const longest = objects.find((object) => object.features.includes("estimated"))!;
  const batch = makeBatch(environment, [longest], [Float64Array.of(-2, -1)]);
  assert.deepEqual([...batch.terminable].slice(-2), [1, 1]);
  assert.deepEqual([...batch.logReward].slice(-2), [-2, -1]);
  assert.throws(() => makeBatch(environment, [longest], [[-2]]), /2 terminable states with 1/);
  assert.throws(() => makeBatch(environment, [longest], []), /internal: 1 trajectories/);
});

Deno.test("terminable prefixes are the objects on the way", () => {
  const byFeatures = (names: string) =>
    objects.find((object) => object.features.join(" ") === names)!;
  const object = byFeatures("saturation student_t estimated");
  assert.deepEqual(terminablePrefixes(environment, object.actions), [
    { t: 2, object: byFeatures("saturation student_t") },
    { t: 3, object },
  ]);
});

Deno.test("a trajectory that the environment does not have is a bug", () => {
  const exit = environment.exitAction;
  assert.throws(() => makeBatch(environment, [{ actions: [exit] }]), /not legal here/);
  const { actions } = objects[0];
  assert.throws(() => makeBatch(environment, [{ actions: actions.slice(0, -1) }]), /the exit must/);
  assert.throws(() => terminablePrefixes(environment, [exit]), /not legal here/);
});
