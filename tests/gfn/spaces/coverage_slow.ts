/** The simulated coverage stands on two ways to the same numbers: exact ones, and the engine's. */
import assert from "node:assert/strict";
import { defaultSchedule, scoreNow } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import { expectedLogScore, type LinearPriors, type Rows } from "./coverage/fresh_rows.ts";
import { choleskyOf, processPointwise } from "./coverage/gaussian_process_rows.ts";
import { scoreSet } from "./coverage/score_set.ts";
import { column, datasetOf } from "./coverage/simulation.ts";
import { normals, streamOf } from "./coverage/simulations/rows.ts";
import { simulations } from "./coverage/simulations/mod.ts";

/** A line with noise of 1. */
function simulate(rows: number, set: number): Rows {
  const random = streamOf("line", 1, set);
  const [x, noise] = [normals(random, rows), normals(random, rows)];
  return { x: Array.from(x, (one) => [one]), y: Array.from(noise, (e, i) => e + 0.8 * x[i]) };
}

function datasetWith({ x, y }: Rows) {
  const strong = column("strong", "predictor", x.map(([one]) => one));
  return datasetOf([column("y", "response", y), strong]);
}

/** The priors of a program with one term, and the value by which it centres the term. */
function readProgram(text: string): { readonly priors: LinearPriors; readonly centre: number } {
  const number = (pattern: RegExp) => Number(pattern.exec(text)![1].replace(" ", ""));
  return {
    centre: number(/data\["strong"\] ([+-] [\d.e-]+)/),
    priors: {
      mean: [number(/mu=([-\d.e]+)/), 0],
      width: [number(/"intercept", mu=[-\d.e]+, sigma=([\d.e]+)/), number(/mu=0, sigma=([\d.e]+)/)],
      rate: number(/lam=([\d.e-]+)/),
    },
  };
}

/** Everything but one row, and that row. */
function without({ x, y }: Rows, out: number): readonly [Rows, Rows] {
  const others = (_: unknown, i: number) => i !== out;
  const seen = { x: x.filter(others), y: y.filter(others) };
  return [seen, { x: [x[out]], y: [y[out]] }];
}

Deno.test("the exact score of a row that was left out is the engine's leave-one-out term", () => {
  const rows = simulate(40, 1);
  const dataset = datasetWith(rows);
  const asked = { space: "regression", formula: "y ~ strong", families: ["normal"] } as const;
  const [{ text }] = grammarEnvironment(spaceGrammar(dataset, asked)).enumerate();
  const { priors, centre } = readProgram(text);
  const design = { x: rows.x.map(([strong]) => [1, strong + centre]), y: rows.y };
  const exact = rows.y.map((_, i) => expectedLogScore(...without(design, i), priors));
  const { score } = scoreNow(text, dataset, defaultSchedule);
  assert.ok(score);
  const total = exact.reduce((sum, one) => sum + one, 0);
  assert.ok(
    Math.abs(score.elpdLoo - total) < 4 * score.mcse + 1e-3,
    `${score.elpdLoo} for ${total}`,
  );
  // A prior that is not the program's is told from it.
  const other = { ...priors, rate: 20 * priors.rate };
  const wrong = rows.y.reduce(
    (sum, _, i) => sum + expectedLogScore(...without(design, i), other),
    0,
  );
  assert.ok(Math.abs(score.elpdLoo - wrong) > 4 * score.mcse + 1e-3, `${wrong}`);
});

Deno.test("log y with its Jacobian is the log-normal: both programs have one score", () => {
  const { x, y } = simulate(30, 2);
  const positive = { x, y: y.map((one) => Math.exp(one / 3)) };
  const dataset = datasetWith(positive);
  const asked = { space: "regression", families: ["normal"] } as const;
  const spec = { ...asked, formula: "[y | log(y)] ~ strong" };
  const [, { text }] = grammarEnvironment(spaceGrammar(dataset, spec)).enumerate();
  assert.match(text, /observed = np\.log\(data\["y"\]\)/);
  const same = text.replace('pm.Normal("y"', 'pm.LogNormal("y"').replace(
    "observed=observed",
    'observed=data["y"]',
  );
  const [one, other] = [text, same].map((program) => {
    return scoreNow(program, dataset, defaultSchedule).score!;
  });
  const error = Math.sqrt(one.mcse ** 2 + other.mcse ** 2);
  assert.ok(Math.abs(one.elpdLoo - other.elpdLoo) < 4 * error + 1e-6);
  assert.ok(error < 0.1);
});

Deno.test("what a program expects of fresh rows is what its exact posterior expects", () => {
  const { programs } = scoreSet("regression", 0, 9);
  const { expected, again } = programs.find(({ answers }) =>
    answers.join(" ") === "in out out normal"
  )!;
  const { dataset, fresh } = simulations.regression.simulate(0, 9);
  const grammar = spaceGrammar(dataset, simulations.regression.spec);
  const { text } = [...grammarEnvironment(grammar).enumerate()].find(({ features }) =>
    features.join(" ") === "strong no_weak no_absent normal"
  )!;
  const { priors, centre } = readProgram(text);
  const rowsOf = (columns: typeof dataset.columns) => {
    const of = (name: string) => Array.from(columns.find((one) => one.name === name)!.values);
    return { x: of("strong").map((one) => [1, one + centre]), y: of("y") };
  };
  const [seen, unseen] = [rowsOf(dataset.columns), rowsOf(fresh!.columns)];
  const exact = 100 * expectedLogScore(seen, unseen, priors, fresh!.weights);
  // Of 500 draws: a tenth of a nat.
  for (const found of [expected!, again!]) {
    assert.ok(Math.abs(found - exact) < 0.5, `${found}, ${exact}`);
  }
  const law = 100 * (-0.5 * Math.log(2 * Math.PI) - 0.5); // the truth itself
  assert.ok(exact < law && exact > law - 8);
});

Deno.test("a fresh row of a process is the joint density over that of the others", () => {
  const text = "kernel = height1 ** 2 * pm.gp.cov.Linear(1, c=0.5) * 0.25 + " +
    "height2 ** 2 * pm.gp.cov.ExpQuad(1, ls=length2)";
  const draw = new Map(Object.entries({ height1: 2, height2: 0.7, length2: 1.5, intercept: 0.3 }))
    .set("sigma", 0.4);
  const [x, y] = [[0, 1, 2.5], [0.2, 1.1, 0.4]];
  const [found] = processPointwise(text, [draw], { x, y }, { x: [1.7], y: [0.9] });
  const kernel = (a: number, b: number) =>
    4 * (a - 0.5) * (b - 0.5) * 0.25 + 0.49 * Math.exp(-(((a - b) / 1.5) ** 2) / 2);
  const logDensity = (at: readonly number[], values: readonly number[]) => {
    const matrix = at.map((a, i) => at.map((b, j) => kernel(a, b) + (i === j ? 0.16 : 0)));
    const factor = choleskyOf(matrix);
    const solved: number[] = [];
    for (const [i, value] of values.entries()) {
      const known = solved.reduce((sum, one, j) => sum + factor[i][j] * one, 0);
      solved.push((value - 0.3 - known) / factor[i][i]);
    }
    return solved.reduce(
      (sum, one, i) => sum - one * one / 2 - Math.log(factor[i][i]) - 0.5 * Math.log(2 * Math.PI),
      0,
    );
  };
  const wanted = logDensity([...x, 1.7], [...y, 0.9]) - logDensity(x, y);
  assert.ok(Math.abs(found - wanted) < 1e-12, `${found}, ${wanted}`);
});
