/** Tests that executions survive JSON, and that nothing malformed passes for one. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeExecution, encodeExecution } from "../../src/executor/execution_json.ts";
import type { Execution } from "../../src/engine/score/execution/execution.ts";

const execution: Execution = {
  ...{ status: "ok", engine: "native", engineVersion: "1", programHash: "abc" },
  score: {
    ...{ elpdLoo: -1.5, elpdReward: -1.7, looMethod: "psis_refit", unit: "row" },
    ...{ unresolved: [0], elpdRaw: -1.6, se: 0.5, pLoo: 2, mcse: 0.05, goodK: 0.7 },
    ...{ elpdPointwise: [-1, -0.5], paretoK: [0.1, Infinity], exactRefits: [1] },
    ...{ cappedPoints: 0, rhatMax: NaN, essBulkMin: 400, divergences: 0, gradients: 1000 },
    ...{ chains: 4, tune: 200, draws: 125 },
    params: {
      b: {
        ...{ mean: [1], sd: [0.1], mcseMean: [0.01], mcseSd: [0.01], q05: [0], q95: [2] },
        ...{ hdi03: [0], hdi97: [2], essBulk: [100], essTail: [90], rhat: [NaN], shape: [] },
      },
    },
    predictive: {
      looPit: [0.2, 0.9],
      checks: { mean: { observed: 1, predicted: 1.1, p: 0.4 } },
    },
  },
  diagnostics: [{
    ...{ code: "a/b", severity: "warning", message: "m", hint: "h" },
    span: { file: "p.py", line: 1, column: 2, endLine: 1, endColumn: 3 },
  }],
};

const json = JSON.stringify(encodeExecution(execution));

Deno.test("an execution survives JSON, NaN and infinities included", () => {
  assert.deepEqual(decodeExecution(JSON.parse(json)), execution);
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, v]) => pathsOf(v, [...path, key]))];
}

function replaced(path: Path, by: unknown): unknown {
  const copy: Record<string, unknown> = { root: JSON.parse(json) };
  let at = copy;
  const keys = ["root", ...path];
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[keys.at(-1)!] = by;
  return copy.root;
}

Deno.test("a field of another type, anywhere, makes the whole malformed", () => {
  for (const path of pathsOf(JSON.parse(json))) {
    assert.equal(decodeExecution(replaced(path, { wrong: true })), undefined, path.join("."));
  }
});

Deno.test("a score that is not finite is malformed", () => {
  for (const path of [["score", "elpdLoo"], ["score", "se"], ["score", "elpdPointwise", 0]]) {
    for (const value of ["NaN", "Infinity", Infinity, null]) {
      assert.equal(decodeExecution(replaced(path, value)), undefined, `${path} = ${value}`);
    }
  }
});

Deno.test("ok without a score, and a score without ok, are malformed", () => {
  assert.equal(decodeExecution(replaced(["score"], undefined)), undefined);
  assert.equal(decodeExecution(replaced(["status"], "rejected")), undefined);
});

Deno.test("no JSON value makes the decoder throw", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assert.equal(decodeExecution(value), undefined);
  }));
});
