/** Fields under counts, choices and Student responses: found, approximated, and corrected by draws. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { fieldPosterior } from "../../../src/engine/inference/gaussian/response_field.ts";
import { fieldLatents } from "../../../src/engine/inference/gaussian/field_latents.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { countTrial } from "../loo/torture/counts.ts";

const counts = Float64Array.of(2, 1, 4, 3, 7, 5);

function dataOf(values: Float64Array, type: "count" | "real" = "count") {
  return makeDataset("rows", [
    { name: "x", role: "predictor", type: "real", values: values.map((_, i) => i / 4 - 0.5) },
    { name: "y", role: "response", type, values },
  ]);
}

function found(lines: string, values = counts) {
  const data = dataOf(values);
  const text = `import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n${
    lines.trim().split("\n").map((line) => `    ${line.trim()}\n`).join("")
  }`;
  const checked = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { program } = checked;
  const columns = new Map(data.columns.map((one) => [one.name, one.values]));
  const field = fieldLatents(program, columns);
  const names = field?.latents.map((k) => program.parameters[k].name).toSorted();
  return { program, data, field, names };
}

Deno.test("latents are found behind an exponential, a logit and a location", () => {
  const walk = `s = pm.HalfNormal("s", 1)
    u = pm.Normal("u", 0, s, shape=6)
    a = pm.Normal("a", 0, 1)
    f = a + pm.math.cumsum(u)`;
  const observed = [
    `pm.Poisson("y", pm.math.exp(f), observed=data["y"])`,
    `pm.Binomial("y", n=9, logit_p=f, observed=data["y"])`,
    `pm.Binomial("y", n=9, p=pm.math.sigmoid(f), observed=data["y"])`,
    `pm.NegativeBinomial("y", mu=3 * pm.math.exp(f), alpha=s, observed=data["y"])`,
  ];
  for (const one of observed) assert.deepEqual(found(`${walk}\n${one}`).names, ["a", "u"], one);
});

Deno.test("a latent that multiplies others, or that something else looks at, stays", () => {
  const product = found(`a = pm.Normal("a", 0, 1)
    u = pm.Normal("u", 0, 1, shape=6)
    pm.Poisson("y", pm.math.exp(a * u), observed=data["y"])`);
  assert.deepEqual(product.names, ["u"]);
  const twice = found(`a = pm.Normal("a", 0, 1)
    u = pm.Normal("u", 0, 1, shape=6)
    pm.NegativeBinomial("y", mu=pm.math.exp(a + u), alpha=pm.math.exp(a), observed=data["y"])`);
  assert.deepEqual(twice.names, ["u"]);
  const scale = found(`a = pm.Normal("a", 0, 1)
    u = pm.Normal("u", 0, pm.math.exp(a), shape=6)
    pm.Poisson("y", pm.math.exp(a + u), observed=data["y"])`);
  assert.deepEqual(scale.names, ["u"]);
  const shared = found(`u = pm.Normal("u", 0, 1, shape=6)
    pm.Poisson("y", pm.math.exp(pm.math.sum(u)), observed=data["y"])`);
  assert.equal(shared.names, undefined);
});

Deno.test("draws and approximation of one row are its integral", () => {
  const { program, data, field } = found(
    `u = pm.Normal("u", 0.5, 1.5, shape=1)
    pm.Poisson("y", pm.math.exp(u), observed=data["y"])`,
    Float64Array.of(3),
  );
  const posterior = fieldPosterior(program, data, field!);
  const conditional = posterior.conditional(new Float64Array(0))!;
  const logs = Array.from({ length: 4001 }, (_, k) => {
    const z = (k - 2000) / 200;
    const eta = 0.5 + 1.5 * z;
    const prior = -0.5 * z * z - 0.5 * Math.log(2 * Math.PI) - Math.log(200);
    return prior + 3 * eta - Math.exp(eta) - Math.log(6);
  });
  const exact = logSumExp(logs);
  assert.ok(Math.abs(conditional.logEvidence - exact) < 1e-6, `${conditional.logEvidence - exact}`);
  assert.ok(Math.abs(conditional.logWithout[0]) < 1e-6);
  let [whole, without, control, controlWithout] = [0, 0, 0, 0];
  const draws = 20_000;
  conditional.draw(new RandomStream("one row"), draws, (draw) => {
    whole += Math.exp(draw.logWeight - exact) / draws;
    without += Math.exp(draw.logWeight - draw.logLikelihood[0]) / draws;
    control += Math.exp(draw.logControl - exact) / draws;
    controlWithout += Math.exp(draw.logControls[0]) / draws;
  });
  for (const mean of [whole, without, control, controlWithout]) {
    assert.ok(Math.abs(mean - 1) < 0.03, `${[whole, without, control, controlWithout]}`);
  }
});

Deno.test("sites that are found without a far row say what is without it", () => {
  const { program, data, field } = found(
    `u = pm.GaussianRandomWalk("u", sigma=0.3, init_dist=pm.Normal.dist(0, 2), shape=6)
    pm.Poisson("y", pm.math.exp(u), observed=data["y"])`,
    Float64Array.of(0, 60, 3, 6, 2, 5),
  );
  const posterior = fieldPosterior(program, data, field!);
  /** log p(y_-1), and how many of the draws its weights are worth. */
  const without = (careful: boolean) => {
    const conditional = posterior.conditional(new Float64Array(0), careful)!;
    const logs: number[] = [];
    conditional.draw(new RandomStream("far row"), 20_000, ({ logWeight, logLikelihood }) => {
      logs.push(logWeight - logLikelihood[1]);
    });
    const [sum, squares] = [logSumExp(logs), logSumExp(logs.map((v) => 2 * v))];
    return { mean: sum - Math.log(logs.length), worth: Math.exp(2 * sum - squares) / logs.length };
  };
  const [plain, careful] = [without(false), without(true)];
  assert.ok(
    careful.worth > 0.02 && careful.worth > 4 * plain.worth,
    `${plain.worth} ${careful.worth}`,
  );
  // The other five rows alone, as a program of their own.
  const others = found(
    `u = pm.GaussianRandomWalk("u", sigma=0.3, init_dist=pm.Normal.dist(0, 2), shape=6)
    pm.Poisson("y", pm.math.exp(u[np.array([0, 2, 3, 4, 5])]), observed=data["y"])`,
    Float64Array.of(0, 3, 6, 2, 5),
  );
  const alone = fieldPosterior(others.program, others.data, others.field!)
    .conditional(new Float64Array(0))!;
  assert.ok(
    Math.abs(careful.mean - alone.logEvidence) < 0.05,
    `${careful.mean} ${alone.logEvidence}`,
  );
});

/** Walks and a process with a far row, from the torture set; their quadrature is quick. */
for (const seed of [3, 10, 15]) {
  Deno.test(`random field ${seed} scores as by quadrature`, () => {
    const { name, method, fault } = countTrial(seed);
    assert.equal(fault, undefined, name);
    assert.equal(method, "field", name);
  });
}

Deno.test("the same seed has the same bits, and another one others within the error", () => {
  const text = `import pymc as pm

with pm.Model() as model:
    u = pm.Normal("u", 0, 0.5, shape=6)
    pm.Poisson("y", pm.math.exp(pm.math.cumsum(u)), observed=data["y"])
`;
  const scored = (seed: number) =>
    scoreNow(text, dataOf(counts), { ...defaultSchedule, rows: "ordered", seed });
  const [first, again, other] = [scored(0), scored(0), scored(1)].map(({ score }) => score!);
  assert.equal(first.looMethod, "field");
  assert.deepEqual(first, again);
  assert.notEqual(first.elpdLoo, other.elpdLoo);
  assert.ok(Math.abs(first.elpdLoo - other.elpdLoo) < 4 * Math.hypot(first.mcse, other.mcse));
});
