/** Texts of any tokens: rewards of canonical, other and cut texts, and how a policy learns on them. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { brokenAs, freeTokens, writesFreely } from "../../src/gfn/environments/free_tokens.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { LanguageModelPolicy } from "../../src/gfn/policies/language_model/language_model_policy.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { PathModel } from "./token_model.ts";

/** Tokens "a", "b", "ab", the end, and what begins. Canonical is the longest token first. */
const spellings = ["a", "b", "ab"];
const [end, begin, vocabulary] = [3, 4, 5];
const source = {
  ...{ digest: "pairs", vocabulary, context: 16, end },
  encode: (text: string) => (text.match(/ab|a|b/g) ?? []).map((one) => spellings.indexOf(one)),
  decode: (ids: readonly number[]) => ids.map((id) => spellings[id] ?? "?").join(""),
  spell: (id: number) => spellings[id] ?? "?",
};
const spec = {
  ...{ of: { kind: "numbers", spec: null }, mask: "none" as const, model: "pairs", sha256: "0" },
  ...{ tokenizer: "pairs", vocabulary, end, most: 6 },
};
const free = freeTokens(environmentNamed("numbers"), source, spec);

Deno.test("a text is what its canonical tokens write; others, and what is cut off, are no programs", () => {
  assert.equal(free.terminal([2, 0]).text, "aba");
  assert.match(free.terminal([0, 1, 0]).text, /^# not the canonical tokens of a text: 0 1 0\n$/);
  assert.match(free.terminal([4]).text, /^# not the canonical/);
  assert.match(free.terminal([]).text, /^# nothing was written/);
  assert.match(free.terminal([0, 0, 0, 0, 0]).text, /^# cut off after 5 tokens: 0 0 0 0 0\n$/);
  assert.ok(writesFreely(free));
});

Deno.test("a text that does not match the pattern as a whole is no object of its own", () => {
  const held = freeTokens(environmentNamed("numbers"), source, { ...spec, pattern: "ab|aba?" });
  assert.equal(held.terminal([2, 0]).text, "aba");
  assert.match(held.terminal([0, 0]).text, /^# does not match the pattern: "aa"\n$/);
  assert.equal(brokenAs(held.terminal([0, 0]).text), "unmatched");
  assert.match(held.terminal([]).text, /^# nothing was written/);
  assert.notEqual(held.digest, free.digest);
});

Deno.test("every token may follow until the limit, and then the end alone", () => {
  assert.equal(free.rows!.legal([0, 1]), "all");
  assert.deepEqual(free.rows!.legal([0, 1, 0, 1, 0]), Int32Array.of(end));
  assert.throws(() => free.step([0, 1, 0, 1, 0], 0), /internal: token 0 is illegal/);
  for (const ids of [[], [0, 1], [0, 1, 0, 1, 0]]) {
    const mass = free.logPrior(ids).reduce((sum, x) => sum + Math.exp(x), 0);
    assert.ok(Math.abs(mass - 1) < 1e-12);
  }
  assert.throws(() => free.enumerate(), /Cannot list the texts of a model that writes freely/);
});

Deno.test("a text is found in tokens, unless it is too long", () => {
  assert.deepEqual(free.written!.actionsOf("abab"), [2, 2, end]);
  assert.equal(free.written!.actionsOf("aaaaa"), undefined);
});

Deno.test("a policy samples and scores free texts alike, with gradients by differences", async () => {
  const model = new PathModel(vocabulary);
  const header = {
    ...{ config: {}, environment: free.digest, actions: vocabulary, positions: 6 },
    ...{ backward: 0, features: 0 },
  };
  const rest = { another: () => new PathModel(vocabulary), backend: "host", computes: "plain" };
  const policy = new LanguageModelPolicy({ model, header, begin, context: 16, ...rest });
  const environment = free as Environment;
  const random = new RandomStream("seed 1");
  const sampled = await policy.sample(environment, {
    ...{ count: 30, random, epsilon: 0.5, temperature: 1 },
  });
  assert.ok(sampled.some(({ actions }) => actions.length === 6));
  const batch = makeBatch(environment, sampled);
  const sums = async () => {
    const { logPf } = await policy.score(batch, { grad: false });
    return sampled.map((_, b) =>
      logPf.subarray(b * batch.T, (b + 1) * batch.T).reduce((sum, x) => sum + x, 0)
    );
  };
  (await sums()).forEach((sum, b) => assert.ok(Math.abs(sum - sampled[b].logPf) < 1e-12));

  const objective = objectiveNamed("maximum_likelihood");
  const state = { logZ: 0, parameters: {} };
  const scores = await policy.score(batch, { grad: true });
  await policy.backward(scores, objective.evaluate(scores, batch, state).gradients);
  const at = begin * vocabulary;
  const [step, kept] = [1e-5, model.weights[at]];
  const loss = async () => -(await sums()).reduce((sum, x) => sum + x, 0) / sampled.length;
  model.weights[at] = kept + step;
  const up = await loss();
  model.weights[at] = kept - step;
  const down = await loss();
  assert.ok(Math.abs((up - down) / (2 * step) - model.gradient[at]) < 1e-7);
});
