/** Successive halving: all settings a little, the best of them on, with the bits of one long training. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { pointsOf, rate, writeSmallGrid } from "./sweep_project.ts";

const halving = (measure: string) => `
[sweep]
seeds = 2
[sweep.grid]
"${rate}" = [0.001, 0.01, 0.03, 0.1]
[sweep.halving]
measure = "${measure}"
steps = "stages.train.steps"
rungs = [4, 8, 16]
keep_one_in = 2
`;

Deno.test("the best settings of a rung go on from their states, whoever works", async (test) => {
  await withProject([], async (project) => {
    writeSmallGrid(project, 4);
    project.write("p.toml", project.read("p.toml") + halving("loss"));
    assert.equal((await project.sluice("sweep", "p.toml")).code, 0);
    const work = ["sweep", "work", "small_grid-1", "--wait"];
    const works = await Promise.all([1, 2].map(() => project.sluice(...work)));
    assert.deepEqual(works.map(({ code }) => code), [0, 0], works.map(({ err }) => err).join());
    const points = await pointsOf(project, "small_grid-1");
    const steps = points.map(({ set }) => set["stages.train.steps"]);
    assert.deepEqual(steps, [...Array(8).fill(4), ...Array(4).fill(8), ...Array(2).fill(16)]);
    assert.ok(points.every(({ state }) => state === "done"));
    await test.step("they are those of least mean loss", async () => {
      const losses = await lastLosses(project);
      const mean = (rung: number, setting: unknown) => {
        const of = points.filter(({ set }) =>
          set["stages.train.steps"] === rung && set[rate] === setting
        );
        return of.reduce((sum, { run }) => sum + losses.get(run!)!, 0) / of.length;
      };
      for (const [rung, next] of [[4, 8], [8, 16]]) {
        const on = (
          one: number,
        ) => [
          ...new Set(
            points.filter(({ set }) => set["stages.train.steps"] === one).map(({ set }) =>
              set[rate]
            ),
          ),
        ];
        const best = on(rung).toSorted((a, b) => mean(rung, a) - mean(rung, b)).slice(
          0,
          on(next).length,
        );
        assert.deepEqual(new Set(on(next)), new Set(best));
      }
    });
    await test.step("and end with the bits of one training", async () => {
      const { set, run } = points.at(-1)!;
      const values = Object.entries(set).flatMap(([path, value]) => ["--set", `${path}=${value}`]);
      const { code, err } = await project.sluice(
        "run",
        "p.toml",
        ...values,
        "--force",
        "all",
        "--record",
      );
      assert.equal(code, 0, err);
      const sql = `select count(distinct value) as n, count(*) as runs from metric
        where name = 'loss' and step = 16 and run_id in ('${run}', (select max(run_id) from run))`;
      const { out } = await project.sluice("query", "--format", "json", sql);
      assert.deepEqual(JSON.parse(out), [{ n: 1, runs: 2 }]);
    });
    await test.step("a measure that no run has is named", async () => {
      project.edit("p.toml", 'measure = "loss"', 'measure = "lose"');
      await project.sluice("sweep", "p.toml");
      const { code, err } = await project.sluice("sweep", "work", "small_grid-2");
      assert.equal(code, 2, err);
      assert.match(err, /no setting has "lose"[\s\S]*did you mean "loss"/);
      const more = await project.sluice("sweep", "p.toml", "--into", "small_grid-1");
      assert.match(more.err, /decided by rungs/);
    });
  });
});

async function lastLosses(project: { sluice: (...args: string[]) => Promise<{ out: string }> }) {
  const sql =
    "select run_id, arg_max(value, step) as loss from metric where name = 'loss' group by 1";
  const { out } = await project.sluice("query", "--format", "json", sql);
  const rows = JSON.parse(out) as { run_id: string; loss: number }[];
  return new Map(rows.map(({ run_id, loss }) => [run_id, Number(loss)]));
}
