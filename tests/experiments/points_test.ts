/** Points of sweeps: products, pairs with seeds, draws, and what cannot be swept. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { countPoints, sweptPoints } from "../../src/experiments/sweep/points.ts";
import { readAxis } from "../../src/experiments/sweep/axes.ts";

const codes = (run: () => unknown): string[] => {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map(({ code }) => code);
  }
};

Deno.test("every combination is a point, with the seeds of a setting beside one another", () => {
  const { points, fixed } = sweptPoints(undefined, ["seed=0..1", "a.b=x,y", "c=3"]);
  assert.deepEqual(points, [
    { "a.b": "x", seed: 0 },
    { "a.b": "x", seed: 1 },
    { "a.b": "y", seed: 0 },
    { "a.b": "y", seed: 1 },
  ]);
  assert.deepEqual(fixed, ["c=3"]);
});

Deno.test("a table joins grid, list, random draws and seeds", () => {
  const table = {
    seeds: 2,
    grid: { "stages.a.n": [1, 2] },
    list: [{ "stages.b.m": 1, "stages.b.k": 2 }, { "stages.b.m": 3, "stages.b.k": 4 }],
    random: { points: 3, seed: 0, draw: { "stages.c.lr": { log_uniform: [1e-4, 1e-2] } } },
  } as const;
  const { points } = sweptPoints(table as never, []);
  assert.equal(points.length, 2 * 2 * 2 * 3);
  assert.equal(countPoints(table as never, []), 24);
  const rates = [...new Set(points.map((one) => Number(one["stages.c.lr"])))];
  assert.equal(rates.length, 3);
  assert.ok(rates.every((one) => one >= 1e-4 && one <= 1e-2));
  const longer = { ...table, random: { ...table.random, points: 5 } };
  const more = new Set(sweptPoints(longer as never, []).points.map((p) => p["stages.c.lr"]));
  assert.ok(rates.every((one) => more.has(one)), "a longer sweep begins with the same draws");
});

Deno.test("values keep their types, and commas in quotes and brackets do not part", () => {
  const values = readAxis(`p="a,b",[1,2],{ kind = "mlp", width = 3 },true,0.5,word`).values;
  assert.deepEqual(values, ["a,b", [1, 2], { kind: "mlp", width: 3 }, true, 0.5, "word"]);
  assert.deepEqual(readAxis("seed=-1..1").values, [-1, 0, 1]);
});

Deno.test("a path that is set twice is refused, also within another's value", () => {
  assert.deepEqual(codes(() => sweptPoints(undefined, ["a=1,2", "a=3"])), ["sweep/set-twice"]);
  const table = { grid: { "stages.a.n": [1, 2] } };
  assert.deepEqual(codes(() => sweptPoints(table, ["stages.a.n=5"])), ["sweep/set-twice"]);
  assert.deepEqual(codes(() => sweptPoints(table, ["stages.a={n=1},{n=2}"])), ["sweep/set-twice"]);
});

Deno.test("what holds no value, or sweeps nothing, is told", () => {
  assert.deepEqual(codes(() => readAxis("seed")), ["sweep/set"]);
  assert.deepEqual(codes(() => readAxis("seed=1,,2")), ["sweep/set"]);
  assert.deepEqual(codes(() => readAxis("seed=5..1")), ["sweep/set"]);
  assert.deepEqual(codes(() => readAxis("seed=0..99999999")), ["sweep/set"]);
  assert.deepEqual(codes(() => sweptPoints(undefined, ["seed=1"])), ["sweep/nothing"]);
  const upside = { random: { points: 1, seed: 0, draw: { a: { log_uniform: [0, 1] } } } };
  assert.deepEqual(codes(() => sweptPoints(upside as never, [])), ["sweep/bounds"]);
});

Deno.test("points that set the same are one", () => {
  assert.equal(sweptPoints(undefined, ["a=1,1,2"]).points.length, 2);
});
