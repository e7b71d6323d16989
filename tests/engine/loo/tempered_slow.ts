/** Posteriors of several modes: tempered chains visit all of them, each for as long as it has mass. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/density/compile.ts";
import { mixing } from "../../../src/engine/loo/posterior.ts";
import { temperedChains } from "../../../src/engine/loo/tempered.ts";
import { finish } from "../../../src/engine/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const y = Float64Array.of(1.9, 2.1, 2.2, 1.8, 2.05, 1.95, 2.3, 1.7);
const data = makeDataset("distances", [
  { name: "y", role: "response", type: "real", values: y },
]);
const text = `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0.3, 1)
    pm.Normal("y", pm.math.abs(a), 0.2, observed=data["y"])
`;
const checked = checkProgram(text, data);
assert.ok(checked.ok);
const { program } = checked;
const density = () => compileLogDensity(program, data);
const schedule = { chains: 4, tune: 100, draws: 125 };

/** log p(y, a), or without one row. */
function logJoint(a: number, skipped = -1): number {
  let sum = -0.5 * (a - 0.3) ** 2 - 0.5 * Math.log(2 * Math.PI);
  y.forEach((one, i) => {
    if (i === skipped) return;
    sum -= 0.5 * ((one - Math.abs(a)) / 0.2) ** 2 + Math.log(0.2) + 0.5 * Math.log(2 * Math.PI);
  });
  return sum;
}

const grid = Array.from({ length: 4001 }, (_, k) => (k - 2000) / 400);
const total = (of: (a: number) => number) => grid.reduce((sum, a) => sum + of(a), 0);

Deno.test("tempered chains share their draws between modes as quadrature does", () => {
  const exact = total((a) => a > 0 ? Math.exp(logJoint(a)) : 0) /
    total((a) => Math.exp(logJoint(a)));
  const budget = { used: 0, limit: 1e6 };
  const found = finish(temperedChains(density(), { ...schedule, seedKey: ["modes"] }, budget));
  assert.ok(found);
  const { rhatMax, essBulkMin } = mixing(found.chainSet);
  assert.ok(rhatMax <= 1.05);
  const { positions } = found.chainSet;
  const share = positions.filter((a) => a > 0).length / positions.length;
  const error = Math.sqrt(exact * (1 - exact) / essBulkMin);
  assert.ok(Math.abs(share - exact) < 4 * error, `${share} of ${exact}`);
  assert.ok(budget.used > 1000 && budget.used < 1e6);
});

Deno.test("the same key gives the same bits; a small budget gives nothing", () => {
  const run = (limit: number) =>
    finish(temperedChains(density(), { ...schedule, seedKey: ["bits"] }, { used: 0, limit }));
  const [first, again] = [run(1e6), run(1e6)];
  assert.deepEqual(first!.chainSet.positions, again!.chainSet.positions);
  assert.equal(run(2000), undefined);
});

Deno.test("a program whose chains keep to modes of their own is tempered, and scores as by quadrature", () => {
  const whole = Math.log(total((a) => Math.exp(logJoint(a))));
  const exact = [...y.keys()].reduce(
    (sum, i) => sum + whole - Math.log(total((a) => Math.exp(logJoint(a, i)))),
    0,
  );
  const { status, score } = scoreNow(text, data, defaultSchedule);
  assert.equal(status, "ok");
  assert.equal(score!.looMethod, "tempered");
  assert.ok(Math.abs(score!.elpdLoo - exact) < 4 * score!.mcse + 0.02, `${score!.elpdLoo - exact}`);
});
