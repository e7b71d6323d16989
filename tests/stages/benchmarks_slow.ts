/** The benchmark pipelines at a small size: they learn, and the evaluation has its names. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ablations, keyOf, tasks } from "../../bench/learning/experiments.ts";
import {
  type InProcessRun,
  measured,
  runInProcess,
  valueOf,
} from "../../bench/pipeline_in_process.ts";
import type { Subject } from "../../src/base/measure_subject.ts";
import { resolvePipeline } from "../../src/pipeline/read/resolve.ts";
import type { MeasureName } from "../../stages/evaluation/measure.ts";
import {
  comparedSubject,
  perfectSampler,
  priorSubject,
  uniformSubject,
} from "../../stages/evaluation/subjects.ts";
import { builtInKinds } from "../../stages/mod.ts";

const short = [
  "stages.train.steps=40",
  "stages.train.stages.sample.batch_size=16",
  "stages.train.stages.progress.every=20",
  "stages.evaluate.floor_repetitions=3",
];

/** The settings that make each pipeline small, and the number of objects that are left. */
const small: Readonly<Record<string, readonly [readonly string[], number]>> = {
  hypergrid: [["stages.grid.height=4"], 16],
  bit_sequence: [["stages.sequences.n=8"], 256],
  expression: [["stages.expressions.max_length=3"], 21],
  numbers: [["stages.numbers.max=12"], 13],
  conjugate_programs: [['stages.programs.terms=["linear","quadratic"]'], 54],
  qm9_strings: [["stages.strings.blocks=4", "stages.strings.length=3"], 64],
};

/** Measures of its policy that the evaluation of every pipeline takes. */
const ofPolicy = [
  "tv",
  "kl_target_policy",
  "kl_policy_target",
  "jsd",
  "log_z_error",
  "lost_mass",
  "valid_share",
  "elbo_gap",
  "eubo_gap",
] as const;

const initial = comparedSubject("initial");

/** Baselines whose total variation it has. */
const others = [perfectSampler, uniformSubject, priorSubject, initial];

for (const [name, [sets, objects]] of Object.entries(small)) {
  Deno.test(`${name}.toml: forty steps bring the policy nearer to its target`, async () => {
    const path = `pipelines/benchmarks/${name}.toml`;
    const baselines = "stages.evaluate.baseline_repetitions=0";
    const { evaluation } = await runInProcess(path, [...short, ...sets, baselines]);
    const last = evaluation.filter(({ stage }) => stage === "evaluate");
    const value = (measure: MeasureName, subject?: Subject) => valueOf(last, measure, subject)!;
    for (const wanted of ofPolicy) assert.ok(Number.isFinite(value(wanted)), wanted);
    for (const one of others) assert.ok(Number.isFinite(value("tv", one)), one.name);
    assert.equal(value("programs"), objects);
    assert.ok(value("tv") < value("tv", initial));
    assert.ok(value("jsd") < value("jsd", initial));
    assert.ok(Math.abs(value("lost_mass")) < 1e-6);
    assert.ok(value("elbo_gap") >= value("kl_policy_target") - 1e-6);
    assert.ok(value("eubo_gap") >= value("kl_target_policy") - 1e-6);
    const steps = measured(evaluation, "tv").map(({ step }) => step);
    assert.deepEqual(steps, [20, 40, 0]);
    assert.deepEqual([last[0].trajectories, last[0].method], [640, "exact enumeration"]);
    assert.ok(Number(last[0].distinct_evaluations) <= objects);
  });
}

Deno.test("every experiment of the learning benchmark is a pipeline that resolves", async () => {
  const names = new Set<string>();
  for (const task of [...tasks, ablations]) {
    for (const variant of task.variants) {
      const { pipeline: path, sets } = keyOf(task, variant);
      const cwd = fileURLToPath(new URL("../..", import.meta.url));
      const options = { path, sets, kinds: builtInKinds, sluiceRoot: cwd, cwd };
      assert.ok((await resolvePipeline(options)).stages.length >= 4);
      names.add(`${task.id}.${variant.id}`);
    }
  }
  const all = [...tasks, ablations].flatMap(({ variants }) => variants);
  assert.equal(names.size, all.length);
});

Deno.test("the same seed gives the same bits, another seed others", async () => {
  const run = async (seed: number) => {
    const sets = [...short, "stages.grid.height=4", `seed=${seed}`];
    const { evaluation } = await runInProcess("pipelines/benchmarks/hypergrid.toml", [
      ...sets,
      "stages.evaluate.budget=64",
    ]);
    return evaluation.map(({ measure, subject, value }) => `${measure} ${subject} ${value}`)
      .join("\n");
  };
  assert.equal(await run(1), await run(1));
  assert.notEqual(await run(1), await run(2));
});

Deno.test("where objects are too many, estimates come with intervals that hold the truth", async () => {
  const sets = [...short, "stages.sequences.n=8", "stages.train.steps=100"];
  const path = "pipelines/benchmarks/bit_sequence.toml";
  const counted = await runInProcess(path, [...sets, "stages.evaluate.baseline_repetitions=0"]);
  const estimated = await runInProcess(path, [...sets, "stages.evaluate.enumerate_at_most=100"]);
  const last = ({ evaluation }: InProcessRun) =>
    evaluation.filter(({ stage }) => stage === "evaluate");
  const found = (measure: MeasureName) => measured(last(estimated), measure)[0];
  for (const name of ["log_z", "elbo_gap", "log_z_error"] as const) {
    const { value, mcse, method } = found(name);
    const truth = valueOf(last(counted), name)!;
    const distance = Math.abs(Number(value) - truth);
    assert.ok(distance < 5 * Number(mcse) + 1e-6, `${name}: ${value}, truth ${truth}`);
    assert.equal(method, name === "elbo_gap" ? "importance sampling" : "listed sample");
  }
  const { ci_lo, ci_hi, method } = found("tv_sub_support");
  assert.ok(0 <= Number(ci_lo) && Number(ci_lo) < Number(ci_hi) && Number(ci_hi) <= 1);
  assert.equal(method, "exact on sub-supports of 64");
  const ess = Number(found("ess").value);
  assert.ok(ess > 1 && ess <= 1000);
  assert.equal(found("tv"), undefined);
  assert.ok(Number(found("tv_lower").value) <= valueOf(last(counted), "tv")!);
});
