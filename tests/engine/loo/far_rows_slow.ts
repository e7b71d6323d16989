/** Outlying rows: stepping stones between the posteriors with and without them. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import type { LogDensity } from "../../../src/numerics/math/log_density.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { closedFormPosterior } from "../../../src/engine/inference/gaussian/marginal.ts";
import { elpdLoo } from "../../../src/engine/loo/elpd.ts";
import { quadratureLoo } from "../../../src/engine/loo/quadrature.ts";
import { overlap, steppingStones, type Stone } from "../../../src/engine/loo/stepping_stones.ts";
import type { ChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

/** Mesquite bushes (Gelman, Hill and Vehtari 2020, section 12.6); bush 28 is one of a kind. */
function mesquite() {
  const file = new URL("../../data/mesquite.csv", import.meta.url);
  const [names, ...rows] = Deno.readTextFileSync(file).trim().split("\n")
    .map((line) => line.split(","));
  const columns = names.map((name, k): Column => ({
    ...{ name, role: name === "weight" ? "response" : "predictor", type: "real" },
    values: Float64Array.from(rows, (row) => Number(row[k])),
  }));
  return makeDataset("mesquite", columns);
}

const bushes = `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 500)
    b = pm.Normal("b", 0, 500, shape=6)
    sigma = pm.HalfNormal("sigma", 300)
    size = b[1] * data["diam1"] + b[2] * data["diam2"] + b[3] * data["total_height"]
    mu = a + b[0] * data["als"] + size + b[4] * data["canopy_height"] + b[5] * data["density"]
    pm.Normal("weight", mu, sigma, observed=data["weight"])
`;

Deno.test("a bush that lies far out has the density of the closed form, with chains too", () => {
  const data = mesquite();
  const checked = checkProgram(bushes, data);
  assert.ok(checked.ok);
  const posterior = closedFormPosterior(checked.program, data)!;
  const budget = { used: 0, limit: 1e5 };
  const exact = finish(quadratureLoo(posterior, 0.01, ["mesquite"], budget))!.pointwise;
  assert.ok(Math.abs(exact[27] - -30.343) < 0.01);
  const settings = { chains: 4, tune: 100, draws: 125, targetMcse: 0.05 };
  const density = compileLogDensity(checked.program, data);
  const found = finish(elpdLoo(
    () => density,
    { ...settings, seedKey: ["mesquite", 2] },
    { used: 0, limit: 2e6 },
  ));
  assert.ok(found.kind === "ok");
  assert.deepEqual(found.exactRefits, [27]);
  const away = found.elpdPointwise[27] - exact[27];
  assert.ok(Math.abs(away) < 4 * found.mcse, `${away} of ${found.mcse}`);
  const total = found.elpdLoo - exact.reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(total) < 4 * found.mcse + 0.02, `${total} of ${found.mcse}`);
  assert.ok(found.mcse < 0.15, `${found.mcse}`);
});

/** N(0, 1), and a likelihood N(y; q, s) whose own density under it is known. */
const [y, s] = [14, 0.7];
const prior: LogDensity = {
  dimension: 1,
  logDensity(position, gradient, offset) {
    gradient[offset] = -position[offset];
    return -0.5 * position[offset] ** 2;
  },
};
const logL = (q: number) => -0.5 * ((y - q) / s) ** 2 - Math.log(s) - 0.5 * Math.log(2 * Math.PI);
const posterior: LogDensity = {
  dimension: 1,
  logDensity(position, gradient, offset) {
    const value = prior.logDensity(position, gradient, offset);
    gradient[offset] += (y - position[offset]) / (s * s);
    return value + logL(position[offset]);
  },
};

function normalEnds(seed: number) {
  const drawn = (density: LogDensity, name: string): ChainSet => {
    const schedule = { chains: 4, tune: 100, draws: 250 };
    const key = ["normal ends", seed, name];
    const found = finish(sampleChains(density, schedule, key, { used: 0, limit: 1e5 }));
    assert.ok(found.kind === "chains");
    return found.chainSet;
  };
  const logLikelihood = ({ positions }: ChainSet) => positions.map(logL);
  const stone = (power: number, set: ChainSet) => ({
    power,
    set,
    logLikelihood: logLikelihood(set),
  });
  const ends: [Stone, Stone] = [
    stone(0, drawn(prior, "without")),
    stone(1, drawn(posterior, "with")),
  ];
  return { ends, logLikelihood };
}

Deno.test("posteriors ten standard deviations apart have nothing in common, and are crossed", () => {
  const exact = -0.5 * y * y / (1 + s * s) - 0.5 * Math.log(2 * Math.PI * (1 + s * s));
  let squares = 0;
  const seeds = 8;
  for (let seed = 0; seed < seeds; seed++) {
    const { ends, logLikelihood } = normalEnds(seed);
    assert.ok(overlap(...ends) < 0.01);
    assert.ok(Math.abs(overlap(ends[0], { ...ends[0], power: 0 }) - 1) < 1e-9);
    const goals = { key: ["cross", seed], targetMcse: 0.1, maxDraws: 1000, softLimit: 2e5 };
    const crossing = { without: prior, full: posterior, logLikelihood, ...goals };
    const found = finish(steppingStones(ends, crossing, { used: 0, limit: 2e5 }))!;
    const own = Math.sqrt(found.influence.reduce((sum, v) => sum + v * v, 0)) /
      found.influence.length;
    squares += (found.elpd - exact) ** 2 / (found.mcse ** 2 + own ** 2) / seeds;
  }
  assert.ok(squares < 3, `mean squared z ${squares}`);
});

Deno.test("stones end with the budget", () => {
  const { ends, logLikelihood } = normalEnds(0);
  const goals = { key: ["cross"], targetMcse: 0.1, maxDraws: 1000, softLimit: 500 };
  const crossing = { without: prior, full: posterior, logLikelihood, ...goals };
  assert.equal(finish(steppingStones(ends, crossing, { used: 0, limit: 500 })), undefined);
});
