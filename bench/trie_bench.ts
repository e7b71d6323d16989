/**
 * Costs of a language model under the trie of a grammar: lifting, the exact distribution, sampling,
 * and a step of learning, in processor time of one thread.
 *
 *     deno run -A bench/trie_bench.ts grammars/growth_curves_small.toml smollm2-135m blas
 */
import process from "node:process";
import { RandomStream } from "../src/base/random.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { enumeratedTarget, evaluateExactly, policyMass } from "../src/gfn/evaluation/exact.ts";
import { tokensOf } from "../src/gfn/environments/tokens.ts";
import { grammarEnvironment } from "../src/gfn/grammar/environment.ts";
import { readGrammar } from "../src/gfn/grammar/read.ts";
import { maximumLikelihood } from "../src/gfn/objectives/maximum_likelihood.ts";
import type { LanguageModelPolicy } from "../src/gfn/policies/language_model/language_model_policy.ts";
import { createPolicy } from "../src/gfn/policies/create_policy.ts";
import { makeBatch } from "../src/gfn/trajectories/batch.ts";
import { parseTomlFile } from "../src/pipeline/toml/parse.ts";
import { modelSource } from "../stages/environment/model_source.ts";

const [path = "grammars/growth_curves_small.toml", model = "smollm2-135m", backend = "blas"] =
  Deno.args;

let last = process.cpuUsage();

/** Processor seconds since the last call. */
function lap(): string {
  const { user, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  return `${((user + system) / 1e6).toFixed(2)} s`;
}

const grammar = grammarEnvironment(
  readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path),
) as Environment;
const { source } = modelSource(model);
lap();
const texts = tokensOf(grammar, source) as Environment;
console.log(`${texts.count} programs of at most ${texts.maxActions} tokens: lifted in ${lap()}`);

const config = { kind: "language_model", model, backend: backend as "blas" } as const;
const policy = await createPolicy(config, texts, "seed 20") as LanguageModelPolicy;
console.log(`${policy.size} parameters; ${policy.computes}: opened in ${lap()}`);

const random = new RandomStream("seed 20");
for (let step = 1; step <= 3; step++) {
  const sampled = await policy.sample(texts, { count: 16, random, epsilon: 0, temperature: 1 });
  const tokens = sampled.reduce((sum, { actions }) => sum + actions.length, 0);
  const sampling = lap();
  const batch = makeBatch(texts, sampled);
  const before = policy.positions;
  const scores = await policy.score(batch, { grad: true });
  const scoring = `${policy.positions - before} positions forward ${lap()}`;
  const { gradients } = maximumLikelihood.evaluate(scores, batch, { logZ: 0, parameters: {} });
  await policy.backward(scores, gradients);
  const back = lap();
  await policy.step({ learningRate: 1e-4, clipNorm: 1 });
  console.log(`16 programs, ${tokens} tokens: sampled ${sampling}; ${scoring}, back ${back}`);
}

const objects = [...texts.enumerate()];
const prior = Float64Array.from(objects, ({ logPrior }) => logPrior);
const target = enumeratedTarget(texts, objects, prior);
const before = policy.positions;
lap();
const { klTargetPolicy, klPolicyTarget } = evaluateExactly(
  target,
  await policyMass(policy, target),
);
console.log(`the exact distribution: ${policy.positions - before} positions, ${lap()}`);
const [there, back] = [klTargetPolicy, klPolicyTarget].map((kl) => kl.toFixed(3));
console.log(`KL(prior‖policy) ${there}, KL(policy‖prior) ${back} nats`);
