/** Ports as artifacts: same value, same bytes; a value read back equals the one written. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { SubjectKind } from "../../src/base/measure_subject.ts";
import { measuresOf } from "../../stages/evaluation/measure.ts";
import { ports } from "../../stages/ports/mod.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { defineJudge, elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import { scored, smallEnvironment, threeAnimals } from "./fixtures.ts";

const none = { plugins: new Map() };

Deno.test("a data set comes back with its roles, types, categories, digest and dropped rows", async () => {
  const data = threeAnimals();
  const bytes = await ports.dataset.encode(data);
  const again = await ports.dataset.decode(bytes, none);
  assert.deepEqual(again, data);
  assert.deepEqual(await ports.dataset.encode(again), bytes);
});

Deno.test("an environment comes back with the same programs and log priors", async () => {
  const environment = smallEnvironment();
  const bytes = await ports.environment.encode(environment);
  const again = await ports.environment.decode(bytes, none);
  assert.deepEqual([...again.enumerate()], [...environment.enumerate()]);
  assert.deepEqual(await ports.environment.encode(again), bytes);
});

const brief = defineJudge({
  name: "brief",
  version: 3,
  uses: "execution",
  judge: (_execution, { text }) => ({ logReward: -text.length }),
});

function target(): ProgramTarget {
  const judges = [
    { judge: elpdLooJudge, weight: 1 },
    { judge: logPriorJudge, weight: 0.5 },
    { judge: brief, weight: 2 },
  ];
  const terms = judges.map(({ judge: { name, version }, weight }) => ({
    judge: name,
    version,
    weight,
  }));
  return {
    environment: smallEnvironment(),
    dataset: threeAnimals(),
    executor: "native",
    schedule: defaultSchedule,
    terms,
    rule: { terms: judges, failure: { logReward: -12.5 } },
    nullElpd: -7.5,
  };
}

Deno.test("a target of oracles comes back with its terms, alone and beside judges", async () => {
  const oracle: OracleRecord = {
    config: { kind: "table", entries: [{ text: "a", log_prob: -1 }] },
    ...{ model: "table", model_sha256: "ab", computes: "table", begin: null, end: null },
    ...{ begin_is_added: false, system_text: null, chat_template: null },
  };
  assert.deepEqual(await ports.oracle.decode(await ports.oracle.encode(oracle), none), oracle);
  const oracles = [{ name: "p", oracle, of: "x", weight: 2 }] as const;
  const alone = { environment: smallEnvironment(), oracles };
  const again = await ports.target.decode(await ports.target.encode(alone), none);
  assert.deepEqual([again.dataset, again.oracles], [undefined, oracles]);
  const both = await ports.target.encode({ ...target(), oracles });
  const plugins = { plugins: new Map([["/brief.ts", brief]]) };
  const judged = await ports.target.decode(both, plugins);
  assert.deepEqual([judged.dataset?.name, judged.oracles], ["three", oracles]);
});

Deno.test("a target finds its judge among the plug-ins and judges as before", async () => {
  const before = target();
  const bytes = await ports.target.encode(before);
  const plugins = new Map<string, unknown>([["/some/objective.ts", {}], ["/some/judge.ts", brief]]);
  const after = await ports.target.decode(bytes, { plugins }) as ProgramTarget;
  assert.deepEqual(await ports.target.encode(after), bytes);
  assert.deepEqual(after.rule.failure, { logReward: -12.5 });
  const { judge, weight } = after.rule.terms[2];
  const opinion = judge.judge(scored(1), { text: "four", logPrior: -1 }, after.dataset);
  assert.deepEqual([judge.name, weight, opinion], ["brief", 2, { logReward: -4 }]);
});

Deno.test("an artifact of a target names no path", async () => {
  const text = new TextDecoder().decode(await ports.target.encode(target()));
  assert.deepEqual(JSON.parse(text).terms[2], { judge: "brief", version: 3, weight: 2 });
});

Deno.test("a target whose judge is absent, or of another version, is not decoded", async () => {
  const bytes = await ports.target.encode(target());
  const other = defineJudge({ ...brief, version: 4 });
  for (const plugins of [new Map(), new Map([["/some/judge.ts", other]])]) {
    await assert.rejects(() => ports.target.decode(bytes, { plugins }), {
      message: 'internal: the judge "brief" (version 3) was not loaded',
    });
  }
});

const policies = [
  { kind: "table" },
  { kind: "transformer", layers: 1, width: 8, heads: 2, backend: "cpu" },
] as const;

for (const config of policies) {
  Deno.test(`a ${config.kind} policy comes back with its parameters and what it learned from`, async () => {
    const environment = smallEnvironment();
    const policy = await createPolicy(config, environment, new RandomStream("codec"));
    const value = { policy, trajectories: 96, distinctEvaluations: 40, logZ: 22.125 };
    const bytes = await ports.policy.encode(value);
    const again = await ports.policy.decode(bytes, none);
    const { policy: loaded, ...training } = again;
    assert.deepEqual(training, { trajectories: 96, distinctEvaluations: 40, logZ: 22.125 });
    assert.deepEqual([loaded.kind, loaded.backend, loaded.size], [
      policy.kind,
      policy.backend,
      policy.size,
    ]);
    assert.deepEqual(await ports.policy.encode(again), bytes);
    const options = { count: 5, epsilon: 0, temperature: 1 };
    const draw = (one: typeof policy) =>
      one.sample(environment, { ...options, random: new RandomStream("draw") });
    assert.deepEqual(await draw(loaded), await draw(policy));
    policy.dispose();
    loaded.dispose();
  });
}

Deno.test("a policy without an estimate of log Z comes back without one", async () => {
  const policy = await createPolicy({ kind: "table" }, smallEnvironment(), new RandomStream("z"));
  const value = { policy, trajectories: 0, distinctEvaluations: 0 };
  const again = await ports.policy.decode(await ports.policy.encode(value), none);
  assert.equal(again.logZ, undefined);
});

Deno.test("keys of a table have one order, whatever order they came in", async () => {
  const bytes = (row: Record<string, unknown>) => ports.table.encode({ rows: [row] });
  assert.deepEqual(await bytes({ a: 1, b: 2 }), await bytes({ b: 2, a: 1 }));
});

Deno.test("an evaluation comes back with the subject of each measure, infinite ones too", async () => {
  const of = (kind: SubjectKind) => {
    const subject = { kind, name: "prior" };
    return measuresOf(subject, {
      tv: { value: 0.5, mcse: 0, interval: [0.4, 0.6] },
      kl_target_policy: { value: Infinity, mcse: NaN, interval: [-Infinity, Infinity], n: 3 },
      log_correlation: { value: NaN, mcse: 0 },
    });
  };
  const value = { measures: [...of("prior"), ...of("compared")] };
  assert.deepEqual(
    await ports.evaluation.decode(await ports.evaluation.encode(value), none),
    value,
  );
});

Deno.test("a file is its bytes", async () => {
  const bytes = Uint8Array.of(0, 255, 10);
  assert.deepEqual(await ports.file.decode(await ports.file.encode(bytes), none), bytes);
});

Deno.test("trajectories, executions and log rewards live inside a loop only", async () => {
  for (const port of [ports.trajectories, ports.executions, ports.log_reward]) {
    const message = `internal: a ${port.name} port lives inside a loop and has no artifact`;
    await assert.rejects(() => port.decode(new Uint8Array(), none), { message });
    await assert.rejects(() => port.encode({} as never), { message });
  }
});

Deno.test("a table is rows, and nothing else is taken for one", () => {
  for (const none of [5, undefined, null, { rows: 5 }, []]) {
    assert.throws(() => ports.table.encode(none as never), /a table is \{ rows: /);
  }
});
