/** Constant folding computes what Python computes: precedence, associativity, number literals. */
import assert from "node:assert/strict";
import { priorOf } from "./programs.ts";

/** Made by tools/golden/python_arithmetic.py; the file names version and command. */
interface Row {
  readonly text: string;
  readonly value: number;
}

const golden: { expressions: Row[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/python_arithmetic.json", import.meta.url)),
);
/** Our pow and Python's may differ in the last bits, and cancellation magnifies that. */
const tolerance = 1e-9;

Deno.test("300 random expressions have the values that CPython gives them", () => {
  assert.equal(golden.expressions.length, 300);
  for (const { text, value } of golden.expressions) {
    const [found] = priorOf(`pm.Normal("a", ${text}, 1)`).values;
    const near = Math.abs(found - value) <= tolerance * Math.max(1, Math.abs(value));
    assert.ok(near, `${text}: ${found} is not ${value}`);
  }
});
