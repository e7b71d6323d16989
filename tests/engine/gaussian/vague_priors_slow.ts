/** Draws of integrated latents under priors of any width: the posterior that the data determine stays. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { closedFormPosterior } from "../../../src/engine/inference/gaussian/marginal.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const years = Float64Array.from({ length: 40 }, (_, i) => 1980 + i);
const errors = new RandomStream("temperatures");
const temperatures = years.map((year) =>
  Math.round(1000 * (-35 + 0.018 * year + 0.08 * normal(errors))) / 1000
);
const data = makeDataset("temperatures", [
  { name: "year", role: "predictor", type: "real", values: years },
  { name: "station", role: "predictor", type: "count", values: years.map((_, i) => i % 8) },
  { name: "y", role: "response", type: "real", values: temperatures },
]);

function normal(random: RandomStream): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()));
  return radius * Math.cos(2 * Math.PI * random.uniform());
}

/** Least squares of the line and the standard error of its slope, for a noise that is known. */
function leastSquares(noise: number) {
  const centre = years.reduce((sum, x) => sum + x) / years.length;
  const square = years.reduce((sum, x) => sum + (x - centre) ** 2, 0);
  const slope = years.reduce((sum, x, i) => sum + (x - centre) * temperatures[i], 0) / square;
  return { slope, error: noise / Math.sqrt(square) };
}

const program = (body: string) => `import pymc as pm\nwith pm.Model():\n${body}`;

/** Draws of the coordinates of a program without scales, by their moments. */
function moments(text: string, dataset: Dataset, count = 800) {
  const checked = checkProgram(text, dataset, undefined, { rows: "ordered" });
  assert.ok(checked.ok, JSON.stringify(checked));
  const posterior = closedFormPosterior(checked.program, dataset)!;
  assert.equal(posterior.dimension, 0);
  const random = new RandomStream("vague");
  const size = posterior.integrated;
  const [mean, square] = [new Float64Array(size), new Float64Array(size)];
  const first = new Float64Array(size);
  for (let s = 0; s < count; s++) {
    const out = new Float64Array(size);
    posterior.drawWhole(new Float64Array(0), 0, random, out, 0);
    if (s === 0) first.set(out);
    out.forEach((x, k) => {
      mean[k] += (x - first[k]) / count;
      square[k] += (x - first[k]) ** 2 / count;
    });
  }
  assert.ok(posterior.drawsAgree());
  return {
    mean: mean.map((x, k) => x + first[k]),
    sd: mean.map((x, k) => Math.sqrt(square[k] - x * x)),
  };
}

/** Place of a number among the coordinates of a program of numbers. */
function indexOf(text: string, name: string): number {
  const checked = checkProgram(text, data);
  return checked.ok ? checked.program.parameters.findIndex((one) => one.name === name) : -1;
}

for (const width of [1e2, 1e4, 1e6, 1e9]) {
  Deno.test(`a slope of years is least squares' under priors of width ${width}`, () => {
    const text = program(
      `    a = pm.Normal("a", 0, ${width})
    b = pm.Normal("b", 0, ${width})
    pm.Normal("obs", a + b * data["year"], 0.08, observed=data["y"])`,
    );
    const { mean, sd } = moments(text, data);
    const { slope, error } = leastSquares(0.08);
    const at = indexOf(text, "b");
    // A prior of width 100 of the intercept, −35 at the year 0, draws the slope by a hundredth of its error.
    assert.ok(Math.abs(mean[at] - slope) < 0.12 * error, `${mean[at]} ${slope}`);
    assert.ok(Math.abs(sd[at] / error - 1) < 0.08, `${sd[at]} ${error}`);
  });
}

/** Programs by the width of the priors of what the data tell, one for each way of drawing. */
const programs = {
  "a walk over many rows": (width: number) =>
    `    c = pm.Normal("c", 0, ${width})
    u = pm.GaussianRandomWalk("u", sigma=0.05, init_dist=pm.Normal.dist(0, 0.001), shape=40)
    pm.Normal("obs", c + u, 0.08, observed=data["y"])`,
  "more latents than rows": (width: number) =>
    `    c = pm.Normal("c", 0, ${width})
    w = pm.Normal("w", 0, 0.01, shape=(40, 2))
    pm.Normal("obs", c + w[:, 0] + w[:, 1], 0.08, observed=data["y"])`,
  "one vector": (width: number) =>
    `    c = pm.Normal("c", 0, ${width})
    pm.MvNormal("obs", mu=c, cov=0.0064 * np.eye(40) + 0.001, observed=data["y"])`,
  "few latents": (width: number) =>
    `    c = pm.Normal("c", 0, ${width})
    u = pm.Normal("u", 0, 0.05, shape=8)
    pm.Normal("obs", c + u[data["station"]], 0.08, observed=data["y"])`,
};

for (const [name, body] of Object.entries(programs)) {
  Deno.test(`${name}: priors of width 10³ to 10⁹ leave the posterior`, () => {
    const [first, ...others] = [1e3, 1e5, 1e7, 1e9].map((width) =>
      moments(`import numpy as np\n${program(body(width))}`, data)
    );
    for (const { mean, sd } of others) {
      mean.forEach((x, k) => {
        const error = first.sd[k] * Math.sqrt(2 / 800);
        assert.ok(Math.abs(x - first.mean[k]) < 5 * error, `${k}: ${x} ${first.mean[k]}`);
        assert.ok(Math.abs(sd[k] / first.sd[k] - 1) < 0.16, `${k}: ${sd[k]} ${first.sd[k]}`);
      });
    }
  });
}

Deno.test("summaries of a small hierarchy with uncentred years tell the slope", () => {
  const text = program(
    `    a = pm.Normal("a", 0, 1000)
    b = pm.Normal("b", 0, 100)
    sigma = pm.HalfNormal("sigma", 1)
    tau = pm.HalfNormal("tau", 0.1)
    u = pm.Normal("u", 0, tau, shape=8)
    pm.Normal("obs", a + b * data["year"] + u[data["station"]], sigma, observed=data["y"])`,
  );
  const { score } = scoreNow(text, data, defaultSchedule, { summaries: true });
  assert.equal(score?.looMethod, "gaussian");
  const { slope, error } = leastSquares(score.params.sigma.mean[0]);
  const { mean, sd } = score.params.b;
  // Stations repeat every eight years, so that they take next to nothing of the slope.
  assert.ok(Math.abs(mean[0] - slope) < 0.3 * error, `${mean[0]} ${slope}`);
  assert.ok(Math.abs(sd[0] / error - 1) < 0.15, `${sd[0]} ${error}`);
});
