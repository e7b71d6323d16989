/** The stage `evaluate_kl` where objects are too many: verdict and bounds as rows that checks can ask. */
import assert from "node:assert/strict";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import type { Row } from "../../src/pipeline/contract/stage.ts";
import declaration from "../../stages/evaluate_kl/mod.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import { plantedPolicy } from "../gfn/certificates/planted_policy.ts";
import { fakeContext } from "./fixtures.ts";

const environment = hypergridEnvironment(
  { ndim: 2, height: 16, r0: 0.001, r1: 0.5, r2: 2 },
) as Environment;
const inCorner = (text: string) => text.slice(1, -1).split(", ").every((x) => Number(x) < 8);
const collapsed = plantedPolicy(
  environment,
  ({ text, logReward }) => inCorner(text) ? logReward! : logReward! - 13.8,
);
const perfect = plantedPolicy(environment, ({ logReward }) => logReward!);

async function evaluated(planted: typeof perfect, params: object, step = 0) {
  const context = fakeContext({ step });
  const policy = {
    policy: planted.policy as unknown as Policy,
    trajectories: 32_000,
    distinctEvaluations: 254,
    logZ: 2.31,
  };
  const evaluator = new Evaluator(declaration.params.parse(params));
  await evaluator.run(context, { policy, environment });
  const rows = (name: string) =>
    context.told.tables.filter(([table]) => table === name).flatMap(([, rows]) => rows);
  const measures = new Map(rows("evaluation").map((row) => [String(row.measure), row]));
  return { measures, events: rows("event") };
}

const value = (row: Row | undefined) => Number(row?.value);
const few = { enumerate_at_most: 10 };

Deno.test("a collapsed policy is bounded, and nothing is said of KL(target‖policy)", async () => {
  const { measures, events } = await evaluated(collapsed, few);
  assert.equal(measures.get("verdict")?.method, "bounded");
  assert.equal(value(measures.get("verdict")), 2);
  assert.equal(measures.get("eubo_gap"), undefined);
  const lower = value(measures.get("tv_lower"));
  assert.ok(lower > 0.6 && lower <= collapsed.totalVariation, `${lower}`);
  assert.ok(value(measures.get("log_z_lower")) <= collapsed.logZ);
  assert.ok(value(measures.get("kl_policy_target_lower")) > 1);
  assert.ok(Number(measures.get("log_z")?.ci_hi) >= collapsed.logZ);
  assert.ok(value(measures.get("log_z_error")) < -1);
  assert.ok(value(measures.get("certificate_evaluations")) <= 200);
  assert.deepEqual(
    events.filter(({ kind }) => kind === "explorer").map(({ message }) => message),
    [
      ...["sequential_monte_carlo", "metropolis_hastings", "local_search", "listed_sample"],
      ...["thin_sample", "tempered_policy", "policy_particles", "crossed_search"],
    ],
  );
  const [rest, set] = [measures.get("unscored_prior"), measures.get("unseen_prior")];
  assert.ok(value(rest) > 0 && value(rest) < 1 && value(set) > 0 && value(set) <= value(rest));
  assert.equal(value(measures.get("unscored_objects")), 256 - Number(rest?.n));
});

Deno.test("where objects are not listed, intervals that rest on the policy alone do not end", async () => {
  const certificate = { list_at_most: 10 };
  const { measures } = await evaluated(collapsed, { ...few, certificate });
  assert.equal(measures.get("verdict")?.method, "bounded");
  assert.equal(measures.get("log_z")?.ci_hi, Infinity);
  assert.equal(measures.get("elbo_gap")?.ci_hi, Infinity);
});

Deno.test("in a loop there are estimates alone, with open intervals", async () => {
  const { measures } = await evaluated(collapsed, few, 3);
  assert.equal(measures.get("verdict"), undefined);
  assert.equal(measures.get("log_z")?.ci_hi, Infinity);
  assert.equal(measures.get("eubo_gap"), undefined);
});

Deno.test("a counted policy is exact, and its bounds are what they bound", async () => {
  const { measures } = await evaluated(collapsed, {}, 3);
  assert.equal(measures.get("verdict")?.method, "exact");
  for (const name of ["tv_lower", "tv_upper"]) {
    assert.equal(value(measures.get(name)), value(measures.get("tv")));
  }
  assert.ok(Math.abs(value(measures.get("tv")) - collapsed.totalVariation) < 1e-9);
});

Deno.test("a budget below one evaluation is refused, with the parameters to change", async () => {
  const certificate = { share: 0.001, at_least: 0 };
  await assert.rejects(
    evaluated(perfect, { ...few, certificate }),
    /budget of 0 evaluations: 0\.001 of the 254 of training is below one/,
  );
});
