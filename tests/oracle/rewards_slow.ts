/** Targets that oracles reward: a whole run, whose log rewards are sums of rows of `oracle_call`. */
import assert from "node:assert/strict";
import { withProject } from "../pipeline/run/project.ts";
import { fourGrammar, fourTexts, listed, runBuiltIn } from "./run_oracles.ts";

Deno.test("every log reward is a SQL sum of its rows in oracle_call", async () => {
  await withProject(async (project) => {
    project.write("texts.json", listed);
    project.write("four.toml", fourGrammar);
    const { runId, status } = await runBuiltIn(project, fourTexts);
    assert.equal(status, "done");
    const sums = `select program, sum(weight * list_sum(log_probs)) as log_reward
      from oracle_call group by program, target`;
    const counted = await project.query(
      runId,
      `select p.text, e.log_reward, s.log_reward from enumeration e join (${sums}) s
       using (program) join program p on p.sha256 = e.program order by p.text`,
    );
    assert.deepEqual(counted.map(([text, found, sum]) => [text, found, sum]), [
      ["aa", -1.5, -1.5],
      ["ab", -9.5, -9.5],
      ["ba", -2.75, -2.75],
      ["bb", -7, -7],
    ]);
    const sampled = `select count(*) from trajectory t join (${sums}) s using (program)
      where t.log_reward <> s.log_reward`;
    assert.deepEqual(await project.query(runId, sampled), [[0]]);
    assert.deepEqual(await project.query(runId, "select count(*) from trajectory"), [[12]]);
    const each = 'select count(*), sum(weight), min("of") from oracle_call';
    assert.deepEqual(await project.query(runId, each), [[8, 20, "x"]]);
    const about = "select kind, model, probe->>'tokens' from oracle";
    assert.deepEqual(await project.query(runId, about), [["table", "table", "8"]]);
    const programs = "select distinct_evaluations > 0 from evaluation where measure = 'tv'";
    assert.deepEqual((await project.query(runId, programs))[0], [true]);
  });
});
