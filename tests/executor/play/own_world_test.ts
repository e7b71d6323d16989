/** Worlds of one's own: seeded answers, what is said before anything is seen, and modules that are wrong. */
import assert from "node:assert/strict";
import threshold from "../../../docs/examples/threshold_experiment.ts";
import {
  defineExperiment,
  type OwnExperiment,
} from "../../../src/executor/play/define_experiment.ts";
import type { DescribedWorld, WorldAsk } from "../../../src/executor/play/answer_of_world.ts";
import { constantOf } from "../../../src/executor/play/constant.ts";
import { designOf, rowsJson } from "../../../src/executor/play/design.ts";
import { Episode } from "../../../src/executor/play/episode.ts";
import { type Experiment, identityOf } from "../../../src/executor/play/experiment.ts";
import { OwnTheories } from "../../../src/executor/play/own_theories.ts";
import type { ExperimentDefinition } from "../../../src/executor/play/own_world.ts";
import { readOwnExperiment } from "../../../src/executor/play/read_experiment.ts";
import { worldService } from "../../../src/executor/play/service.ts";
import { tryExperiment } from "../../../src/executor/play/try_experiment.ts";
import { read } from "../../docs/markdown.ts";
import { localTheories } from "./local_theories.ts";

/** y = 3 + k · x + noise of sd 1, k uniform on 0 … 2, in two sites of which the second adds 10. */
const line: ExperimentDefinition = {
  name: "line",
  version: 1,
  response: { name: "y", type: "real" },
  inputs: {
    x: { type: "real", low: 0, high: 1 },
    site: { type: "category", levels: ["a", "b"] },
  },
  questions: { x: { draw: "uniform", low: 1, high: 1 } },
  story: "A line.",
  plain_story: "A line.",
  words: "at {x} in {site} it is {y}",
  begin: (random) => ({ k: 2 * random.uniform() }),
  respond: ({ k }, { x, site }, random) =>
    3 + k * Number(x) + (site === "b" ? 10 : 0) + random.normal(),
};

/** A world, its experiment, and theories whose process answers here. */
function opened(world: ExperimentDefinition | OwnExperiment) {
  const own = "answer" in world ? world : defineExperiment(world);
  const described = own.answer({ op: "describe" }) as DescribedWorld;
  const experiment = readOwnExperiment(JSON.parse(JSON.stringify(described)), "/project/line.ts");
  const process = {
    ask: (ask: WorldAsk) => Promise.resolve(JSON.parse(JSON.stringify(own.answer(ask)))),
    close: () => Promise.resolve(),
  };
  return { experiment, process, theories: new OwnTheories(experiment, process, localTheories) };
}

const settings = { budget: 2, particles: 200, draws: 64, candidates: 6, fresh: 20 };
const begin = async ({ experiment, theories }: ReturnType<typeof opened>, seed = 1) =>
  await Episode.begin(experiment, theories, settings, ["play", seed], [8]);
const belief = (experiment: Experiment, x: readonly number[], site: readonly number[]) => ({
  op: "belief" as const,
  design: designOf(experiment),
  theories: [{ text: experiment.program, prior: 1 }],
  seen: { ...rowsJson([], experiment), response: [] },
  particles: 4000,
  key: ["belief"],
  predict: { rows: x.length, columns: { x, site } },
});

Deno.test("a world is the same for each agent, whatever it asked before", async () => {
  const own = opened(line);
  const [one, other] = [await begin(own), await begin(own)];
  assert.deepEqual(one.latents, other.latents);
  assert.deepEqual(one.truths, other.truths);
  assert.notDeepEqual((await begin(own, 2)).latents, one.latents);
  await one.ask({ x: 0.5, site: "a" });
  await other.ask({ x: 0.1, site: "b" });
  const [last, same] = [one, other].map((episode) => episode.ask({ x: 0.7, site: "b" }));
  assert.deepEqual(await last, await same);
  assert(one.turns.every(({ nats }) => nats === undefined), "no theory knows the posterior");
});

Deno.test("predictions before anything is seen are the world's: mean, median, levels by name", async () => {
  const { experiment, theories } = opened(line);
  const asked = belief(experiment, [1, 1], [0, 1]);
  const { predicted } = await theories.ask(experiment.program, asked) as {
    predicted: { mean: number; median: number }[];
  };
  const error = 4 * Math.sqrt((1 / 3 + 1) / 4000); // of a mean: k has the variance 1/3, the noise 1
  for (const [row, exact] of [4, 14].entries()) {
    assert(Math.abs(predicted[row].mean - exact) < error);
    assert(Math.abs(predicted[row].median - exact) < 2 * error);
  }
  const [constant] = await constantOf(experiment, theories);
  assert(Math.abs(constant - 9) < 1.5, "half of the questions are of either site");
});

Deno.test("its posterior is refused, and theories that may explain it are followed", async () => {
  const { experiment, theories } = opened(line);
  const seen = { rows: 1, columns: { x: [1], site: [0] }, response: [4] };
  await assert.rejects(
    theories.ask(experiment.program, { ...belief(experiment, [1], [0]), seen }),
    /its world is a module, which has no posterior/,
  );
  const text = `import pymc as pm

with pm.Model() as model:
    m = pm.Normal("m", 0, 10)
    pm.Normal("y", m, 1, observed=data["y"])
`;
  const wanted = { ...belief(experiment, [1], [0]), theories: [{ text, prior: 1 }], seen };
  const { predicted } = await theories.ask(experiment.program, wanted) as {
    predicted: { mean: number }[];
  };
  assert(Math.abs(predicted[0].mean - 400 / 101) < 0.1, "the conjugate posterior mean");
});

Deno.test("the oracle's score is the density given the latents, or none", async () => {
  const { experiment, theories } = opened(threshold);
  const at = { rows: 2, columns: { dose: [3, 9.9] }, response: [1, 1] };
  const latents = { names: ["off", "on"], draws: 1, parameters: [[5], [2]] };
  const design = designOf(experiment);
  const logs = await theories.ask(experiment.program, { op: "densities", design, latents, at });
  assert.deepEqual(logs, [Math.log(0.95), Math.log(0.05)]);
  const { logDensity: _, ...without } = { ...line };
  const episode = await begin(opened(without));
  await episode.ask({ x: 0.5, site: "a" });
  const theory = `import pymc as pm

with pm.Model() as model:
    pm.Normal("y", pm.Normal("m", 0, 10), 5, observed=data["y"])
`;
  const by = { kind: "theories", theories: [{ text: theory, prior: 1 }] } as const;
  const judged = await episode.answer(by, 2, true);
  assert(judged.status === "ok" && judged.log_score! < 0);
  assert.equal(judged.oracle_log_score, undefined);
});

Deno.test("a world is tried without calibration, and its place is no part of what it is", async () => {
  const { experiment, theories } = opened(line);
  assert.deepEqual(await tryExperiment(experiment, theories, 200), {
    overflow_share: 0,
    calibration_draws: 0,
  });
  const moved = { ...experiment, module: { ...experiment.module!, path: "/elsewhere/line.ts" } };
  assert.deepEqual(identityOf(moved), identityOf(experiment));
  const raised = { ...experiment, module: { ...experiment.module!, version: 2 } };
  assert.notDeepEqual(identityOf(raised), identityOf(experiment));
});

Deno.test("a stage's process has no module loaded but those that stages name", async () => {
  const { experiment, process } = opened(line);
  const asked: string[] = [];
  const openWorld = (path: string) => (asked.push(path), process);
  const ask = async (modules?: readonly string[]) => {
    const service = worldService({ workers: 1, openWorld }).open({ warn: () => {}, modules });
    const session = service.session({ append: () => {}, onProgress: () => {} });
    const request = { op: "try", experiment, calibration: 0 };
    return await session.answer(request, new AbortController().signal);
  };
  await assert.rejects(ask(), /no stage names its module \/project\/line.ts/);
  await assert.rejects(ask(["/project/other.ts"]), /no stage names its module/);
  assert.deepEqual(asked, []);
  assert.deepEqual(await ask(["/project/line.ts"]), { overflow_share: 0, calibration_draws: 0 });
  assert.deepEqual(asked, ["/project/line.ts"]);
});

Deno.test("a module that gives no numbers, or keys that fit nothing, is told what to mend", async () => {
  const wrong = async (change: Partial<ExperimentDefinition>, message: RegExp) => {
    await assert.rejects(async () => {
      const own = opened({ ...line, ...change });
      await tryExperiment(own.experiment, own.theories, 0);
    }, message);
  };
  await wrong({ begin: () => ({}) }, /begin gives no latents/);
  await wrong({ begin: () => ({ k: NaN }) }, /begin gives NaN for k/);
  await wrong({ respond: () => "3" as unknown as number }, /respond gives "3" at {"x":1,"site":"/);
  await wrong({ respond: () => Infinity }, /overflows at its questions in all/);
  await wrong({ version: undefined as unknown as number }, /version: wanted a whole number/);
  await wrong({ words: "{z}" }, /words name {z}/);
  await wrong({ inputs: { x: { type: "real", low: 2, high: 1 } } }, /inputs.x goes from 2 to 1/);
  await wrong({ response: { name: "y", type: "vector" as "real" } }, /response.type: /);
});

Deno.test("docs/play.md has the module of docs/examples", () => {
  assert(read("docs/play.md").includes(read("docs/examples/threshold_experiment.ts").trim()));
});
