/** The example of a policy over a large vocabulary learns, one row of logits at a time. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { log } from "../../src/numerics/math/mod.ts";
import { type Environment, noPrompt, type Prompt } from "../../src/gfn/environments/environment.ts";
import { legalCount, maskOfRow } from "../../src/gfn/environments/legal_actions.ts";
import { trajectoryBalance } from "../../src/gfn/objectives/trajectory_balance.ts";
import { parametersOf } from "../../src/gfn/objectives/objective.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import definition from "../../docs/examples/repeats_the_prompt.ts";

const [A, end] = [151_936, 0];

/** A token of the whole vocabulary, then its repetition, then the end. */
interface Echo {
  readonly prompt: Prompt;
  readonly tokens: readonly number[];
}
const legal = ({ tokens }: Echo) =>
  tokens.length === 0 ? "all" : Int32Array.of(tokens.length === 1 ? tokens[0] : end);
const logPriorOf = (state: Echo) => -log(legalCount(legal(state), A));
const echo: Environment<Echo> = {
  kind: "echo",
  digest: "echo of one token",
  spec: null,
  actionNames: Array.from({ length: A }, (_, a) => a === end ? "end" : `token ${a}`),
  exitAction: end,
  maxActions: 3,
  initialState: (prompt = noPrompt) => ({ prompt, tokens: [] }),
  legalActions: (state) => maskOfRow(legal(state), A),
  logPrior: (state) => new Float64Array(A).fill(logPriorOf(state)),
  rows: { legal, logPriorOf },
  step: (state, action) => ({ ...state, tokens: [...state.tokens, action] }),
  terminal: ({ tokens }) => {
    return { text: `${tokens}`, logPrior: 0, actions: [...tokens, end], features: [] };
  },
  enumerate: () => [],
  logReward: ({ prompt, tokens }) => tokens[0] === prompt.tokens[0] ? 5 : 0,
};

Deno.test("the example over 151,936 tokens samples, scores and learns by rows", async () => {
  const environment = echo as Environment;
  const policy = await createPolicy({ kind: "custom", definition }, environment, "seed 1");
  const prompts = [{ id: "seven", tokens: [7] }, { id: "nine", tokens: [9, 1] }];
  const options = { count: 2, random: new RandomStream("seed 1"), epsilon: 0, temperature: 1 };
  const [seven] = await policy.sample(environment, { ...options, prompts, given: [[7], []] });
  assert.deepEqual([seven.text, seven.prompt, seven.version], ["7,7", prompts[0], 0]);

  const batch = makeBatch(environment, [seven, { actions: [9, 9, end], prompt: prompts[1] }]);
  const scores = await policy.score(batch, { grad: true });
  assert(Math.abs(scores.logPf[0] + log(A)) < 1e-9 && scores.logPf[1] === 0);
  const state = { logZ: 5, parameters: parametersOf(trajectoryBalance, {}) };
  await policy.backward(scores, trajectoryBalance.evaluate(scores, batch, state).gradients);
  await policy.step({ learningRate: 0.1, clipNorm: Infinity });
  const better = await policy.score(batch, { grad: false });
  assert(better.logPf[0] > scores.logPf[0]);
});
