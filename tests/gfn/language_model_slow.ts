/** A language model held to the trie of 88 programs, against brute force, and files of such policies. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import { enumeratedTarget, evaluateExactly, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { parametersOf } from "../../src/gfn/objectives/objective.ts";
import type { LanguageModelPolicy } from "../../src/gfn/policies/language_model/language_model_policy.ts";
import { legalLogSoftmax } from "../../src/gfn/policies/legal_softmax.ts";
import { createPolicy, loadPolicy } from "../../src/gfn/policies/create_policy.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { openModel } from "../../src/models/store/language_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const project = temporaryFolder();
const store = new ModelStore(project);
writeRandomCheckpoint(join(project, "tiny"), "seed 20", { context: 1024 });
await addModel(store, join(project, "tiny"));
const { entry, tokenizer, decoder } = openModel(store, "tiny");

const path = "grammars/growth_curves_small.toml";
const grammar = grammarEnvironment(
  readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path),
) as Environment;
const lifted = tokensOf(grammar, {
  digest: tokenizer.digest,
  vocabulary: entry.sizes.vocabulary,
  context: entry.sizes.context,
  end: entry.end!.id,
  encode: (text) => tokenizer.encodeExactly(text),
  spell: (id) => tokenizer.decode([id]),
}) as Environment;
const objects = [...lifted.enumerate()];
const target = enumeratedTarget(
  lifted,
  objects,
  Float64Array.from(objects, ({ logPrior }) => logPrior),
);

const config = {
  kind: "language_model",
  model: "tiny",
  adapter: { rank: 4 },
  context: 1024,
} as const;
const make = async (seed: string) =>
  await createPolicy(config, lifted, seed, { project }) as LanguageModelPolicy;

/** log P of a program: all logits of its tokens, masked one by one. */
function bruteForce(actions: readonly number[]): number {
  const ids = [entry.begin!.id, ...actions];
  const logits = decoder.logits(ids.slice(0, -1));
  let [state, sum] = [lifted.initialState(), 0];
  actions.forEach((action, t) => {
    const legal = lifted.rows!.legal(state) as Int32Array;
    sum += legalLogSoftmax(logits[t], legal, entry.sizes.vocabulary)[legal.indexOf(action)];
    if (action !== lifted.exitAction) state = lifted.step(state, action);
  });
  return sum;
}

Deno.test("the divergence over the trie is that of 88 programs scored one by one", async () => {
  const policy = await make("seed 1");
  const mass = await policyMass(policy, target);
  const wanted = Float64Array.from(objects, ({ actions }) => bruteForce(actions));
  const farthest = Math.max(...wanted.map((logP, x) => Math.abs(logP - mass.logP[x])));
  assert.ok(farthest < 1e-4, `${farthest}`);
  const [found, brute] = [evaluateExactly(target, mass), evaluateExactly(target, wanted)];
  assert.ok(Math.abs(found.klTargetPolicy - brute.klTargetPolicy) < 1e-4);
  assert.ok(Math.abs(found.klPolicyTarget - brute.klPolicyTarget) < 1e-4);
  assert.ok(policy.positions < objects.reduce((sum, { actions }) => sum + actions.length, 0) / 8);
});

Deno.test("sampled is scored, and a policy read from its file goes on with the same bits", async () => {
  const policy = await make("seed 2");
  const random = () => new RandomStream("seed 2", "sample");
  const behaviour = { count: 12, epsilon: 0.2, temperature: 1.3 };
  const objective = objectiveNamed("trajectory_balance");
  const step = async (one: LanguageModelPolicy) => {
    const sampled = await one.sample(lifted, { ...behaviour, random: random() });
    const batch = makeBatch(lifted, sampled, sampled.map(({ logPrior }) => [logPrior]));
    const scores = await one.score(batch, { grad: true });
    sampled.forEach(({ logPf }, b) => {
      const row = scores.logPf.subarray(b * batch.T, (b + 1) * batch.T);
      assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - logPf) < 1e-5);
    });
    const state = { logZ: 0, parameters: parametersOf(objective, {}) };
    const { loss, gradients } = objective.evaluate(scores, batch, state);
    await one.backward(scores, gradients);
    await one.step({ learningRate: 1e-3, clipNorm: 1 });
    return loss;
  };
  await step(policy);
  const again = await loadPolicy(await policy.save(), { project }) as LanguageModelPolicy;
  await again.loadOptimizer(await policy.saveOptimizer());
  assert.equal(await step(again), await step(policy));
  assert.deepEqual(await again.save(), await policy.save());
  assert.deepEqual(await again.saveOptimizer(), await policy.saveOptimizer());
});

const wrong: readonly (readonly [string, object, RegExp])[] = [
  ["a model that was not added", { model: "huge" }, /"huge": it was not added/],
  ["too long a context", { context: 4096 }, /context is 4096, and it reads 1024 tokens/],
  ["too short a context", { context: 100 }, /have up to \d+ tokens, context is 100/],
  [
    "weights that learn in bf16",
    { adapter: "full", precision: "bf16" },
    /weights that learn are in f32, and precision is bf16/,
  ],
  ["a rank of 6", { adapter: { rank: 6 } }, /adapter/],
  ["no such map", { adapter: { rank: 4, targets: ["q_prod"] } }, /"q_prod" matches no map/],
];
for (const [what, change, message] of wrong) {
  Deno.test(`a language model with ${what} is refused`, async () => {
    const made = createPolicy({ ...config, ...change } as never, lifted, "seed", { project });
    await assert.rejects(made, (error) => error instanceof Error && message.test(error.message));
  });
}

Deno.test("a language model is for tokens, and for those of its own", async () => {
  await assert.rejects(createPolicy(config, grammar, "seed", { project }), /actions are no tokens/);
  writeRandomCheckpoint(join(project, "other"), "seed 21", { context: 1024 });
  await addModel(store, join(project, "other"));
  const policy = await make("seed 3");
  const bytes = await policy.save();
  const text = new TextDecoder("latin1").decode(bytes).replace('\\"tiny\\"', '\\"othr\\"');
  const changed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  await assert.rejects(loadPolicy(changed, { project }), /"othr": it was not added/);
});
