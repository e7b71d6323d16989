/** Average predictions at given values: rows, averages against exact ones, and bad input. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import {
  contrastsOf,
  isSettings,
  marginalPredictions,
  marginalRows,
} from "../../src/cli/marginal_rows.ts";

const column = (name: string, role: Column["role"], values: number[], more = {}): Column =>
  ({ name, role, type: "real", values: Float64Array.from(values), ...more }) as Column;

const data = makeDataset("made", [
  column("y", "response", [1, 2, 3]),
  column("x", "predictor", [5, 6, 10]),
  column("on", "predictor", [0, 1, 1], { type: "binary" }),
  column("g", "predictor", [0, 1, 1], { type: "category", categories: ["a b", "c"] }),
]);

Deno.test("each combination has the rows of the data, with the given values", () => {
  const { settings, each, rows, columns } = marginalRows("g = a b , c; x=2", data);
  assert.deepEqual(settings, [{ g: "a b", x: "2" }, { g: "c", x: "2" }]);
  assert.ok(each >= 400 && each % 3 === 0 && rows === 2 * each);
  assert.deepEqual([...columns.get("x")!.subarray(0, 2)], [2, 2]);
  assert.deepEqual([columns.get("g")![0], columns.get("g")![each]], [0, 1]);
  assert.deepEqual([...columns.get("on")!.subarray(0, 4)], [0, 1, 1, 0]);
});

Deno.test("rows that lack a value are left out", () => {
  const gaps = column("x gaps", "predictor", [0, 1, 0], { gapsOf: "x" });
  const { columns, each } = marginalRows("on=0", makeDataset("gaps", [...data.columns, gaps]));
  assert.deepEqual(new Set(columns.get("x")), new Set([5, 10]));
  assert.equal(each, 400);
});

Deno.test("averages and differences are those of each draw", () => {
  const marginal = marginalRows("on=0,1", data);
  // Draw s of row i predicts s · (1 + on) + x: on average s · (1 + on) + 7.
  const of = (name: string, i: number) => marginal.columns.get(name)![i];
  const draws = Float64Array.from({ length: 101 * marginal.rows }, (_, k) => {
    const [s, i] = [Math.floor(k / marginal.rows) / 100, k % marginal.rows];
    return s * (1 + of("on", i)) + of("x", i);
  });
  const [off, on] = marginalPredictions(draws, marginal);
  const near = (found: number, right: number) =>
    assert.ok(Math.abs(found - right) < 1e-9, `${found}`);
  [[off.mean, 7.5], [off.q05, 7.05], [on.mean, 8], [on.q95, 8.9]].forEach(([a, b]) => near(a, b));
  near(on.difference!.mean, 0.5);
  near(on.difference!.q05, 0.05);
  assert.equal(off.difference, null);
});

Deno.test("contrasts are of all pairs, of every level that a star stands for", () => {
  const marginal = marginalRows("g=*; on=0,1", data);
  assert.deepEqual(marginal.settings.map(({ g, on }) => `${g} ${on}`), [
    "a b 0",
    "a b 1",
    "c 0",
    "c 1",
  ]);
  const of = (name: string, i: number) => marginal.columns.get(name)![i];
  // Draw s of row i: g lifts by s − 0.25, of which a quarter is below 0; on does nothing.
  const draws = Float64Array.from({ length: 101 * marginal.rows }, (_, k) => {
    const [s, i] = [Math.floor(k / marginal.rows) / 100, k % marginal.rows];
    return of("g", i) * (s - 0.25) + of("x", i);
  });
  const pairs = contrastsOf(draws, marginal);
  assert.equal(pairs.length, 6);
  const [same, lifted] = [pairs[0], pairs[1]];
  assert.deepEqual([same.of, same.against], [{ g: "a b", on: "1" }, { g: "a b", on: "0" }]);
  assert.deepEqual([same.mean, same.larger], [0, 0.5]);
  assert.deepEqual([lifted.of.g, lifted.against.g], ["c", "a b"]);
  assert.ok(Math.abs(lifted.mean - 0.25) < 1e-9 && Math.abs(lifted.q05 + 0.2) < 1e-9);
  assert.ok(Math.abs(lifted.larger - 75.5 / 101) < 1e-9);
});

Deno.test("a file is no setting, and what cannot be set is refused with what can", () => {
  assert.deepEqual(["new.csv", "x=1", "x=1;g=c", "x", "a=b=c"].map(isSettings), [
    ...[false, true, true, false, false],
  ]);
  const refusal = (spec: string) => {
    try {
      marginalRows(spec, data);
    } catch (error) {
      assert.ok(error instanceof InputError);
      return `${error.message} ${error.diagnostics[0].hint}`;
    }
    assert.fail(spec);
  };
  assert.match(refusal("z=1"), /no predictor "z".* have x, on, g/);
  assert.match(refusal("y=1"), /no predictor "y"/);
  assert.match(refusal("on=2"), /wanted 0 or 1/);
  assert.match(refusal("x=*"), /it has no levels/);
  assert.match(refusal("g=d"), /wanted one of a b, c/);
  assert.match(refusal("x=1,2,3,4,5;on=0,1;g=a b,c,c"), /30 combinations of values: at most 24/);
});
