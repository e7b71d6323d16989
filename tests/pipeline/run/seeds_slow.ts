/** `seeds = N`: instances of one run, each what its seed alone computes, kept apart and kept. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import type { StageOutcome } from "../../../src/pipeline/plan/observer.ts";
import { type TestProject, walkPipeline, withProject } from "./project.ts";

const driver = new URL("./driver.ts", import.meta.url).href;
const three = "seeds=3";
const rowsSql = "select stage, step, name, value from metric order by all";

/** The end of the walk of `random_walk`, computed here. */
function endOf(seed: number, steps = 60): number {
  let [at, momentum] = [0, 0];
  for (let step = 1; step <= steps; step++) {
    const stream = new RandomStream(`seed ${seed}`, "train.move", step, "move");
    momentum = 0.5 * momentum + stream.uniform() - 0.5;
    at += momentum;
  }
  return at;
}

const digests = (stages: readonly StageOutcome[]) =>
  Object.fromEntries(stages.map(({ stage, outputs }) => [stage, outputs]));

/** With a check on where walks end. */
const checked = (limit: number, over = "each", sql = "select value < LIMIT from metric") =>
  `${walkPipeline}
[[checks]]
name = "below"
over = "${over}"
sql = "${sql.replace("LIMIT", `${limit}`)} where stage = 'end'"
`;

Deno.test("each instance computes what its seed alone computes; what draws nothing runs once", () =>
  withProject(async (project) => {
    const run = await project.run(walkPipeline, { sets: [three] });
    assert.equal(run.exitCode, 0);
    assert.deepEqual(run.stages.map(({ stage }) => stage), [
      ...["start", "train[0]", "train[1]", "train[2]", "end[0]", "end[1]", "end[2]"],
    ]);
    const ends = "select stage, value from metric where starts_with(stage, 'end') order by all";
    assert.deepEqual(
      await project.query(run.runId, ends),
      [7, 8, 9].map((seed, i) => [`end[${i}]`, endOf(seed)]),
    );
    const sums = "select stage, count(*) from metric group by all order by all";
    assert.deepEqual(
      (await project.query(run.runId, sums)).map(([stage, rows]) => `${stage} ${rows}`),
      [0, 1, 2].map((i) => `end[${i}] 1`)
        .concat([0, 1, 2].flatMap((i) => [`train[${i}].look 6`, `train[${i}].move 60`])),
    );
    const states = async (...sets: string[]) =>
      (await project.plan(walkPipeline, sets)).map(({ stage, state }) => `${stage} ${state}`);
    assert.ok((await states(three)).every((one) => one.endsWith(" cached")));
    assert.deepEqual(await states("seed=8"), ["start cached", "train cached", "end cached"]);
    assert.deepEqual(
      (await states("seeds=4")).filter((one) => !one.endsWith(" cached")),
      ["train[3] run", "end[3] blocked"],
    );
    const alone = await project.run(walkPipeline, { sets: ["seed=8"] });
    assert.deepEqual(digests(alone.stages).train, digests(run.stages)["train[1]"]);
    const moves = "select value from metric where stage = 'train.move' order by step";
    assert.equal((await project.query(alone.runId, moves)).length, 60);
    assert.deepEqual((await project.query(alone.runId, moves)).at(-1), [endOf(8)]);
  }));

/** Kills a run of three seeds once this many checkpoints were published. */
async function killed(project: TestProject, sets: readonly string[], checkpoints: number) {
  const path = project.write("pipeline.toml", walkPipeline);
  const args = ["run", "-A", "--quiet", driver, project.root, path, ...sets];
  const child = new Deno.Command("deno", { args, stdout: "piped", stderr: "inherit" }).spawn();
  let said = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (said.split('"event":"checkpointed"').length > checkpoints) break;
  }
  child.kill("SIGKILL");
  await child.status;
}

Deno.test("a run of several seeds that was killed goes on, every instance where it was", () =>
  withProject(async (project) => {
    const sets = [three, "stages.train.stages.move.milliseconds=8"];
    await killed(project, sets, 4);
    const resumed = await project.run(walkPipeline, { sets });
    assert.deepEqual([resumed.exitCode, resumed.resumed], [0, true]);
    assert.equal(project.runs().length, 1);
    await withProject(async (other) => {
      const whole = await other.run(walkPipeline, { sets });
      assert.deepEqual(digests(resumed.stages), digests(whole.stages));
      assert.deepEqual(
        await project.query(resumed.runId, rowsSql),
        await other.query(whole.runId, rowsSql),
      );
    });
  }));

Deno.test("a check is asked of each instance: one bad seed is named", () =>
  withProject(async (project) => {
    const ends = [7, 8, 9].map((seed) => endOf(seed));
    const worst = ends.indexOf(Math.max(...ends));
    const [second, first] = ends.toSorted((a, b) => a - b).slice(1);
    const all = await project.run(checked(first + 1), { sets: [three] });
    assert.deepEqual([all.exitCode, all.checks[0].passed], [0, true]);
    const bad = await project.run(checked((first + second) / 2), { sets: [three] });
    assert.deepEqual([bad.exitCode, bad.checks[0].passed], [1, false]);
    assert.equal(bad.checks[0].found, `false in instance ${worst}, seed ${7 + worst}`);
    const whole = "select count(*) = 3 and max(value) > LIMIT from metric";
    const over = checked(second, "all", whole).replace("stage = 'end'", "stage like 'end[%'");
    const together = await project.run(over, { sets: [three] });
    assert.deepEqual(together.checks.map(({ passed, found }) => [passed, found]), [[true, "true"]]);
  }));
