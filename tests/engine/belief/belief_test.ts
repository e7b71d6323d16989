/** Tests of beliefs: evidence and moments against closed forms and quadrature, and the same bits however they are reached. */
import assert from "node:assert/strict";
import {
  believe,
  type Design,
  simulateLatents,
  simulateRows,
  TheoryRows,
} from "../../../src/engine/score/mod.ts";
import { exp, lgamma, log } from "../../../src/numerics/math/mod.ts";

const line = `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 2)
    pm.Normal("y", a, 1, observed=data["y"])
`;
const real: Design = [{ name: "y", role: "response", type: "real" }];

function seen(response: number[], columns: Record<string, number[]> = {}) {
  const own = Object.entries(columns).map(([name, values]) =>
    [name, Float64Array.from(values)] as const
  );
  return { rows: response.length, columns: new Map(own), response: Float64Array.from(response) };
}

Deno.test("a normal mean has the moments and the evidence of its closed form", () => {
  const rows = [1.2, 0.4, 2.1];
  const { latents, logEvidence, evidenceError } = believe(line, real, seen(rows), {
    particles: 4000,
    key: ["normal"],
  });
  const precision = 1 / 4 + 3;
  const centre = rows.reduce((a, b) => a + b, 0) / precision;
  const mean = latents.parameters[0].reduce((a, b) => a + b, 0) / 4000;
  assert.ok(Math.abs(mean - centre) < 0.05, `${mean}`);
  const squares = rows.reduce((sum, y) => sum + y * y, 0);
  const exact = -1.5 * log(2 * Math.PI) - 0.5 * log(4 * precision) -
    0.5 * (squares - precision * centre * centre);
  assert.ok(
    Math.abs(logEvidence - exact) < 4 * evidenceError,
    `${logEvidence} ± ${evidenceError}, exact ${exact}`,
  );
  assert.ok(evidenceError < 0.06);
});

const death = `import pymc as pm

with pm.Model() as model:
    theta = pm.TruncatedNormal("theta", mu=1, sigma=1, lower=0, upper=2)
    p = 1 - pm.math.exp(-theta * data["time"])
    pm.Binomial("infected", n=50, p=p, observed=data["infected"])
`;
const counts: Design = [
  { name: "time", role: "predictor", type: "real" },
  { name: "infected", role: "response", type: "count" },
];

Deno.test("a rate between bounds has the mean and the evidence of quadrature", () => {
  const [times, infected] = [[0.3, 1.1, 1.7], [14, 32, 40]];
  const { latents, logEvidence, evidenceError } = believe(
    death,
    counts,
    seen(infected, { time: times }),
    { particles: 4000, key: ["death"] },
  );
  let [mass, prior, moment] = [0, 0, 0];
  for (let k = 0; k < 20_000; k++) {
    const theta = (k + 0.5) / 10_000;
    const density = exp(-0.5 * (theta - 1) ** 2);
    let logs = 0;
    times.forEach((time, i) => {
      const [n, y] = [50, infected[i]];
      logs += lgamma(n + 1) - lgamma(y + 1) - lgamma(n - y + 1) +
        y * log(1 - exp(-theta * time)) - (n - y) * theta * time;
    });
    prior += density;
    mass += density * exp(logs);
    moment += theta * density * exp(logs);
  }
  const mean = latents.parameters[0].reduce((a, b) => a + b, 0) / 4000;
  assert.ok(Math.abs(mean - moment / mass) < 0.02, `${mean}, exact ${moment / mass}`);
  const exact = log(mass / prior);
  assert.ok(
    Math.abs(logEvidence - exact) < 4 * evidenceError + 1e-3,
    `${logEvidence}, exact ${exact}`,
  );
});

Deno.test("populations that are remembered give the bits of such that are not", () => {
  const options = { particles: 300, key: ["bits", 1] };
  const whole = believe(line, real, seen([0.3, 0.9, 1.4]), options);
  for (const rows of [[0.3], [0.3, 0.9], [0.3, 0.9, 1.4]]) believe(line, real, seen(rows), options);
  const again = believe(line, real, seen([0.3, 0.9, 1.4]), options);
  assert.deepEqual([...again.latents.parameters[0]], [...whole.latents.parameters[0]]);
  assert.equal(again.logEvidence, whole.logEvidence);
});

Deno.test("a row that excludes most particles is reached by powers of its likelihood", () => {
  const sharp = line.replace("a, 1", "a, 0.001");
  const { latents } = believe(sharp, real, seen([3.5]), { particles: 500, key: ["sharp"] });
  for (const a of latents.parameters[0]) assert.ok(Math.abs(a - 3.5) < 0.01, `${a}`);
});

Deno.test("simulations of one key are the same, and those of another are others", () => {
  const one = simulateLatents(death, counts, 3, ["a"]);
  assert.deepEqual(one, simulateLatents(death, counts, 3, ["a"]));
  assert.notDeepEqual(one, simulateLatents(death, counts, 3, ["b"]));
  const at = { rows: 2, columns: new Map([["time", Float64Array.of(0.001, 2)]]) };
  const rows = simulateRows(death, counts, one, at, ["a"]);
  assert.equal(rows.length, 6);
  assert.ok(rows.every((y) => Number.isInteger(y) && y >= 0 && y <= 50));
});

Deno.test("a program that cannot be read says why", () => {
  const wrong = line.replace('pm.Normal("a"', 'pm.Nromal("a"');
  assert.throws(() => simulateLatents(wrong, real, 1, []), /Nromal/);
});

Deno.test("rows of a theory give the same numbers in whatever order they are asked", () => {
  const latents = { names: ["a"], draws: 4, parameters: [Float64Array.of(1, 1, -2, 3)] };
  const at = { rows: 2, columns: new Map<string, Float64Array>() };
  const outcomes = { points: 1, values: Float64Array.of(0.5, -1) };
  const [few, all] = [1, 2].map(() => new TheoryRows(line, real, latents, at));
  const first = few.densities(outcomes, 2);
  const whole = all.densities(outcomes);
  assert.deepEqual([...first], [0, 1, 4, 5].map((k) => whole[k]));
  assert.deepEqual(few.densities(outcomes), whole);
  assert.deepEqual(few.simulate(["a"]), simulateRows(line, real, latents, at, ["a"]));
  assert.deepEqual(few.simulate(["a"], 3), all.simulate(["a"]).subarray(0, 6));
  const normal = (y: number, a: number) => Math.exp(-0.5 * (y - a) ** 2) / Math.sqrt(2 * Math.PI);
  [1, 1, -2, 3].forEach((a, s) => assert.ok(Math.abs(whole[s] - normal(0.5, a)) < 1e-7));
});

Deno.test("a belief that is asked again is the same, and another transcript has its own", () => {
  const options = { particles: 100, key: ["again"] };
  const [first, other] = [
    believe(line, real, seen([1]), options),
    believe(line, real, seen([3]), options),
  ];
  assert.deepEqual(believe(line, real, seen([1]), options), first);
  assert.notDeepEqual(other.latents, first.latents);
  assert.deepEqual(believe(line, real, seen([3]), options), other);
});
