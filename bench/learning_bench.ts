/**
 * The learning benchmark: `deno task bench:learning` runs what is missing of objectives × tasks ×
 * seeds, keeps each result in bench/results/learning, and writes bench/results/learning.md.
 *
 *     deno task bench:learning                      everything that is missing
 *     deno task bench:learning hypergrid_16 --seeds 1,2 --minutes 10
 *     deno task bench:learning --write              the page alone
 */
import type { Subject } from "../src/base/measure_subject.ts";
import type { MeasureName } from "../stages/evaluation/measure.ts";
import { perfectSampler, uniformSubject } from "../stages/evaluation/subjects.ts";
import { measured, runInProcess, valueOf } from "./pipeline_in_process.ts";
import { ablations, keyOf, type Task, tasks, type Variant } from "./learning/experiments.ts";
import { learningFigures, learningPage } from "./learning/page.ts";
import {
  fileDigest,
  readPeers,
  readResult,
  type SeedResult,
  writeResult,
} from "./learning/results.ts";
import type { Row } from "../src/pipeline/contract/stage.ts";

/** Selected variants, seeds and limits. */
interface Wanted {
  readonly ids: readonly string[];
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly writeOnly: boolean;
}

const results = new URL("./results/", import.meta.url);

function readArguments(args: readonly string[]): Wanted {
  const value = (flag: string) => {
    const at = args.indexOf(flag);
    return at < 0 ? undefined : args[at + 1];
  };
  const values = new Set(["--seeds", "--minutes"].map(value));
  return {
    ids: args.filter((one) => !one.startsWith("--") && !values.has(one)),
    seeds: (value("--seeds") ?? "1,2,3,4,5").split(",").map(Number),
    minutes: Number(value("--minutes") ?? Infinity),
    writeOnly: args.includes("--write"),
  };
}

/** Seed by seed, so that every variant has a first result before any has a second. */
async function runMissing({ ids, seeds, minutes }: Wanted): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  for (const seed of seeds) {
    for (const task of [...tasks, ablations]) {
      for (const variant of task.variants) {
        const name = `${task.id}.${variant.id}`;
        const asked = ids.length === 0 || ids.includes(task.id) || ids.includes(name);
        if (!asked || isKnown(task, variant, seed)) continue;
        if (performance.now() > end) return;
        await runOne(task, variant, seed);
      }
    }
  }
}

function isKnown(task: Task, variant: Variant, seed: number): boolean {
  const known = readResult(keyOf(task, variant));
  return known?.seeds.some((one) => one.seed === seed) === true;
}

async function runOne(task: Task, variant: Variant, seed: number): Promise<void> {
  const key = keyOf(task, variant);
  const extra = ["stages.evaluate.baseline_repetitions=0", `seed=${seed}`];
  const { evaluation, seconds } = await runInProcess(task.pipeline, [...key.sets, ...extra]);
  const result = resultOf(seed, evaluation, seconds.train);
  const before = readResult(key)?.seeds ?? [];
  const seeds = [...before, result].sort((a, b) => a.seed - b.seed);
  writeResult({ ...key, file: fileDigest(task.pipeline), seeds });
  const { tv, kl_target_policy: kl } = result.measures;
  const line = `TV ${tv.toPrecision(3)}, KL ${kl.toPrecision(3)}, ${result.seconds.toFixed(0)} s`;
  console.log(`${task.id}.${variant.id} seed ${seed}: ${line}`);
}

/** Measures of the policy whose value is kept. */
const kept: readonly MeasureName[] = [
  "tv",
  "kl_target_policy",
  "kl_policy_target",
  "jsd",
  "elbo_gap",
  "eubo_gap",
  "log_z_error",
  "lost_mass",
  "valid_share",
];

/** Baselines whose total variation is kept, and under which name. */
const keptBaselines: readonly (readonly [string, Subject])[] = [
  ["tv_uniform", uniformSubject],
  ["tv_floor", perfectSampler],
];

function resultOf(seed: number, rows: readonly Row[], seconds: number): SeedResult {
  const last = rows.filter(({ stage }) => stage === "evaluate");
  const found = [
    ...kept.map((measure) => [measure, valueOf(last, measure)] as const),
    ...keptBaselines.map(([name, subject]) => [name, valueOf(last, "tv", subject)] as const),
  ];
  const measures = Object.fromEntries(
    found.flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
  const [{ trajectories, distinct_evaluations }] = last;
  return {
    seed,
    trajectories: Number(trajectories),
    distinctEvaluations: Number(distinct_evaluations),
    measures,
    course: courseOf(rows),
    seconds: Math.round(10 * seconds) / 10,
  };
}

function courseOf(rows: readonly Row[]): SeedResult["course"] {
  const inner = rows.filter(({ step }) => Number(step) > 0);
  const kl = new Map(
    measured(inner, "kl_target_policy").map(({ step, value }) => [step, value]),
  );
  return measured(inner, "tv").map((row) => ({
    step: Number(row.step),
    trajectories: Number(row.trajectories),
    distinctEvaluations: Number(row.distinct_evaluations),
    tv: Number(row.value),
    klTargetPolicy: Number(kl.get(row.step)),
  }));
}

async function writePage(): Promise<void> {
  const { svgOf } = await import("../src/report/figures/svg.ts");
  for (const { name, specification } of learningFigures()) {
    await Deno.writeTextFile(new URL(name, results), await svgOf(specification));
  }
  await Deno.writeTextFile(new URL("learning.md", results), learningPage(readPeers()));
  console.log("wrote bench/results/learning.md");
}

if (import.meta.main) {
  const wanted = readArguments(Deno.args);
  if (!wanted.writeOnly) await runMissing(wanted);
  await writePage();
}
