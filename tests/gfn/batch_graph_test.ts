/** Batches of environments in which several ways lead to a state, and walking back in them. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { resampleBackward, uniformLogPb } from "../../src/gfn/environments/walk_back.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { smallGrid, smallStrings } from "./objective_cases.ts";
import { mixedTree } from "./tree_environment.ts";

const [right, up, exit] = [0, 1, 2];
const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} ${b}`);

Deno.test("a batch names each distinct state once, however many ways lead there", () => {
  const rows = [[right, up, exit], [up, right, up, exit], [exit]];
  const batch = makeBatch(smallGrid(), rows.map((actions) => ({ actions })));
  // Cells of 3 × 3 are numbered by rows: (1, 0) is 3, (1, 1) is 4, (0, 1) is 1, (1, 2) is 5.
  assert.deepEqual(batch.states.keys, ["0", "3", "4", "1", "5"]);
  assert.deepEqual([...batch.states.index], [0, 1, 2, -1, 0, 3, 2, 4, 0, -1, -1, -1]);
  assert.equal(batch.states.features!.length, 5 * 6);
  assert.deepEqual([...batch.states.features!.subarray(6, 12)], [0, 1, 0, 1, 0, 0]);
});

Deno.test("a batch says how each step is undone, among which ways, with which log P_B", () => {
  const batch = makeBatch(smallGrid(), [{ actions: [right, up, exit] }, { actions: [exit] }]);
  const { A, actions, legal } = batch.backward!;
  assert.equal(A, 2);
  assert.deepEqual([...actions], [0, 1, -1, -1, -1, -1]);
  assert.deepEqual(legal.map((row) => [...row]), [[], [0], [0, 1]]);
  assert.deepEqual([...batch.logPb].map((x) => Math.exp(x)), [1, 0.5, 1, 1, 1, 1]);
  assert.ok(batch.logPb.every((x) => !Object.is(x, -0)));
  close(batch.logPb[1], uniformLogPb(smallGrid(), [right, up, exit]));
});

Deno.test("a batch has the environment's own rewards unless others are given", () => {
  const grid = hypergridEnvironment({ ndim: 1, height: 3, r0: 1, r1: 3, r2: 0 });
  const rows = [{ actions: [0, 0, 1] }];
  assert.deepEqual([...makeBatch(grid, rows).logReward].map((x) => Math.round(Math.exp(x))), [
    4,
    1,
    4,
  ]);
  assert.deepEqual([...makeBatch(grid, rows, [[7, 8, 9]]).logReward], [7, 8, 9]);
});

Deno.test("priors of a batch are those of its actions and of its objects", () => {
  const grid = smallGrid();
  const batch = makeBatch(grid, [{ actions: [right, up, exit] }, { actions: [up, right, exit] }]);
  const third = Math.log(1 / 3);
  for (const value of batch.logPrior) close(value, third);
  // Two ways of (1/3)^3 lead to (1, 1).
  for (const value of batch.objectLogPrior) close(value, Math.log(2 / 27));
  const tree = makeBatch(mixedTree(), [{ actions: [1, 2, 0] }]);
  close(tree.objectLogPrior[0], tree.logPrior.reduce((sum, x) => sum + x, 0));
  assert.equal(tree.backward, undefined);
  assert.deepEqual(tree.states.keys, ["", "1", "1,2"]);
});

Deno.test("walking back takes every way to an object as often as the uniform P_B says", () => {
  const environment = smallStrings();
  const [object] = environment.enumerate();
  const random = new RandomStream("ways back");
  const counts = new Map<string, number>();
  const draws = 2000;
  for (let i = 0; i < draws; i++) {
    const way = resampleBackward(environment, object.actions, random).join();
    counts.set(way, (counts.get(way) ?? 0) + 1);
  }
  assert.equal(counts.size, 4);
  const deviation = Math.sqrt(draws * 0.25 * 0.75);
  for (const count of counts.values()) assert.ok(Math.abs(count - draws / 4) < 5 * deviation);
});

Deno.test("on trees walking back gives the only way", () => {
  const actions = [1, 3, 1, 0];
  const random = new RandomStream("tree");
  assert.deepEqual(resampleBackward(mixedTree(), actions, random), actions);
  assert.equal(uniformLogPb(mixedTree(), actions), 0);
});
