/** The plug-ins of docs/examples, run by the real command line: a stage kind, a judge, an objective. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";
import { smallFiles, smallRun, tinyOverlay } from "./small_project.ts";

const plugins = `
[stages.target]
log_reward = [
  { judge = "elpd_loo" },
  { judge = "log_prior" },
  { judge = "./docs/examples/short_program_judge.ts", weight = 0.5 },
]
[stages.train.stages.longest]
kind = "./docs/examples/longest_stage.ts"
at_least = 5
inputs = { trajectories = "sample.trajectories" }
[stages.train.stages.learn]
objective = "./docs/examples/plain_trajectory_balance.ts"
log_z_learning_rate = 0.05
`;

Deno.test("a stage kind, a judge and an objective of one's own run in a pipeline", async (test) => {
  await withProject(smallFiles, async (project) => {
    project.write("tiny.toml", tinyOverlay(plugins));
    const { code, err } = await project.sluice(...smallRun);
    assert.equal(code, 0, err);

    await test.step("the stage kind noted the longest derivation of each step", async () => {
      const sql = "select step, value from metric where stage = 'train.longest' order by step";
      const noted = await project.query(sql);
      const longest = `select step, max(len(tokens)) as value from trajectory where not replayed
        group by step order by step`;
      assert.equal(noted.length, 4);
      const numbers = (rows: Record<string, unknown>[]) => rows.map(({ value }) => Number(value));
      assert.deepEqual(numbers(noted), numbers(await project.query(longest)));
    });

    await test.step("the judge judged every program once, by the length of its text", async () => {
      const sql = `select count(*) = (select count(distinct program_sha256) from trajectory)
          and count(*) = count(distinct program_sha256) as once, max(abs(score + length(program) / 200)) as off,
        max(abs((components->>'$.characters')::double - length(program))) as wrong
        from judgement where judge = 'short_program'`;
      assert.deepEqual(await project.query(sql), [{ once: true, off: 0, wrong: 0 }]);
    });

    await test.step("the log reward is the weighted sum of the judges", async () => {
      const sql = `select max(abs(t.log_reward - s.total)) as off, count(*) as n
        from trajectory t join (select program_sha256,
          sum(case judge when 'short_program' then 0.5 * score else score end) as total
          from judgement group by program_sha256) s using (program_sha256) where not t.replayed`;
      const [{ off, n }] = await project.query(sql);
      assert.deepEqual([Number(off) < 1e-9, n], [true, 16]);
    });

    await test.step("the last evaluation holds the policy against the same target", async () => {
      const sql = `select max(abs(e.log_reward - t.log_reward)) as off, count(*) as n
        from enumeration e join trajectory t on t.program_sha256 = e.program_sha256
        where e.stage = 'evaluate' and not t.replayed`;
      const [{ off, n }] = await project.query(sql);
      assert.deepEqual([Number(off) < 1e-9, n], [true, 16]);
    });

    await test.step("the objective trained: its log Z moved, and so did the policy", async () => {
      const sql = `select count(*) as n, count(distinct value) as d from metric
        where stage = 'train.learn' and name in ('loss', 'log_z')`;
      assert.deepEqual(await project.query(sql), [{ n: 8, d: 8 }]);
      const kl = "select subject_kind, value from evaluation where stage = 'evaluate' and " +
        "measure = 'kl_target_policy' and subject in ('policy', 'sft')";
      const rows = await project.query(kl);
      const value = (kind: string) => rows.find((row) => row.subject_kind === kind)!.value;
      assert.notEqual(value("policy"), value("compared"));
    });

    await test.step("a changed judge re-scores without executing again", async () => {
      project.edit("docs/examples/short_program_judge.ts", "/ 200", "/ 100");
      const again = await project.sluice(...smallRun);
      assert.equal(again.code, 0, again.err);
      const sql = `select max(abs(score + length(program) / 100)) as off
        from judgement where judge = 'short_program'`;
      assert.deepEqual(await project.query(sql), [{ off: 0 }]);
      const executed =
        "select count(*) as n, count(*) filter (where not memo) as fresh from execution";
      const [{ n, fresh }] = await project.query(executed);
      assert.deepEqual([Number(n) >= 88, fresh], [true, 0]);
    });
  });
});
