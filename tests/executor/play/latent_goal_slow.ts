/** Goals of latents: the answer of a known posterior, orders that no row can tell, and what is refused. */
import assert from "node:assert/strict";
import { constantOf } from "../../../src/executor/play/constant.ts";
import { Episode, type PlaySettings } from "../../../src/executor/play/episode.ts";
import { bestAnswer, inBestOrder } from "../../../src/executor/play/latent_goal.ts";
import { readExperiment } from "../../../src/executor/play/read_experiment.ts";
import { tryExperiment } from "../../../src/executor/play/try_experiment.ts";
import { localTheories } from "./local_theories.ts";

const settings: PlaySettings = { budget: 6, particles: 600, draws: 64, candidates: 0, fresh: 10 };

const file = (goal: string, model: string) =>
  `format = 1
name = "hidden"
program = """
import pymc as pm

with pm.Model() as model:
${model}
"""
response = { name = "y", type = "real" }
goal = ${goal}
story = "A number."
plain_story = "A number."
words = "at {x} it is {y}"
[inputs]
x = { type = "real", low = -3, high = 3 }
`;

const level = `    mu = pm.Normal("mu", 0, 1)
    pm.Normal("y", mu + 0 * data["x"], 0.5, observed=data["y"])`;
const two = `    a = pm.Normal("a", 0, 1)
    b = pm.Normal("b", 0, 1)
    x = data["x"]
    pm.Normal("y", 1 / (0.1 + (x - a)**2) + 1 / (0.1 + (x - b)**2), 0.3, observed=data["y"])`;

async function begin(text: string, episode: number): Promise<Episode> {
  const experiment = readExperiment(text, "hidden.toml");
  const constants = await constantOf(experiment, localTheories);
  return await Episode.begin(experiment, localTheories, settings, ["latents", episode], constants);
}

Deno.test("the answer is the posterior mean, which has a closed form", async () => {
  const episode = await begin(file('{ latents = ["mu"] }', level), 1);
  assert.deepEqual(episode.view().goal, [{ latent: "mu" }]);
  let sum = 0;
  for (const x of [-1, 0, 1, 2]) {
    const seen = await episode.ask({ x });
    assert.ok(seen.kind === "observation");
    sum += Number(seen.observation[0].y);
  }
  assert.equal((await episode.answer({ kind: "theory" }, 4, true)).status, "ok");
  const [question] = episode.questions;
  const exact = sum / 0.25 / (1 + 4 / 0.25); // of Normal(0, 1) and four rows of sd 0.5
  const error = Math.sqrt(1 / 17 / 200); // 200 draws are told
  assert.ok(Math.abs(question.answer! - exact) < 4 * error, `${question.answer} and ${exact}`);
  assert.equal(question.truth, episode.latents.parameters[0][0]);
  assert.equal(question.oracle_error, 0);
  assert.ok(Math.abs(question.constant) < 0.3, "the prior's mean is 0");
});

Deno.test("two hidden places are found in either order", async () => {
  const goal = '{ latents = ["a", "b"], alike = [["a"], ["b"]] }';
  let better = 0;
  for (let k = 0; k < 3; k++) {
    const episode = await begin(file(goal, two), k);
    for (const x of [-2, -1, -0.3, 0.3, 1, 2]) await episode.ask({ x });
    await episode.answer({ kind: "theory" }, 6, false);
    const mean = (of: (q: (typeof episode.questions)[number]) => number) =>
      episode.questions.reduce((all, q) => all + of(q), 0) / 2;
    if (mean((q) => q.error!) < 0.1 * mean((q) => q.constant_error)) better++;
    const swapped = episode.truths.toReversed();
    await episode.answer({ kind: "values", numbers: swapped }, 7, false);
    assert.ok(episode.questions.slice(2).every(({ error }) => error === 0), "the order is free");
  }
  assert.equal(better, 3);
});

Deno.test("an answer is sought in one order: without it the mean of two places is their middle", () => {
  const draws = Array.from({ length: 40 }, (_, i) => i % 2 ? [-1, 1.1] : [1, -1.1]);
  const free = { latents: ["a", "b"], alike: [["a"], ["b"]] };
  const [low, high] = bestAnswer(draws, free, "squared").toSorted((a, b) => a - b);
  assert.ok(Math.abs(low + 1.05) < 0.06 && Math.abs(high - 1.05) < 0.06);
  assert.deepEqual(
    bestAnswer(draws, { ...free, alike: [] }, "squared").map((x) => Math.abs(x) < 0.06),
    [true, true],
  );
  const pairs = { latents: ["x_0", "y_0", "x_1", "y_1"], alike: [["x_0", "y_0"], ["x_1", "y_1"]] };
  assert.deepEqual(inBestOrder([3, 4, 1, 2], [1, 2, 3, 4], pairs, "squared"), [1, 2, 3, 4]);
  assert.deepEqual(inBestOrder([2, 1, 4, 3], [1, 2, 3, 4], pairs, "squared"), [2, 1, 4, 3]);
});

Deno.test("a goal that the program does not have is refused, each mistake by name", async () => {
  const wrong = [
    ['{ latents = ["a", "a"] }', /names "a" twice/],
    ['{ latents = ["a"], alike = [["a"], ["b"]] }', /"b" is alike, and not among/],
    ['{ latents = ["a", "b"], alike = [["a", "b"], ["a"]] }', /groups that are alike have 2 and 1/],
  ] as const;
  for (const [goal, message] of wrong) {
    assert.throws(() => readExperiment(file(goal, two), "hidden.toml"), message);
  }
  const unknown = readExperiment(file('{ latents = ["mue"] }', level), "hidden.toml");
  await assert.rejects(tryExperiment(unknown, localTheories, 0), /no latent "mue"/);
});
