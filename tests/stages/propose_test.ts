/** Proposals: their log probabilities, what a checkpoint keeps, and programs that have no derivation. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { encodeTensors } from "../../src/base/safetensors.ts";
import { enumeratedTarget, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { ownLogRewards } from "../../src/gfn/train/own_entries.ts";
import { Ensemble } from "../../src/gfn/train/propose/thompson.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/built_in_environments.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { anotherWay, endOfWay, offPolicyTrajectories } from "../../src/gfn/policies/given_ways.ts";
import { rankDrawn } from "../../src/gfn/train/propose/off_policy.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { type ProposeParams, Proposing } from "../../stages/propose/proposing.ts";
import propose from "../../stages/propose/stage.ts";
import { readDerivations } from "../../stages/propose/read_derivations.ts";
import type { SampledTrajectories, TrainedPolicy } from "../../stages/ports/values.ts";
import { fakeContext, smallEnvironment } from "./fixtures.ts";

const spec = { ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 };
const grid = hypergridEnvironment(spec) as Environment;

async function gridPolicy(): Promise<TrainedPolicy> {
  const policy = await createPolicy({ kind: "table" }, grid, new RandomStream("start"));
  return { policy, trajectories: 0, distinctEvaluations: 0 };
}

Deno.test("a proposed way has the log probabilities of policy and environment", async () => {
  const { policy } = await gridPolicy();
  const [right, up, exit] = [0, 1, grid.exitAction];
  const [one] = await offPolicyTrajectories(policy, grid, [[right, up, right, exit]]);
  assert.equal(one.text, "(2, 1)");
  const batch = makeBatch(grid, [one]);
  const rows = await policy.logProbabilities(batch);
  const logPf = [right, up, right, exit].reduce((sum, action, t) => {
    const state = batch.states.index[t];
    const legal = batch.states.legal[state];
    return sum + rows[state][legal === "all" ? action : legal.indexOf(action)];
  }, 0);
  assert.ok(Math.abs(one.logPf - logPf) < 1e-6);
  // Into (1, 0) leads one step, into (1, 1) two and into (2, 1) two.
  assert.ok(Math.abs(one.logPb - Math.log(1 / 4)) < 1e-12);
});

Deno.test("another way leads to the same cell, and all ways are drawn", () => {
  const random = new RandomStream("ways");
  const way = [0, 0, 1, grid.exitAction];
  const drawn = new Set<string>();
  for (let i = 0; i < 100; i++) {
    const other = anotherWay(grid, way, random);
    assert.deepEqual(endOfWay(grid, other), endOfWay(grid, way));
    drawn.add(other.join(" "));
  }
  assert.equal(drawn.size, 3);
});

Deno.test("ranks are drawn by one over them", () => {
  const random = new RandomStream("ranks");
  const counts = [0, 0, 0];
  for (let i = 0; i < 11_000; i++) counts[rankDrawn(3, random)]++;
  // 6 : 3 : 2; four standard errors of 11,000 draws are 0.019.
  counts.forEach((one, k) => assert.ok(Math.abs(one / 11_000 - [6, 3, 2][k] / 11) < 0.019));
});

const params: ProposeParams = {
  memory: 8,
  broad: { count: 2 },
  particles: { count: 3, until: 0.5 },
  local_search: { count: 2, rounds: 2, cut: 0.5 },
  thompson: { count: 2, heads: 2, keep: 0.5, learning_rate: 0.01 },
  teacher: { count: 2, mixing: 0.5, missed: 19, learning_rate: 0.01 },
};

async function stepOf(proposing: Proposing, step: number, policy: TrainedPolicy) {
  const context = fakeContext({ step });
  const random = context.random("trajectories");
  const fresh = await policy.policy.sample(grid, { count: 4, random, epsilon: 0, temperature: 1 });
  const trajectories: SampledTrajectories = { environment: grid, trajectories: fresh, epsilon: 0 };
  const out = await proposing.run(context, { policy, trajectories });
  return { ...out.trajectories, fresh, metrics: context.told.metrics };
}

Deno.test("proposals come after the policy's own, and a checkpoint goes on with the same bits", async () => {
  const policy = await gridPolicy();
  const first = new Proposing(params);
  const { trajectories, fresh, epsilon, metrics } = await stepOf(first, 1, policy);
  assert.deepEqual(trajectories.slice(0, 4), fresh);
  assert.deepEqual(Object.fromEntries(metrics), {
    proposed_broad: 2,
    proposed_particles: 3,
    proposed_teacher: 2,
    proposed_thompson: 2,
    proposed_local_search: 4,
  });
  assert.ok(Math.abs(epsilon - 13 / 17) < 1e-12);
  const bytes = await first.save();
  const second = new Proposing(params);
  await second.load(bytes);
  const [a, b] = [await stepOf(first, 2, policy), await stepOf(second, 2, policy)];
  assert.deepEqual(a.trajectories, b.trajectories);
});

function written(lines: readonly string[]): string {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  Deno.writeTextFileSync(path, lines.join("\n"));
  return path;
}

Deno.test("programs that the grammar cannot derive are refused, each by its line", () => {
  const environment = smallEnvironment();
  const good = [...environment.enumerate()][0];
  const path = written([
    JSON.stringify({ derivation: good.features }),
    "",
    JSON.stringify({ derivation: ["nothing of the kind"] }),
    "no JSON",
  ]);
  try {
    readDerivations(environment, path);
    assert.fail("was read");
  } catch (error) {
    assert.ok(error instanceof InputError);
    assert.equal(error.diagnostics.length, 2);
    assert.ok(error.message.includes(`${path}:3`), error.message);
    assert.ok(error.message.includes(`${path}:4`), error.message);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("programs of a file are ways of the grammar", () => {
  const environment = smallEnvironment();
  const good = [...environment.enumerate()][5];
  const path = written([JSON.stringify({ derivation: good.features })]);
  assert.deepEqual(readDerivations(environment, path), [good.actions]);
  Deno.removeSync(path);
});

/** Total variation between the last cells of two members' walks, by their exact masses. */
async function apart(keep: number, steps: number): Promise<number> {
  const { policy } = await gridPolicy();
  const random = new RandomStream("thompson", keep, steps);
  const options = { heads: 2, keep, learningRate: 0.05 };
  const ensemble = await Ensemble.of(policy, options, random);
  for (let step = 0; step < steps; step++) {
    const walks = await policy.sample(grid, { count: 8, random, epsilon: 0, temperature: 1 });
    const rewards = ownLogRewards(grid, walks).map((row) => row[row.length - 1]);
    await ensemble.step(grid, walks, rewards, { fraction: step / steps, random });
  }
  const objects = [...grid.enumerate()];
  const logReward = Float64Array.from(objects, (one) => one.logReward!);
  const target = enumeratedTarget(grid, objects, logReward);
  const [one, other] = await Promise.all(
    ensemble.heads.map(async (head) => (await policyMass(head.policy, target)).logP),
  );
  return objects.reduce((sum, _, i) => sum + Math.abs(Math.exp(one[i]) - Math.exp(other[i])), 0) /
    2;
}

Deno.test("members of an ensemble disagree after few trajectories, and agree after many", async () => {
  const [few, many, all] = [await apart(0.5, 8), await apart(0.5, 150), await apart(1, 5)];
  assert.equal(all, 0, "given the same trajectories, tables learn the same");
  assert.ok(few > 0.03 && many < few / 2, `${few} then ${many}`);
});

Deno.test("of a policy of one's own no ensemble can be made", async () => {
  const { policy } = await gridPolicy();
  const own = Object.create(policy, { kind: { value: "custom" }, save: { value: customFile } });
  const options = { heads: 2, keep: 0.5, learningRate: 0.1 };
  await assert.rejects(
    Ensemble.of(own, options, new RandomStream("own")),
    /Cannot propose by thompson: no other policy of kind custom can be made/,
  );
});

/** The file of a policy of one's own, as far as it is read. */
function customFile(): Promise<Uint8Array> {
  const header = JSON.stringify({ config: { kind: "custom" } });
  return Promise.resolve(encodeTensors([], { format: "sluice_policy_2", policy: header }));
}

Deno.test("check reads the programs that a pipeline hands in, before anything runs", async () => {
  const environment = smallEnvironment();
  const path = written([JSON.stringify({ derivation: ["nothing of the kind"] })]);
  const { check } = propose as { check?: (request: unknown) => Promise<unknown> };
  const request = (programs?: object) => ({
    inputs: { target: { environment } },
    params: { programs },
  });
  await assert.rejects(
    () => check!(request({ path, count: 1 })),
    /Cannot follow derivation .*:1": choice 1 is "nothing of the kind" at the start/,
  );
  assert.deepEqual(await check!(request()), {});
  Deno.removeSync(path);
});
