/**
 * A language model is asked for random numbers, after Hu et al. (2024, section 2): how many of the
 * wanted numbers it writes, and how far it is from uniform, by what it was tuned with.
 *
 *     deno run -A bench/asked_numbers_bench.ts [STEPS] [SEED …]
 */
import process from "node:process";
import asked from "../docs/examples/asked_numbers.ts";
import { RandomStream } from "../src/base/random.ts";
import { exp } from "../src/numerics/math/elementary.ts";
import { customEnvironment } from "../src/gfn/environments/define_environment.ts";
import type { Environment, Prompt } from "../src/gfn/environments/environment.ts";
import { tokensOf } from "../src/gfn/environments/tokens.ts";
import { evaluateExactly, policyMass } from "../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../src/gfn/evaluation/own_target.ts";
import { createPolicy } from "../src/gfn/policies/create_policy.ts";
import type { Policy } from "../src/gfn/policies/policy.ts";
import { train } from "../src/gfn/train/train.ts";
import type { GivenTrainingSettings } from "../src/gfn/train/training_settings.ts";
import { modelSource } from "../stages/environment/model_source.ts";
import { learnDraws } from "./exact_draws.ts";

const [steps = 200, ...seeds] = Deno.args.map(Number);
const [batchSize, groupSize, answers] = [32, 8, 100];
const { source, tokenizer } = modelSource("smollm2-135m");
const numbers = customEnvironment(asked, { max: 99, beyond: -8 }) as Environment;
const texts = tokensOf(numbers, source) as Environment;

const promptOf = (largest: number): Prompt => {
  const text = `The following is a random integer drawn uniformly between 0 and ${largest}:`;
  return { id: `${largest}`, text, tokens: tokenizer.encodeExactly(text) };
};
const [training, heldOut] = [[9, 39, 69, 99], [19, 59]].map((list) => list.map(promptOf));
const targets = new Map([...training, ...heldOut].map((one) => [one.id, ownTarget(texts, one)]));

const common: GivenTrainingSettings = {
  learning_rate: { start: 2e-3, schedule: "cosine", end: 1e-4, warm_up: 0.05 },
  log_z_learning_rate: 0.1,
  clip_norm: 1,
};
const replayed = { ...common, replay: { capacity: 400, fraction: 3 } };

/** Tunes a policy in place. */
type Tuning = (policy: Policy, random: RandomStream) => Promise<void>;

function byReward(
  objective: string,
  parameters: Record<string, unknown>,
  settings: GivenTrainingSettings,
): Tuning {
  return async (policy, random) => {
    const epsilon = "replay" in settings ? { start: 0.5, end: 0, until: 0.8 } : 0;
    const options = {
      ...{ objective, parameters, settings, steps, batchSize, groupSize, epsilon },
      ...{ random, prompts: training },
    };
    for await (const { loss } of train(policy, texts, options)) {
      if (!Number.isFinite(loss)) throw new Error(`${objective}: the loss is ${loss}`);
    }
  };
}

/** Maximum likelihood on exact draws: `given` of each prompt, again and again, or always fresh ones. */
function byExamples(given: number): Tuning {
  const how = { targets, prompts: training, given, steps, batchSize, groupSize, settings: common };
  return (policy, random) => learnDraws(policy, texts, how, random);
}

const tunings: Readonly<Record<string, Tuning>> = {
  "not tuned": () => Promise.resolve(),
  "SFT, 16 exact draws of each prompt": byExamples(16),
  "SFT, a fresh exact draw every time": byExamples(0),
  "REINFORCE, kl = 0": byReward("reinforce", { kl: 0 }, common),
  "GRPO, kl = 0": byReward("grpo", { kl: 0 }, common),
  "GRPO, kl = 1": byReward("grpo", { kl: 1 }, common),
  "trajectory balance": byReward("trajectory_balance", {}, replayed),
  "modified sub-trajectory balance": byReward("modified_sub_trajectory_balance", {}, replayed),
  "log-partition variance": byReward("log_partition_variance", {}, replayed),
};

/** KL both ways, and the share of wanted numbers that so many answers are expected to hold. */
async function measured(policy: Policy, prompts: readonly Prompt[]): Promise<number[]> {
  const rows: number[][] = [];
  for (const prompt of prompts) {
    const target = targets.get(prompt.id)!;
    const mass = await policyMass(policy, target, prompt);
    const { klTargetPolicy, klPolicyTarget } = evaluateExactly(target, mass);
    const met = target.objects.reduce((sum, { text }, x) => {
      const missed = (1 - exp(mass.logP[x])) ** answers;
      return Number(text) <= Number(prompt.id) ? sum + 1 - missed : sum;
    }, 0);
    rows.push([klTargetPolicy, klPolicyTarget, met / (Number(prompt.id) + 1)]);
  }
  return rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);
}

/** Mean, and the standard error of seeds. */
function shown(values: readonly number[]): string {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares / Math.max(1, values.length - 1) / values.length);
  return `${mean.toPrecision(3)} ± ${error.toPrecision(1)}`;
}

const config = {
  kind: "language_model",
  model: "smollm2-135m",
  adapter: { rank: 16, last_layers: 1 },
  context: 64,
  backend: "blas",
} as const;
const measures = ["KL(target‖policy)", "KL(policy‖target)", "met"];
const columns = ["tuned by", ...measures, `held out: ${measures.join(" | ")}`, "CPU s"];
console.log(`| ${columns.join(" | ")} |`);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const [name, tune] of Object.entries(tunings)) {
  const before = process.cpuUsage();
  const runs: number[][] = [];
  for (const seed of seeds.length > 0 ? seeds : [20, 21, 22]) {
    const policy = await createPolicy(config, texts, `seed ${seed}`);
    await tune(policy, new RandomStream(`seed ${seed}`, name));
    runs.push([...await measured(policy, training), ...await measured(policy, heldOut)]);
    policy.dispose();
  }
  const { user, system } = process.cpuUsage(before);
  const cells = runs[0].map((_, k) => shown(runs.map((run) => run[k])));
  const cpu = ((user + system) / 1e6 / runs.length).toFixed(0);
  console.log(`| ${name} | ${cells.join(" | ")} | ${cpu} |`);
}
