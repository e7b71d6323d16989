/** Columns that know when censored rows ended bound the likelihood, and nothing else may look at them. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { compareGraphs } from "../../../src/executor/pymc/non_interference.ts";
import { maskedColumns, unmasked } from "../../../src/executor/pymc/masked_columns.ts";
import { censoredData, honest, peeks } from "./limit_catalogue.ts";

const data = censoredData();

function codes(text: string, dataset = data): string[] {
  const result = checkProgram(text, dataset, "program.py", { rows: "ordered" });
  const errors = result.ok ? [] : result.diagnostics;
  return errors.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

for (const [title, text] of Object.entries(honest)) {
  Deno.test(`limits may be used: ${title}`, () => assert.deepEqual(codes(text), []));
}

for (const [title, text] of Object.entries(peeks)) {
  Deno.test(`limits are not to be looked at: ${title}`, () => {
    assert.ok(codes(text).includes("lh/protected-use-before-score"), codes(text).join());
  });
}

Deno.test("it is the role that is refused: as predictors the same columns may be looked at", () => {
  const open = censoredData("predictor");
  const refused = Object.values(peeks).filter((text) =>
    codes(text, open).includes("lh/protected-use-before-score")
  );
  assert.deepEqual(refused, []);
  assert.deepEqual(codes(peeks["np.where between two means"], open), []);
});

Deno.test("the refusal says what the column knows, and where it may stand", () => {
  const result = checkProgram(peeks["limits as a predictor"], data);
  assert.ok(!result.ok);
  const [{ message, span, hint }] = result.diagnostics;
  assert.equal(
    message,
    'Cannot use "t_limit" here: it holds "t" where that is censored, and may only bound the likelihood',
  );
  assert.equal(span?.line, 6);
  assert.match(hint ?? "", /upper=data\["t_limit"\], observed=data\["t"\]\), whole and unchanged/);
});

Deno.test("PyMC sees two placeholders of limits: a bound is the same in both, what is made of them is not", () => {
  const shown = ["first", "second"].map((which) => maskedColumns(data, [which, "a program"]));
  const made = (by: (x: number) => number) =>
    shown.map((one, k) => {
      const nodes = [{ op: "constant", args: [], shape: [24], values: one.t_limit.map(by) }];
      return unmasked({ nodes, likelihood: { value: [k, k + 1] } }, one, data);
    });
  const placeholders = [[0, 1], [1, 2]];
  const whole = compareGraphs(made((x) => x), placeholders);
  assert.ok(whole.kind === "same");
  const [{ values }] = (whole.graph as { nodes: { values: number[] }[] }).nodes;
  assert.deepEqual(values, [...data.columns[2].values]);
  for (const by of [Math.sqrt, (x: number) => 2 * x, (x: number) => Number(x > 1.5)]) {
    const found = compareGraphs(made(by), placeholders);
    assert.ok(found.kind === "differs" && found.code === "lh/protected-use-before-score");
  }
});
