/** Functions of placeholders: which are recognised, and that none is taken for another. */
import assert from "node:assert/strict";
import { compareGraphs } from "../../../src/executor/pymc/non_interference.ts";
import { recogniseTransform } from "../../../src/engine/language/ir/recognised_transform.ts";
import {
  canonicalTransform,
  type ResponseTransform,
} from "../../../src/engine/language/ir/response_transform.ts";

const placeholders = [[0.12, 0.5, 0.71, 0.93], [0.2, 0.44, 0.9, 0.31]];

const recognised: readonly [string, (y: number) => number, ResponseTransform][] = [
  ["y", (y) => y, []],
  ["np.log(y)", Math.log, [{ kind: "log" }]],
  ["np.log10(y)", Math.log10, [{ kind: "log" }, { kind: "multiply", by: 1 / Math.LN10 }]],
  ["np.log1p(y)", Math.log1p, [{ kind: "log1p" }]],
  ["(y - 3) / 2", (y) => (y - 3) / 2, [{ kind: "add", by: -3 }, { kind: "multiply", by: 0.5 }]],
  ["y / 100", (y) => y / 100, [{ kind: "multiply", by: 0.01 }]],
  ["1 / y", (y) => 1 / y, [{ kind: "reciprocal" }]],
  ["np.sqrt(y)", Math.sqrt, [{ kind: "power", by: 0.5 }]],
  ["np.exp(y)", Math.exp, [{ kind: "exp" }]],
  ["logit(y)", (y) => Math.log(y / (1 - y)), [{ kind: "logit" }]],
];

for (const [name, f, steps] of recognised) {
  Deno.test(`${name} is known by its values, as the native reader writes it`, () => {
    const found = recogniseTransform(placeholders, placeholders.map((ys) => ys.map(f)));
    assert.deepEqual(found, canonicalTransform(steps));
  });
}

const refused: readonly [string, (ys: readonly number[]) => number[]][] = [
  ["y - y.mean()", (ys) => ys.map((y) => y - ys.reduce((a, b) => a + b) / ys.length)],
  ["np.sin(y)", (ys) => ys.map(Math.sin)],
  ["np.clip(y, 0.2, 0.8)", (ys) => ys.map((y) => Math.min(0.8, Math.max(0.2, y)))],
  ["np.sort(y)", (ys) => [...ys].sort()],
  ["0 * y", (ys) => ys.map(() => 0)],
  ["another length", (ys) => ys.slice(1)],
  ["y with one row moved", (ys) => ys.map((y, i) => i === 2 ? y + 1e-6 : y)],
];

for (const [name, f] of refused) {
  Deno.test(`${name} is no function that is known by its values`, () => {
    assert.equal(recogniseTransform(placeholders, placeholders.map(f)), undefined);
  });
}

Deno.test("what a graph says of its response itself is not believed", () => {
  const forged = { kind: "multiply", by: 1e9 };
  const graph = (value: number[]) => ({ likelihood: { value, transform: [forged] } });
  const same = compareGraphs(placeholders.map((ys) => graph([...ys])), placeholders);
  assert.deepEqual(same, { kind: "same", graph: { likelihood: { value: placeholders[0] } } });
  const logged = compareGraphs(placeholders.map((ys) => graph(ys.map(Math.log))), placeholders);
  assert.ok(logged.kind === "same");
  const { likelihood } = logged.graph as { likelihood: { transform: unknown } };
  assert.deepEqual(likelihood.transform, [{ kind: "log" }]);
});
