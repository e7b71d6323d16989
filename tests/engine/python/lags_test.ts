/** Earlier rows of the response as predictors: legal where rows follow each other in time, and nowhere else. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { graphForRows } from "../../../src/engine/inference/predict/new_rows.ts";
import { printModel } from "../../../src/engine/language/print/print_model.ts";
import { normals, programOf, timed } from "../loo/future/series.ts";

const data = timed(normals(12, "lags"), { x: normals(12, "x") });
const time = { first: 4 };
const priors = [
  'a = pm.Normal("a", 0, 1)',
  'rho = pm.Normal("rho", 0, 1)',
  's = pm.HalfNormal("s", 1)',
];

function checked(lines: readonly string[], options: object = { time }) {
  return checkProgram(programOf(...priors, ...lines), data, undefined, options);
}

function hashOf(...lines: readonly string[]): string {
  const result = checked(lines);
  assert.ok(result.ok, result.ok ? "" : result.diagnostics.map((one) => one.message).join("\n"));
  return result.program.hash;
}

function refusal(...lines: readonly string[]): string {
  const result = checked(lines);
  assert.ok(!result.ok, "it was accepted");
  return result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n");
}

const legal: Readonly<Record<string, readonly string[]>> = {
  "one lag": ['pm.Normal("o", a + rho * y[:-1], s, observed=y[1:])'],
  "two lags": ['pm.Normal("o", a * y[1:-1] + rho * y[:-2], s, observed=y[2:])'],
  "a lag of logarithms": [
    "e = np.exp(y)",
    'pm.LogNormal("o", a + rho * np.log(e)[:-1], s, observed=e[1:])',
  ],
  "all rows, the first with a lag that is made up": [
    "lag = np.concatenate([[0.0], y.values[:-1]])",
    'pm.Normal("o", a + rho * lag, s, observed=y)',
  ],
  "a loop over rows": [
    "mu = [a]",
    "for t in range(1, len(y)):",
    "    mu.append(a + rho * y[t - 1])",
    'pm.Normal("o", pt.stack(mu), s, observed=y)',
  ],
  "a mean of all earlier rows": [
    'pm.Normal("o", rho * np.cumsum(y[:-1]) / np.arange(1, 12), s, observed=y[1:])',
  ],
  "a scale that follows the last row": [
    'pm.StudentT("o", nu=4, mu=a, sigma=s + np.abs(y[:-1]), observed=y[1:])',
  ],
  "pm.AR": [
    'pm.AR("o", rho=[a, rho], sigma=s, init_dist=pm.Normal.dist(0, 1), observed=y)',
  ],
  "a walk of the rows themselves": [
    'pm.GaussianRandomWalk("o", mu=a, sigma=s, init_dist=pm.Normal.dist(0, rho**2 + 1), observed=y)',
  ],
};

for (const [title, lines] of Object.entries(legal)) {
  Deno.test(`${title}: legal with time, refused without, printed as it is`, () => {
    const result = checked(lines);
    assert.ok(result.ok, result.ok ? "" : result.diagnostics.map((one) => one.message).join("\n"));
    const without = checked(lines, { rows: "ordered" });
    assert.ok(!without.ok);
    const hints = without.diagnostics.map(({ hint }) => hint).join("\n");
    if (!title.startsWith("a loop")) assert.match(hints, /time = "column" in the target/);
    const printed = printModel(result.program, data);
    assert.ok(printed.ok);
    const text =
      `import numpy as np\nimport pymc as pm\nimport pytensor.tensor as pt\n${printed.text}`;
    const again = checkProgram(text, data, undefined, { time });
    assert.ok(again.ok, printed.text);
    assert.equal(again.program.hash, result.program.hash);
  });
}

Deno.test("pm.AR from the second row on is the lag written out for all but its own first row", () => {
  const own = hashOf(
    'pm.Normal("o", np.concatenate([[0], y[:-1]]) * rho, pt.concatenate([[1.0], s * np.ones(11)]), observed=y)',
  );
  assert.notEqual(own, hashOf('pm.Normal("o", y[:-1] * rho, s, observed=y[1:])'));
});

Deno.test("rows that are not earlier are refused, however they are spelt", () => {
  const leaks: Readonly<Record<string, string>> = {
    "the row itself": 'pm.Normal("o", a + rho * y[np.arange(12)], s, observed=y)',
    "the next row": 'pm.Normal("o", a + rho * np.concatenate([y[1:12:1], [0]]), s, observed=y)',
    "the mean of all": 'pm.Normal("o", a + rho * np.mean(y[:-1]), s, observed=y[1:])',
    "the row turned round": 'pm.Normal("o", a + rho * y[:-1][::-1], s, observed=y[1:])',
    "a scale of the same row": 'pm.Normal("o", a, s + np.exp(y[0:12]), observed=y)',
    "one of many rows by a product": 'pm.Normal("o", np.eye(11)[::-1] @ y[:-1], s, observed=y[1:])',
  };
  for (const [title, line] of Object.entries(leaks)) {
    const text = refusal(line);
    assert.match(text, /^lh\/protected-use-before-score: .* looks at row \d+ of "y"/m, title);
  }
  assert.match(refusal('pm.Normal("o", a + rho * y[1:], s, observed=y[:-1])'), /lh\//);
  assert.match(refusal('pm.Normal("o", a + rho * (y[1:] - 1), s, observed=y[1:])'), /lh\//);
  assert.match(
    refusal('b = pm.Normal("b", y[0], 1)', 'pm.Normal("o", b, s, observed=y)'),
    /prior of "b"/,
  );
});

Deno.test("what a check would have to look at cannot be made of the response", () => {
  assert.match(refusal('pm.Normal("o", rho * np.sort(y[:-1]), s, observed=y[1:])'), /np.sort/);
  assert.match(
    refusal("m = 1 if y[3] > 1 else 0", 'pm.Normal("o", m, s, observed=y)'),
    /known only while sampling/,
  );
  assert.match(
    refusal("k = a * y[:-1][y[:-1] > 0].sum()", 'pm.Normal("o", k, s, observed=y[1:])'),
    /./,
  );
  assert.match(refusal('pm.Normal("o", a, s, observed=np.diff(y))'), /Cannot observe/);
});

Deno.test("more lags than rows that are not judged are refused with the figure to write", () => {
  const text = programOf(...priors, 'pm.Normal("o", rho * y[:-5], s, observed=y[5:])');
  const result = checkProgram(text, data, undefined, { time });
  assert.ok(!result.ok);
  const [{ code, message, hint }] = result.diagnostics;
  assert.deepEqual([code, message], [
    "data/lags",
    "Cannot score the program: it observes rows from 6 on, but rows from 5 on are judged",
  ]);
  assert.match(hint!, /time_first = 5/);
  assert.ok(checkProgram(text, data, undefined, { time: { first: 5 } }).ok);
});

Deno.test("a first row that is not normal is refused for a series that is observed", () => {
  const line = 'pm.AR("o", rho=[rho], sigma=s, init_dist=pm.StudentT.dist(4, 0, 1), observed=y)';
  assert.match(refusal(line), /its first rows are not normal/);
});

Deno.test("a program with lags says nothing of rows that have none before them", () => {
  for (const line of [legal["one lag"][0], "pm.AR('o', rho=[rho], sigma=s, observed=y)"]) {
    const result = checked([line]);
    assert.ok(result.ok);
    const columns = new Map(data.columns.map(({ name, values }) => [name, values]));
    assert.throws(
      () => graphForRows(result.program, columns, 12, 3),
      /earlier rows of "y" predict later ones/,
    );
  }
});

Deno.test("time admits what an order admits, and no table of the rows", () => {
  assert.ok(checked(['pm.Normal("o", a + rho * np.arange(12), s, observed=y)']).ok);
  const table = "[1.21, 3.53, 2.47, 5.11, 4.93, 7.02, 6.39, 9.84, 8.15, 2.06, 1.77, 3.18]";
  const line = `pm.Normal("o", a + rho * np.array(${table}) * np.arange(12), s, observed=y)`;
  assert.match(refusal(line), /lh\/row-table/);
  const lagged = `pm.Normal("o", rho * y[:-1] + np.array(${table})[1:], s, observed=y[1:])`;
  assert.match(refusal(lagged), /lh\/row-table/);
});
