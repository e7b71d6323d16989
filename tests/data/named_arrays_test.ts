/** Tests of JSON dictionaries of numbers: what is refused by name. */
import assert from "node:assert/strict";
import { namedArrays } from "../../src/data/named_arrays.ts";

Deno.test("a number that JSON can write and a double cannot hold is refused, with its name", () => {
  assert.throws(
    () => namedArrays('{"x": [1], "y": [1, 1e999]}', "d.json"),
    /Cannot read d\.json: "y" holds a number beyond 1\.8e308/,
  );
});
