/** Arguments of NumPy's functions under their several names, and kinds of numbers that they decide. */
import assert from "node:assert/strict";
import { accept, model, refuse } from "./programs.ts";

function hashOf(line: string): string {
  return accept(
    model(line, 'b = pm.Normal("b", 0, 1)', 'pm.Normal("y", b + mu, 1, observed=data["length"])'),
  ).hash;
}

Deno.test("np.clip takes its bounds by the names of NumPy 1 and of NumPy 2", () => {
  const plain = hashOf('mu = np.clip(data["age"], 2, 3)');
  assert.equal(hashOf('mu = np.clip(data["age"], a_min=2, a_max=3)'), plain);
  assert.equal(hashOf('mu = np.clip(a=data["age"], max=3, min=2)'), plain);
  const twice = refuse(model('mu = np.clip(data["age"], 2, min=1, a_min=2)'));
  assert.deepEqual(twice.slice(0, 1), ["names/repeated-argument"]);
});

Deno.test("the array that a function takes first goes by each of its names", () => {
  const plain = hashOf('mu = np.cumsum(data["age"])');
  for (const name of ["a", "x", "arr", "array", "input", "object"]) {
    assert.equal(hashOf(`mu = np.cumsum(${name}=data["age"])`), plain, name);
  }
});

Deno.test("the condition of np.where has no say in the kind of its numbers", () => {
  const filled = (numbers: string) =>
    `mu = np.ones(3, dtype=int)\n    mu[:] = np.where(data["dose"], ${numbers})`;
  assert.equal(hashOf(filled("2, 0")), hashOf("mu = np.array([2, 2, 2])"));
  assert.deepEqual(refuse(model(filled("0.5, 0"))).slice(0, 1), ["names/wrong-kind"]);
});
