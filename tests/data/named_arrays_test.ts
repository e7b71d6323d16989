/** Tests of JSON dictionaries of numbers: refusals by name, and which vectors are columns. */
import assert from "node:assert/strict";
import { arrayColumn, namedArrays } from "../../src/data/named_arrays.ts";

Deno.test("a number that JSON can write and a double cannot hold is refused, with its name", () => {
  assert.throws(
    () => namedArrays('{"x": [1], "y": [1, 1e999]}', "d.json"),
    /Cannot read d\.json: "y" holds a number beyond 1\.8e308/,
  );
});

Deno.test("a vector as long as the data have rows is a column, another keeps its shape", () => {
  const arrays = namedArrays(
    '{"y": [1, 2, 3], "site": [0, 1, 1], "height": [5, 7], "n": 3}',
    "d.json",
  );
  const shapes = [...arrays!].map(([name, array]) =>
    arrayColumn(name, array, "predictor", 3).shape
  );
  assert.deepEqual(shapes, [undefined, undefined, [2], []]);
});
