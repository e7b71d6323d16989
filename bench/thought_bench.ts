/**
 * A language model is asked for random numbers, with and without a thought before the number, at equal
 * tokens: how near the numbers come to the target, over all thoughts where they are listed.
 *
 *     deno run -A bench/thought_bench.ts [TOKENS] [SEED …]
 */
import process from "node:process";
import asked from "../docs/examples/asked_numbers.ts";
import { RandomStream } from "../src/base/random.ts";
import { customEnvironment } from "../src/gfn/environments/define_environment.ts";
import type { Environment, Prompt } from "../src/gfn/environments/environment.ts";
import { thoughtful } from "../src/gfn/environments/thoughts.ts";
import { tokensOf } from "../src/gfn/environments/tokens.ts";
import { evaluateExactly, policyMass } from "../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../src/gfn/evaluation/own_target.ts";
import { thoughtfulMass } from "../src/gfn/evaluation/thoughtful_mass.ts";
import { createPolicy } from "../src/gfn/policies/create_policy.ts";
import { train } from "../src/gfn/train/train.ts";
import { modelSource } from "../stages/environment/model_source.ts";
import { thinkingSpec } from "../stages/environment/thinking.ts";

const [budget = 12_000, ...seeds] = Deno.args.map(Number);
const { source, tokenizer } = modelSource("smollm2-135m");
const numbers = customEnvironment(asked, { max: 99, beyond: -8 }) as Environment;
const texts = tokensOf(numbers, source) as Environment;
const promptOf = (largest: number): Prompt => {
  const text = `The following is a random integer drawn uniformly between 0 and ${largest}:`;
  return { id: `${largest}`, text, tokens: tokenizer.encodeExactly(text) };
};
const [training, heldOut] = [[9, 39], [19]].map((list) => list.map(promptOf));
const texts10 = [..."0123456789"];
// One token: `<think>` and `</think>` are seven of this model.
const marks = { open: "", close: "\n" };
const spec = (most_tokens: number, among?: string[]) =>
  thinkingSpec(source, { ...marks, most_tokens, ...(among && { among }) });
const environments: Readonly<Record<string, Environment>> = {
  "no thought": texts,
  "at most 2 digits": thoughtful(texts, spec(2, texts10)) as Environment,
  "at most 8 tokens of any kind": thoughtful(texts, spec(8)) as Environment,
};
const config = {
  kind: "language_model",
  ...{ model: "smollm2-135m", context: 64, backend: "blas" as const },
  adapter: { rank: 16, last_layers: 1 },
} as const;

/** KL both ways, from below and above, mean over prompts. */
async function measured(
  policy: Awaited<ReturnType<typeof createPolicy>>,
  environment: Environment,
  prompts: readonly Prompt[],
) {
  const rows: number[][] = [];
  for (const prompt of prompts) {
    const target = ownTarget(environment, prompt);
    const mass = environment.thoughts
      ? await thoughtfulMass(policy, target, prompt, { count: 32 })
      : await policyMass(policy, target, prompt);
    const found = evaluateExactly(target, mass.logP, 0);
    const lower = ("lower" in mass && mass.lower) || found;
    rows.push([
      lower.klTargetPolicy,
      found.klTargetPolicy,
      lower.klPolicyTarget,
      found.klPolicyTarget,
    ]);
  }
  const mean = rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);
  const shown = (low: number, high: number) =>
    low === high ? high.toPrecision(3) : `${low.toPrecision(3)} … ${high.toPrecision(3)}`;
  return [shown(mean[0], mean[1]), shown(mean[2], mean[3])];
}

console.log(
  "thought | seed | steps | tokens | KL(target‖policy) | KL(policy‖target) | held out: both | CPU s",
);
for (const seed of seeds.length > 0 ? seeds : [20]) {
  for (const [name, environment] of Object.entries(environments)) {
    const before = process.cpuUsage();
    const policy = await createPolicy(config, environment, `seed ${seed}`);
    const random = new RandomStream(`seed ${seed}`, name);
    const behaviour = { count: 32, random, epsilon: 0, temperature: 1 };
    const prompts = Array.from({ length: 32 }, (_, i) => training[i % training.length]);
    const first = await policy.sample(environment, { ...behaviour, prompts });
    const steps = Math.round(budget / first.reduce((sum, { actions }) => sum + actions.length, 0));
    let tokens = 0;
    const options = {
      ...{ objective: "trajectory_balance", steps, batchSize: 32, groupSize: 16, random },
      settings: {
        ...{ learning_rate: { start: 2e-3, end: 1e-4, warm_up: 0.05 }, clip_norm: 1 },
        ...{ log_z_learning_rate: 0.1, replay: { capacity: 400, fraction: 1 } },
      },
      ...{ prompts: training, epsilon: { start: 0.3, end: 0, until: 0.8 } },
    };
    for await (const { trajectories } of train(policy, environment, options)) {
      tokens += trajectories.reduce((sum, { actions }) => sum + actions.length, 0);
    }
    const known = [...await measured(policy, environment, training)];
    const others = [...await measured(policy, environment, heldOut)];
    const { user, system } = process.cpuUsage(before);
    const cpu = ((user + system) / 1e6).toFixed(0);
    console.log([name, seed, steps, tokens, ...known, ...others, cpu].join(" | "));
    policy.dispose();
  }
}
