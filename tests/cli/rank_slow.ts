/** `sluice rank`: pipelines, files, budgets, Ctrl-C, and what is refused. */
import assert from "node:assert/strict";
import { type Answer, answerSchema, answerSchemaText } from "../../src/answers/answer_schema.ts";
import { existsSync } from "node:fs";
import { withProject } from "./command_line.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const files = ["data/dugongs.csv", "grammars", "pipelines", "configs", "docs/examples"];
const small = ["--set", "stages.programs.path=../grammars/growth_curves_small.toml"];

Deno.test("rank answers from a pipeline that trains, without training, and report tells it again", async () => {
  await withProject(files, async (project) => {
    const { code, out } = await project.sluice(
      "rank",
      "pipelines/dugongs.toml",
      ...small,
      "--json",
    );
    assert.equal(code, 0);
    const answer = answerSchema.parse(JSON.parse(out));
    assert.deepEqual([answer.programs, answer.scored, answer.complete], [88, 88, true]);
    assert.deepEqual(answer.questions.map(({ question }) => question), [
      "curve",
      "noise",
      "spread",
    ]);
    for (const { answers } of answer.questions) {
      const total = answers.reduce((sum, { target }) => sum + target!, 0);
      assert.ok(Math.abs(total - 1) < 1e-9);
      for (const { target, lo, hi } of answers) assert.ok(lo! <= target! && target! <= hi!);
    }
    const [run] = project.list("runs");
    assert.deepEqual(JSON.parse(project.read(`runs/${run}/answer.json`)), answer);
    const told = await project.sluice("report", "last", "--json");
    assert.deepEqual(JSON.parse(told.out), answer);
    assert.equal((await project.sluice("report", "last", "--out", "told")).code, 0);
    assert.match(
      project.read("told/report.md"),
      /^# dugongs\n\nRun .*\n\n## The answer\n\n- curve: /,
    );
    const best = await project.sluice("programs", "last", "--top", "1", "--json");
    assert.ok(JSON.parse(best.out)[0].target > 0);

    const page = await project.sluice("rank", "pipelines/dugongs.toml", ...small, "--quiet");
    assert.match(
      page.out,
      /The answer: 88 programs, 20 models over 3 questions, 27 rows\n\ncurve /,
    );
    assert.match(page.out, /How sure the answer is\n- curve: /);

    const budget = await project.sluice(
      "rank",
      "pipelines/dugongs.toml",
      ...small,
      "--budget",
      "20",
    );
    assert.match(budget.out, /Only 20 of 88 programs were executed/);
    const many = await project.sluice("rank", "pipelines/dugongs.toml", "--at-most", "100");
    assert.equal(many.code, 2);
    assert.match(
      many.err,
      /it has 5,216 programs, at most 100 are scored one by one\n {2}mend: let/,
    );
  });
});

Deno.test("rank puts programs in files beside each other, on data from anywhere", async () => {
  await withProject(["docs/examples"], async (project) => {
    const elsewhere = temporaryFolder();
    Deno.copyFileSync("data/dugongs.csv", `${elsewhere}/dugongs.csv`);
    const named = ["docs/examples/line.py", "docs/examples/curve.py"];
    const { code, out, err } = await project.sluice(
      ...["rank", ...named, "--data", `${elsewhere}/dugongs.csv`, "--json"],
    );
    assert.equal(code, 0, err);
    const { questions: [{ question, answers, difference }] }: Answer = JSON.parse(out);
    assert.equal(question, "program");
    assert.deepEqual(answers.map(({ answer }) => answer), ["curve.py", "line.py"]);
    assert.equal(difference!.verdict, "apart");
    assert.ok(answers[0].target! > 0.999 && answers[0].prior === 0.5);
    const without = await project.sluice("rank", ...named);
    assert.match(without.err, /without data\n {2}mend: add --data FILE/);
    const same = await project.sluice(
      "rank",
      named[0],
      named[0],
      "--data",
      `${elsewhere}/dugongs.csv`,
    );
    assert.match(same.err, /line\.py is the same program\n {2}mend: name each program once/);
    Deno.removeSync(elsewhere, { recursive: true });
  });
});

Deno.test("a program below the floor of rewards counts by its own score, and is said to", async () => {
  await withProject(["docs/examples", "data/dugongs.csv"], async (project) => {
    project.write(
      "far.py",
      'import pymc as pm\n\nwith pm.Model() as model:\n    mu = pm.Normal("mu", 40, 0.1)\n' +
        '    pm.Normal("length", mu=mu, sigma=0.5, observed=data["length"])\n',
    );
    const named = ["docs/examples/line.py", "far.py", "--data", "data/dugongs.csv"];
    const { code, out, err } = await project.sluice("rank", ...named, "--json");
    assert.equal(code, 0, err);
    const answer = answerSchema.parse(JSON.parse(out));
    assert.deepEqual([answer.scored, answer.failed, answer.raised], [2, 0, 1]);
    const [, far] = answer.questions[0].answers;
    assert.equal(far.answer, "far.py");
    assert.ok(far.target === 0 && answer.raised_at_floor > 0);
    const [{ flat }] = JSON.parse(
      (await project.sluice(
        "query",
        "--run",
        "last",
        "--format",
        "json",
        "select raised_to - log_reward as flat from candidate where raised_to is not null",
      )).out,
    );
    assert.ok(flat > 1000, `${flat}`);
  });
});

Deno.test("Ctrl-C answers from what is scored, and the same command goes on", async () => {
  await withProject(files, async (project) => {
    const args = ["rank", "pipelines/dugongs.toml", ...small, "--workers", "1"];
    const child = project.start([...args, "--json"]);
    while (memoLines(project.path(".sluice")) <= 70) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill("SIGINT");
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder().decode(stdout);
    assert.equal(code, 130, new TextDecoder().decode(stderr));
    const answer = answerSchema.parse(JSON.parse(text));
    assert.equal(answer.complete, false);
    assert.match(answer.sentences[0], /^Only \d+ of 88 programs were executed/);
    const { code: again, out } = await project.sluice(...args, "--json");
    assert.deepEqual([again, JSON.parse(out).complete], [0, true]);
  });
});

/** Lines of the memo's files below a folder, while they are written. */
function memoLines(folder: string): number {
  const entries = existsSync(folder) ? [...Deno.readDirSync(folder)] : [];
  return entries.reduce((sum, { name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return sum + memoLines(path);
    return name.endsWith(".ndjson")
      ? sum + Deno.readTextFileSync(path).split("\n").length - 2
      : sum;
  }, 0);
}

Deno.test("run says where counting would do", async () => {
  await withProject(files, async (project) => {
    const args = ["pipelines/dugongs.toml", "--allow-stage", "nonsense"];
    const { err } = await project.sluice("run", ...args);
    assert.match(
      err,
      /5,216 programs are few enough to count .*: deno task sluice rank pipelines/,
    );
  });
});

Deno.test("schemas/answer.schema.json is current (deno task schema writes it)", () => {
  const file = new URL("../../schemas/answer.schema.json", import.meta.url);
  assert.equal(Deno.readTextFileSync(file), answerSchemaText());
});
