/** The prior of an intercept lies where the response is once its offsets are taken off. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule, scoreNow } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import type { SpaceSpec } from "../../../src/gfn/spaces/space_spec.ts";

const column = (name: string, role: Column["role"], values: readonly number[], more = {}) => ({
  ...{ name, role, type: "real" as const, values: Float64Array.from(values), ...more },
});
const exposed = [1.1e6, 2.3e6, 0.9e6, 3.8e6, 1.6e6, 0.4e6];
const cases = [1, 2, 0, 4, 1, 0];
/** Of the Poisson distribution with one rate, the greatest likelihood is at the log of this. */
const logRate = Math.log(8 / 10.1e6);

const shifted = [0, 10, 20, 30, 40, 50];
const data = makeDataset("rates", [
  column("cases", "response", cases, { type: "count" }),
  column("exposed", "predictor", exposed),
]);
const moved = makeDataset("moved", [
  column("y", "response", [3, 12, 21, 33, 42, 54], { resolution: "continuous" }),
  column("shift", "predictor", shifted),
]);
const times = makeDataset("times", [
  column("y", "response", [3, 12, 21, 33, 42, 54], { resolution: "continuous" }),
  column("speed", "predictor", [9.5, 9, 10, 11, 10, 9]),
]);

function textsOf(dataset: typeof data, spec: Partial<SpaceSpec> & { readonly formula: string }) {
  const grammar = spaceGrammar(dataset, { space: "regression", ...spec });
  return [...grammarEnvironment(grammar).enumerate()].map(({ text }) => text);
}

function interceptOf(text: string): readonly number[] {
  const [, mu, sigma] = /"intercept", mu=(-?[\d.e-]+), sigma=([\d.e-]+)/.exec(text)!;
  return [Number(mu), Number(sigma)];
}

Deno.test("the intercept of a rate lies about the rate per unit of exposure", () => {
  const families = ["poisson"];
  const [text] = textsOf(data, { formula: "cases ~ offset(log(exposed))", families });
  assert.deepEqual(interceptOf(text), [Number(logRate.toPrecision(2)), 2.5]);
});

Deno.test("with eight cases the rate is that of the likelihood, a little less for its skew", () => {
  const families = ["poisson"];
  const [text] = textsOf(data, { formula: "cases ~ offset(log(exposed))", families });
  const { score } = scoreNow(text, data, defaultSchedule, { summaries: true });
  // Of a flat prior the rate is Gamma(8, 10.1e6): its log has the mean digamma(8) − log 10.1e6.
  const mean = 2.0156414779556098 - Math.log(10.1e6);
  const [found] = score!.params.intercept.mean;
  assert.ok(Math.abs(found - mean) < 0.05, `${found} for ${mean}`);
});

Deno.test("the intercept and the unit of a mean are those of the response less its offset", () => {
  const [text] = textsOf(moved, { formula: "y ~ offset(shift)", families: ["normal"] });
  // Of 3, 2, 1, 3, 2, 4 the mean is 2.5 and 2.5 sd 2.62.
  assert.deepEqual(interceptOf(text), [2.5, 2.6]);
});

Deno.test("an offset in question is added less its mean: the intercept is that without it", () => {
  const [out, inside] = textsOf(moved, { formula: "y ~ [offset(shift)]", families: ["normal"] });
  assert.deepEqual(interceptOf(out), interceptOf(inside));
  assert.match(inside, /eta = eta \+ \(data\["shift"\] - 25\)/);
});

Deno.test("log times of survival have their offset taken off", () => {
  const spec = { space: "survival", families: ["exponential"] } as const;
  const [text] = textsOf(times, { ...spec, formula: "y ~ offset(speed)" });
  // Python: log(165 / 6) − log(mean of exp(speed)) = 3.3142 − 10.0100
  assert.deepEqual(interceptOf(text)[0], -6.7);
});
