/** Priors of a text are made wider as a hand would write them. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../src/base/dataset.ts";
import { defaultSchedule, scoreNow } from "../../src/engine/mod.ts";
import { widenablePriors, widenedText } from "../../stages/evaluation/widened_priors.ts";

const head = "import pymc as pm\n\nwith pm.Model() as model:\n    ";
const programOf = (...lines: readonly string[]) => `${head}${lines.join("\n    ")}\n`;

function widened(text: string, ...names: readonly string[]): string {
  const priors = widenablePriors(text).filter(({ name }) => names.includes(name));
  assert.equal(priors.length, names.length, text);
  return widenedText(text, priors, 2);
}

Deno.test("widths are multiplied and rates divided, by keyword or by place", () => {
  const text = programOf(
    'a = pm.Normal("a", 0, 1)',
    'b = pm.StudentT("b", nu=3, mu=0, sigma=2.5)',
    'c = pm.Exponential("c", lam=0.5)',
    'd = pm.HalfNormal("d", sigma=1 / 3)',
  );
  const wider = widened(text, "a", "b", "c", "d");
  assert.match(wider, /"a", 0, \(1\) \* 2\)/);
  assert.match(wider, /mu=0, sigma=\(2\.5\) \* 2\)/);
  assert.match(wider, /lam=\(0\.5\) \/ 2\)/);
  assert.match(wider, /sigma=\(1 \/ 3\) \* 2\)/);
});

Deno.test("the likelihood, spreads that are drawn, and priors without a scale stay", () => {
  const text = programOf(
    's = pm.HalfNormal("s", 1)',
    "t = s * 2",
    'g = pm.Normal("g", 0, t, shape=3)',
    'p = pm.Beta("p", alpha=1, beta=1)',
    'u = pm.Normal("u")',
    'pm.Normal("y", g[data["k"]], 1, observed=data["y"])',
  );
  assert.deepEqual(widenablePriors(text).map(({ name }) => name), ["s"]);
  assert.deepEqual(widenablePriors("this is no (program"), []);
});

const rows = 30;
const counts = Float64Array.from({ length: rows }, (_, i) => 80 + (i * 17) % 41);
const column = (name: string, values: Float64Array, more: object): Column => ({
  ...{ name, values, role: "predictor", type: "real" },
  ...more,
});
const data = makeDataset("counts", [column("y", counts, { role: "response", type: "count" })]);

function elpdOf(prior: string): number {
  const text = programOf(
    'eta = pm.Normal("intercept", mu=4.6, sigma=2.5)',
    prior,
    'pm.NegativeBinomial("y", mu=pm.math.exp(eta), alpha=alpha, observed=data["y"])',
  );
  return scoreNow(text, data, defaultSchedule).score!.elpdLoo;
}

Deno.test("a prior that forbids what the data say moves the score; one of its distance does not", () => {
  const absolute = 'alpha = pm.Exponential("alpha", lam=1)';
  const text = programOf(absolute, "x = alpha");
  const wide = widened(text, "alpha").split("\n")[3].trim();
  // The text that a hand would write has the same score.
  assert.equal(elpdOf(wide), elpdOf('alpha = pm.Exponential("alpha", lam=0.5)'));
  assert.ok(elpdOf(wide) - elpdOf(absolute) > 2);
  const near = (rate: number) =>
    elpdOf(`alpha = 1 / pm.Exponential("dispersion", lam=${rate}) ** 2`);
  assert.ok(Math.abs(near(0.5) - near(1)) < 0.1);
});
