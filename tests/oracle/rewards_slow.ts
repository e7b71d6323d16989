/** Targets that oracles reward: a whole run, whose log rewards are sums of rows of `oracle_call`. */
import assert from "node:assert/strict";
import { withProject } from "../pipeline/run/project.ts";
import { criticPrompt } from "../../stages/common/critic_prompt.ts";
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

const rubric = "Is it good?";
/** Log probabilities of "yes" and "no" about each text; nothing else is said of the last. */
const opinions: readonly (readonly [string, number, number])[] = [
  ["aa", Math.log(0.6), Math.log(0.2)],
  ["ab", Math.log(0.1), Math.log(0.3)],
  ["ba", Math.log(0.2), Math.log(0.2)],
  ["bb", -30, -30],
];

Deno.test("judges reward texts that nothing executes: format, rubric, critic, composite", async () => {
  await withProject(async (project) => {
    const entries = opinions.flatMap(([text, yes, no]) => {
      const given = `${criticPrompt(rubric, undefined, text, ["no", "yes"])}\nAnswer:`;
      return [{ given, text: " yes", log_prob: yes }, { given, text: " no", log_prob: no }];
    });
    project.write("texts.json", JSON.stringify(entries));
    project.write("four.toml", fourGrammar);
    const from = fourTexts.indexOf("log_reward = [");
    const to = fourTexts.indexOf("]\n", from) + 2;
    const judged = `${fourTexts.slice(0, from)}log_reward = [
  { judge = "log_prior" },
  { judge = "format", weight = 3, most_characters = 1 },
  { judge = "llm_critic", weight = 4, oracle = "p", rubric = "${rubric}", answers = ["no", "yes"], askings = 1 },
  { judge = "composite", weight = 1, by = "sum", parts = [
    { judge = "rubric", weight = 2, criteria = [{ name = "a", contains = ["a"] }, { name = "b", lacks = ["bb"] }] },
    { judge = "format", weight = -1, forbidden = ["ba"] },
  ] },
]
${fourTexts.slice(to)}`;
    const { runId, status } = await runBuiltIn(project, judged);
    assert.equal(status, "done");
    const counted = await project.query(
      runId,
      `select p.text, e.log_reward from enumeration e join program p on p.sha256 = e.program order by p.text`,
    );
    const prior = Math.log(0.25);
    const wanted = [
      prior + 1.5 + 4 * 0.75 + 2 * 1 - 1,
      prior + 1.5 + 4 * 0.25 + 2 * 1 - 1,
      prior + 1.5 + 4 * 0.5 + 2 * 1 - 0,
      prior - 1 - 5, // no answer: the least of the composite, and the margin
    ];
    counted.forEach(([, found], i) => assert.ok(Math.abs(found as number - wanted[i]) < 1e-9));
    const rows = await project.query(
      runId,
      `select judge, version, min(score), max(score) from judgement group by all order by judge`,
    );
    assert.deepEqual(rows.map(([judge, version]) => [judge, version]), [
      ["composite", "1"],
      ["format", "1"],
      ["llm_critic", "1"],
      ["log_prior", "1"],
    ]);
  });
});
