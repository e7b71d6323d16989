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
  const none = column("x gaps", "predictor", [1, 1, 1], { gapsOf: "x" });
  assert.throws(
    () => marginalRows("on=0", makeDataset("gaps", [...data.columns, none])),
    /every row of the data lacks a value/,
  );
});

Deno.test("of too many rows some are drawn, of every kind of row as many as there are", () => {
  const n = 60_000;
  const many = makeDataset("many", [
    column("y", "response", Array.from({ length: n }, (_, i) => i)),
    column("x", "predictor", Array.from({ length: n }, () => 0)),
    column("z", "predictor", Array.from({ length: n }, (_, i) => i % 3)),
  ]);
  const { columns, each, drawn } = marginalRows("x=0,1", many);
  assert.deepEqual([each, drawn], [20_000, { rows: 20_000, of: n }]);
  // Each third of the rows has z = 0: every third row, taken by its place, would have no other.
  const share = columns.get("z")!.filter((z) => z === 0).length / 40_000;
  assert.ok(Math.abs(share - 1 / 3) < 4 * Math.sqrt(2 / 9 / 20_000), `${share}`);
  assert.equal(marginalRows("x=0", data).drawn, undefined);
});

Deno.test("averages and differences are those of each draw", () => {
  const { settings } = marginalRows("on=0,1", data);
  // Draw s of a setting is s · (1 + on) + 7.
  const draws = Float64Array.from({ length: 202 }, (_, k) => {
    const [s, on] = [Math.floor(k / 2) / 100, k % 2];
    return s * (1 + on) + 7;
  });
  const [off, on] = marginalPredictions(draws, { settings });
  const near = (found: number, right: number) =>
    assert.ok(Math.abs(found - right) < 1e-9, `${found}`);
  [[off.mean, 7.5], [off.q05, 7.05], [on.mean, 8], [on.q95, 8.9]].forEach(([a, b]) => near(a, b));
  near(on.difference!.mean, 0.5);
  near(on.difference!.q05, 0.05);
  assert.equal(off.difference, null);
});

Deno.test("contrasts are of all pairs, of every level that a star stands for", () => {
  const { settings } = marginalRows("g=*; on=0,1", data);
  assert.deepEqual(settings.map(({ g, on }) => `${g} ${on}`), ["a b 0", "a b 1", "c 0", "c 1"]);
  // Draw s: g lifts by s − 0.25, of which a quarter is below 0; on does nothing.
  const draws = Float64Array.from({ length: 404 }, (_, k) => {
    const [s, g] = [Math.floor(k / 4) / 100, Math.floor(k % 4 / 2)];
    return g * (s - 0.25);
  });
  const pairs = contrastsOf(draws, { settings });
  assert.equal(pairs.length, 6);
  const [same, lifted] = [pairs[0], pairs[1]];
  assert.deepEqual([same.of, same.against], [{ g: "a b", on: "1" }, { g: "a b", on: "0" }]);
  assert.deepEqual([same.mean, same.larger, same.equal], [0, 0, 1]);
  assert.deepEqual([lifted.of.g, lifted.against.g], ["c", "a b"]);
  assert.ok(Math.abs(lifted.mean - 0.25) < 1e-9 && Math.abs(lifted.q05 + 0.2) < 1e-9);
  assert.deepEqual([lifted.larger, lifted.equal], [75 / 101, 1 / 101]);
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
