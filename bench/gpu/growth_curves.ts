/** The loop of pipelines/synthstats.toml in one process: sample, execute, judge, learn. */
import { dirname, join } from "node:path";
import { type Column, makeDataset } from "../../src/base/dataset.ts";
import { RandomStream } from "../../src/base/random.ts";
import { defaultSchedule, scoreNow } from "../../src/engine/mod.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { entryOf } from "../../src/gfn/replay/replay_entry.ts";
import { Learning } from "../../src/gfn/train/learning.ts";
import { readSettings } from "../../src/gfn/settings/read_settings.ts";
import { trainingSettings } from "../../src/gfn/train/training_settings.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { openTokens } from "../../src/models/store/model_tokens.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";

/** Settings from the bench. */
interface Bench {
  readonly folder: string;
  readonly backend: "fused" | "blas" | "cuda";
  readonly precision: "f32" | "bf16";
  readonly say: (figures: Readonly<Record<string, unknown>>) => void;
}

/** Columns of data/dugongs.csv; length is recorded to the centimetre. */
function dugongs() {
  const rows = Deno.readTextFileSync("data/dugongs.csv").trim().split("\n").slice(1)
    .map((line) => line.split(",").map(Number));
  const values = (k: number) => Float64Array.from(rows, (row) => row[k]);
  const columns: Column[] = [
    { name: "age", role: "predictor", type: "real", values: values(0) },
    { name: "length", role: "response", type: "real", values: values(1), resolution: 0.01 },
  ];
  return makeDataset("dugongs", columns);
}

/** A project beside the checkpoint with the model in it; its tokens are bytes. */
async function added(folder: string): Promise<string> {
  const tiny = Deno.makeTempDirSync();
  writeRandomCheckpoint(tiny, "seed 20");
  for (const name of ["tokenizer.json", "tokenizer_config.json"]) {
    Deno.copyFileSync(join(tiny, name), join(folder, name));
  }
  const project = join(dirname(folder), "project");
  const store = new ModelStore(project);
  if (!store.list().some(({ name }) => name === "random")) {
    await addModel(store, folder, { name: "random" });
  }
  return project;
}

/** Programs of a grammar in bytes. */
function lift(project: string): Environment {
  const { entry, tokenizer } = openTokens(new ModelStore(project), "random");
  const path = "grammars/growth_curves_small.toml";
  const document = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
  return tokensOf(grammarEnvironment(document) as Environment, {
    digest: tokenizer.digest,
    vocabulary: entry.sizes.vocabulary,
    context: entry.sizes.context,
    end: entry.end!.id,
    encode: (text) => tokenizer.encodeExactly(text),
    spell: (id) => tokenizer.decode([id]),
  }) as Environment;
}

/** Batches of 16 by trajectory balance, rewarded by ELPD-LOO and prior. */
export async function learnGrowthCurves(bench: Bench): Promise<void> {
  const { backend, precision, say } = bench;
  const project = await added(bench.folder);
  const environment = lift(project);
  const adapter = { rank: 16, alpha: 32, targets: "all-linear" } as const;
  const config = { kind: "language_model", model: "random", adapter, context: 2048 } as const;
  const options = { project, backend };
  const policy = await createPolicy(
    { ...config, precision, backend },
    environment,
    "seed 20",
    options,
  );
  say({ computes: "computes" in policy ? policy.computes : "" });
  const given = { learning_rate: 5e-4, clip_norm: 1, replay: { capacity: 88, fraction: 1 } };
  const reading = { what: "the bench", code: "bench/settings" };
  const settings = readSettings(trainingSettings, given, reading);
  const learning = new Learning(objectiveNamed("trajectory_balance"), {}, settings);
  const [random, data] = [new RandomStream("seed 20", "bench"), dugongs()];
  const rewards = new Map<string, number>();
  const steps = 3;
  for (let step = 1; step <= steps; step++) {
    const begin = performance.now();
    const behaviour = { count: 16, random, epsilon: 0.3, temperature: 1 };
    const trajectories = await policy.sample(environment, behaviour);
    const sampled = performance.now();
    for (const { text } of trajectories) {
      rewards.set(
        text,
        rewards.get(text) ?? scoreNow(text, data, defaultSchedule).score?.elpdLoo ?? -200,
      );
    }
    const judged = performance.now();
    const fresh = trajectories.map((one) => entryOf(one, [rewards.get(one.text)!]));
    const { metrics } = await learning.step(policy, environment, fresh, {
      fraction: step / steps,
      random,
    });
    const seconds = [begin, sampled, judged, performance.now()]
      .map((at, i, all) => (at - all[Math.max(0, i - 1)]) / 1000);
    const [, sample_s, judge_s, learn_s] = seconds;
    const distinct = new Set(trajectories.map(({ text }) => text)).size;
    say({
      what: "step of synthstats.toml",
      step,
      sample_s,
      judge_s,
      learn_s,
      distinct,
      loss: metrics.loss,
    });
  }
  policy.dispose();
}
