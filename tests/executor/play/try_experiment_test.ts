/** Tests of trying an experiment: theories that tell nothing, or overflow, are said before anybody plays. */
import assert from "node:assert/strict";
import { readExperiment } from "../../../src/executor/play/read_experiment.ts";
import { tryExperiment } from "../../../src/executor/play/try_experiment.ts";
import { localTheories } from "./local_theories.ts";

const experiment = (body: string) =>
  readExperiment(
    `format = 1
name = "tried"
program = """
import pymc as pm

with pm.Model() as model:
    ${body}
    pm.Normal("y", mean, 1, observed=data["y"])
"""
response = { name = "y", type = "real" }
goal = "predictions"
story = "A number leads to another."
plain_story = "A number leads to another."
words = "{x} leads to {y}."

[inputs]
x = { type = "real", low = 0, high = 5 }

[questions]
count = 3
`,
    "tried.toml",
  );

Deno.test("a program that draws nothing is refused: no row would tell anything", async () => {
  const refused = tryExperiment(experiment('mean = 2 * data["x"]'), localTheories, 5);
  await assert.rejects(refused, /"tried": its program has no latent/);
});

Deno.test("worlds that overflow are counted, and all of them are refused", async () => {
  const some = 'a = pm.Normal("a", 0, 1)\n    mean = pm.math.exp(20 * a) + 0 * data["x"]';
  const { overflow_share } = await tryExperiment(experiment(some), localTheories, 0);
  // exp(20 a) is above 1e9 where a is above 1.036: a share of 0.15.
  assert.ok(
    Math.abs(overflow_share - 0.15) < 4 * Math.sqrt(0.15 * 0.85 / 100),
    `${overflow_share}`,
  );
  const all = 'a = pm.Normal("a", 0, 1)\n    mean = pm.math.exp(900 + a) + 0 * data["x"]';
  await assert.rejects(
    tryExperiment(experiment(all), localTheories, 0),
    /its theory overflows at its questions in all of 100 worlds/,
  );
});

Deno.test("a calibration in parts is that of all transcripts, and counts them", async () => {
  const right = experiment('a = pm.Normal("a", 0, 1)\n    mean = a * data["x"]');
  const found = await tryExperiment(right, localTheories, 50);
  assert.equal(found.calibration_draws, 50);
  assert.ok(found.calibration_p! > 1e-4 && ["a", "log likelihood"].includes(found.worst!));
});
