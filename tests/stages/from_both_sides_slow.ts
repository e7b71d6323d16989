/** `bidirectional` of `evaluate_kl`: its rows, where objects are counted and where they are not. */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/built_in_environments.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../src/gfn/environments/regressions.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import declaration from "../../stages/evaluate_kl/mod.ts";
import { plantedPolicy } from "../gfn/certificates/planted_policy.ts";
import { fakeContext } from "./fixtures.ts";

const grid = hypergridEnvironment(
  { ndim: 2, height: 6, r0: 0.1, r1: 0.5, r2: 2 },
) as Environment;
const planted = plantedPolicy(grid, ({ logReward }) => logReward! / 2);
const policy = {
  policy: planted.policy as unknown as Policy,
  ...{ trajectories: 100, distinctEvaluations: 36, logZ: 0 },
};

async function rowsOf(params: object, environment = grid) {
  const context = fakeContext({ step: 0 });
  const evaluator = new Evaluator(declaration.params.parse(params));
  await evaluator.run(context, { policy, environment });
  const rows = context.told.tables.flatMap(([table, rows]) => table === "evaluation" ? rows : []);
  const own = rows.filter((row) => row.subject_kind === "policy");
  return new Map(own.map((row) => [String(row.measure), row]));
}

Deno.test("rows stand beside exact ones, and agree with them", async () => {
  const rows = await rowsOf({ bidirectional: { samples: 1000 } });
  const [elbo, eubo, kl] = ["elbo", "eubo", "kl_target_policy"].map((one) => rows.get(one)!);
  assert.ok(Math.abs(Number(kl.value) - planted.klTargetPolicy) < 1e-9);
  const off = Number(eubo.value) - planted.logZ - Number(kl.value);
  assert.ok(Math.abs(off) < 4 * Number(eubo.mcse), `${off}`);
  assert.ok(Number(elbo.value) < planted.logZ);
  assert.equal(eubo.method, "exact samples of the target");
});

Deno.test("they are there where nothing is counted, and only where they are asked for", async () => {
  const few = { enumerate_at_most: 10 };
  const rows = await rowsOf({ ...few, bidirectional: {} });
  assert.ok(rows.has("verdict") && rows.has("jeffreys"));
  assert.ok(!(await rowsOf(few)).has("jeffreys"));
});

Deno.test("a target that nobody can draw from is refused, with a mend", async () => {
  const spec = { ...defaultRegressions, terms: 12 };
  const certificate = { list_at_most: 100 };
  await assert.rejects(
    rowsOf(
      { enumerate_at_most: 10, certificate, bidirectional: {} },
      regressionsEnvironment(spec) as Environment,
    ),
    /Cannot draw exact samples of the target of this regressions: 4096 objects are more than the 100/,
  );
});
