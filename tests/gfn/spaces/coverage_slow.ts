/** The simulated coverage stands on two ways to the same numbers: exact ones, and the engine's. */
import assert from "node:assert/strict";
import { defaultSchedule, scoreNow } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import { expectedLogScore, type Rows } from "./coverage/fresh_rows.ts";
import { datasetOf, simulate } from "./coverage/simulated.ts";

/** Everything but one row, and that row. */
function without({ x, y }: Rows, out: number): readonly [Rows, Rows] {
  const others = (_: unknown, i: number) => i !== out;
  const seen = { x: x.filter(others), y: y.filter(others) };
  return [seen, { x: [x[out]], y: [y[out]] }];
}

Deno.test("the exact score of a row that was left out is the engine's leave-one-out term", () => {
  const rows = simulate(40, "exact", 1);
  const dataset = datasetOf(rows);
  const asked = { space: "regression", formula: "y ~ strong", families: ["normal"] } as const;
  const [{ text }] = grammarEnvironment(spaceGrammar(dataset, asked)).enumerate();
  const number = (pattern: RegExp) => Number(pattern.exec(text)![1].replace(" ", ""));
  const centre = number(/data\["strong"\] ([+-] [\d.e-]+)/);
  const design = { x: rows.x.map(([strong]) => [1, strong + centre]), y: rows.y };
  const priors = {
    mean: [number(/mu=([-\d.e]+)/), 0],
    width: [number(/"intercept", mu=[-\d.e]+, sigma=([\d.e]+)/), number(/mu=0, sigma=([\d.e]+)/)],
    rate: number(/lam=([\d.e]+)/),
  };
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
  const { x, y } = simulate(30, "logs", 2);
  const positive = { x, y: y.map((one) => Math.exp(one / 3)) };
  const dataset = datasetOf(positive);
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
