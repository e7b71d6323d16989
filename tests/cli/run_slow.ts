/** `sluice run` from end to end: a whole run, what can be asked of it, and its programs as files. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";
import { smallFiles, smallRun, tinyOverlay } from "./small_project.ts";

async function rows(project: CommandLine, sql: string): Promise<Record<string, unknown>[]> {
  const { code, out, err } = await project.sluice(
    "query",
    "--run",
    "last",
    "--format",
    "json",
    sql,
  );
  assert.deepEqual([code, err], [0, ""]);
  return JSON.parse(out);
}

const published = `[[stages.evaluate.references]]
name = "Ratkowsky 1983"
derivation = ["logarithmic", "birth_weak", "gain_weak", "normal"]
`;

Deno.test("a run reports, answers from cache, and leaves programs as files", async (test) => {
  await withProject(smallFiles, async (project) => {
    project.write("tiny.toml", tinyOverlay().replace("[[checks]]", `${published}[[checks]]`));

    await test.step("it prints a plan, each stage, the check, and the report", async () => {
      const { code, out, err } = await project.sluice(...smallRun);
      assert.equal(code, 0, err);
      const plan = ["data", "programs", "target", "warm_start", "train", "evaluate"];
      for (const stage of plan) assert.match(err, new RegExp(`^✓ ${stage} +[0-9.]+ s$`, "m"));
      assert.match(
        err,
        /^88 programs are few enough to count without learning.*\nPolicy of warm_start: transformer on .+\nPlan\n {2}data +run +dataset +never done here\n/,
      );
      assert.match(
        err,
        /\n✓ holds {2}every program is enumerated\n✓ holds {2}nothing against the best programs \(integrity\)\nDone in [0-9.]+ s\n$/,
      );
      const headings = [
        "The answer: 88 programs, 20 models over 3 questions, 27 rows",
        "How sure the answer is",
        "Programs with the most weight",
        "The first of them",
        "Published programs among all",
        "Productions, by how much the data changed their probability",
        "Divergence from the target, counted over every program (KL, JSD in nats)",
        "Where KL(target‖policy) arises",
        "Course of KL(target‖policy) in train.progress",
      ];
      const places = headings.map((heading) => out.indexOf(`\n${heading}\n`));
      assert.deepEqual(places, [...places].sort((a, b) => a - b));
      assert.ok(places.every((place) => place >= 0), out);
      assert.match(out, /\nRatkowsky 1983 +\d+ of 88 +[\d.-]+ /);
      assert.ok(!`${out}${err}`.includes("\x1b"));
      assert.doesNotMatch(out + err, /undefined|NaN/);
    });

    await test.step("what it wrote adds up", async () => {
      const [target] = await rows(project, "select sum(exp(log_target)) as mass from enumeration");
      assert.ok(Math.abs(Number(target.mass) - 1) < 1e-9);
      const programs = await rows(
        project,
        `select count(*) as n, count(canonical_hash) as hashes, count(log_prior) as priors
         from program`,
      );
      assert.deepEqual(programs, [{ n: 89, hashes: 89, priors: 88 }]); // the null program has none
      const trajectories = `select count(*) as n, count(distinct step) as steps from trajectory
        where not replayed`;
      assert.deepEqual(await rows(project, trajectories), [{ n: 16, steps: 4 }]);
      const [{ n }] = await rows(
        project,
        "select count(*) as n from execution where status != 'ok'",
      );
      assert.equal(n, 0);
      const [{ steps }] = await rows(
        project,
        `select list(distinct step order by step) as steps from evaluation
         where stage = 'train.progress'`,
      );
      assert.deepEqual(steps, [2, 4]);
    });

    await test.step("a second run answers from cache, with the same rows", async () => {
      const ask = "select program, log_target, log_policy from enumeration order by program";
      const before = await rows(project, ask);
      const { code, err } = await project.sluice(...smallRun, "--record");
      assert.equal(code, 0, err);
      assert.match(err, /, 7 of 7 stages from cache\n$/);
      assert.deepEqual(await rows(project, ask), before);
    });

    await test.step("where nothing changed, the last run is the answer", async () => {
      const runs = project.list("runs");
      const { code, out, err } = await project.sluice(...smallRun);
      assert.equal(code, 0, err);
      Deno.removeSync(project.path(".sluice", "reports"), { recursive: true });
      assert.equal((await project.sluice(...smallRun)).out, out, "kept, and read again");
      assert.match(err, new RegExp(`\nNothing changed: as run ${runs.at(-1)}; --record writes`));
      assert.match(err, /\n✓ holds {2}every program is enumerated\n/);
      assert.match(out, /^\nThe answer: 88 programs/);
      assert.deepEqual(project.list("runs"), runs);
    });

    await test.step("--quiet leaves the report alone", async () => {
      const { code, out, err } = await project.sluice(...smallRun, "--quiet");
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, /^\nThe answer: 88 programs/);
    });

    await test.step("runs lists them, newest first", async () => {
      const { code, out } = await project.sluice("runs", "--json");
      const listed: Record<string, unknown>[] = JSON.parse(out);
      const ids = listed.map((run) => String(run.run_id));
      assert.deepEqual([code, ids], [0, project.list("runs").reverse()]);
      assert.deepEqual(listed.map(({ name, status, seed }) => [name, status, seed]), [
        ["dugongs", "done", 20],
        ["dugongs", "done", 20],
      ]);
    });

    await test.step("programs lists the winners", async () => {
      const { code, out } = await project.sluice("programs", "--top", "3", "--json");
      const winners: Record<string, unknown>[] = JSON.parse(out);
      assert.deepEqual([code, winners.length], [0, 3]);
      const targets = winners.map(({ target }) => Number(target));
      assert.deepEqual(targets, [...targets].sort((a, b) => b - a));
      const table = await project.sluice("programs", "--top", "3");
      assert.match(table.out, /^ +ELPD +target +policy\n/);
      assert.equal(table.out.trimEnd().split("\n").length, 7);
    });

    await test.step("export sft writes what was sampled, best first", async () => {
      const out = ["--out", "best.jsonl"];
      const asked = await project.sluice("export", "sft", "--top", "4", "--scored", ...out);
      assert.deepEqual([asked.code, asked.err], [0, "4 examples are in best.jsonl\n"]);
      const lines = project.read("best.jsonl").trim().split("\n").map((one) => JSON.parse(one));
      const rewards = lines.map(({ log_reward }) => Number(log_reward));
      assert.deepEqual(rewards, [...rewards].sort((a, b) => b - a));
      assert.deepEqual([lines[0].prompt, new Set(lines.map((one) => one.completion)).size], [
        "",
        4,
      ]);
      const none = await project.sluice("export", "sft", "--at-least", "1e9", ...out);
      assert.deepEqual(none.code, 2);
      assert.match(none.err, /^Run last has no trajectories that pass\n {2}mend: /);
    });

    await test.step("compare ranks programs as az.compare does, with weights that add up", async () => {
      const { code, out } = await project.sluice("compare", "--top", "4", "--json");
      const compared: Record<string, number>[] = JSON.parse(out);
      assert.deepEqual([code, compared.length], [0, 4]);
      assert.deepEqual(compared.map(({ rank }) => rank), [0, 1, 2, 3]);
      assert.deepEqual([compared[0].elpd_diff, compared[0].dse], [0, 0]);
      assert.ok(compared[3].elpd_diff >= compared[1].elpd_diff && compared[3].dse > 0);
      const total = compared.reduce((sum, { weight }) => sum + weight, 0);
      assert.ok(Math.abs(total - 1) < 1e-9);
      const both = await project.sluice("compare", "--top", "1", "--references", "--json");
      const names = JSON.parse(both.out).map(({ reference }: { reference: unknown }) => reference);
      assert.ok(names.length <= 2 && names.includes("Ratkowsky 1983"));
      const table = await project.sluice("compare", "--top", "2", "--method", "pseudo_bma");
      assert.match(table.out, /^ +elpd_loo +p_loo +elpd_diff +dse +se +weight +target\n/);
    });

    await test.step("predict mixes what programs predict at new rows", async () => {
      project.write("new.csv", "age\n5\n20\n");
      const at = ["--at", "new.csv", "--top", "3"];
      const { code, out, err } = await project.sluice("predict", "last", ...at, "--json");
      assert.equal(code, 0, err);
      const { predictions, programs } = JSON.parse(out);
      assert.ok(predictions[0].mean > 1.9 && predictions[0].mean < 2.4);
      assert.ok(predictions[1].mean > 2.4 && predictions[1].q95 < 3);
      const total = programs.reduce((sum: number, one: { weight: number }) => sum + one.weight, 0);
      assert.ok(Math.abs(total - 1) < 1e-9);
      const table = await project.sluice("predict", ...at, "--weights", "stacking");
      assert.match(table.out, /^age +length +sd +5 % +50 % +95 %\n/);
      project.write("bad.csv", "weight\n5\n");
      const bad = await project.sluice("predict", "--at", "bad.csv");
      assert.deepEqual([bad.code, bad.out], [2, ""]);
      assert.match(
        bad.err,
        /Cannot predict at bad\.csv: it has none of the predictors\n +mend: the run's data have age/,
      );
    });

    await test.step("programs --out writes files that stand alone", async () => {
      const { code, err } = await project.sluice("programs", "last", "--top", "2", "--out", "best");
      assert.equal(code, 0);
      assert.match(err, /^2 programs, data\.csv and weights\.csv are in best\nnext: python /);
      const names = ["data.csv", "program-01.py", "program-02.py", "weights.csv"];
      assert.deepEqual(project.list("best"), names);
      const first = project.read("best/program-01.py");
      const lines = first.split("\n");
      const order = [
        "# Canonical PyMC, printed from a graph",
        "# Read back, it has the canonical hash of the graph: ",
        "from pathlib",
        "import pandas",
        "data = pd.read_csv",
        "with pm.Model() as model:",
        'if __name__ == "__main__":',
        "        trace = pm.sample(",
        "# The text of the author",
      ];
      let at = -1;
      for (const start of order) {
        at = lines.findIndex((line, i) => i > at && line.startsWith(start));
        assert.ok(at >= 0, `${start} in\n${first}`);
      }
      const [winner] = JSON.parse((await project.sluice("programs", "--top", "1", "--json")).out);
      for (const line of winner.text.trim().split("\n")) {
        assert.ok(first.includes(`\n# ${line}`.trimEnd()), line);
      }
      assert.ok(!first.includes("NOT P"));
      assert.equal(project.read("best/data.csv").split("\n")[0], "age,length");
      assert.equal(project.read("best/data.csv").trim().split("\n").length, 28);
      const [head, row] = project.read("best/weights.csv").split("\n");
      assert.equal(head, "file,weight,policy,log_prior,elpd_loo,se,mcse,productions");
      assert.equal(row.split(",")[1], String(winner.target));
    });

    await test.step("the file that it wrote scores as its program did in the run", async () => {
      const [winner] = JSON.parse((await project.sluice("programs", "--top", "1", "--json")).out);
      const data = ["--data", "data/dugongs.csv", "--resolution", "0.01", "--json"];
      const { out } = await project.sluice("score", "best/program-01.py", ...data);
      assert.ok(Math.abs(JSON.parse(out).elpd_loo - winner.elpd_loo) < 0.5);
    });
  });
});

Deno.test("a check that does not hold fails the run and says what it found", async () => {
  await withProject([], async (project) => {
    project.write("d.csv", "x,y\n1,2\n");
    project.write(
      "p.toml",
      `format = 1
[stages.data]
kind = "dataset"
path = "d.csv"
columns = { y = { role = "response" } }
[[checks]]
name = "there are two rows"
sql = "select value = 2 from metric where name = 'rows'"
`,
    );
    const { code, err } = await project.sluice("run", "p.toml");
    assert.equal(code, 1);
    assert.match(err, /\n✗ does not hold \(false\) {2}there are two rows\nFailed in [0-9.]+ s\n$/);
    const quiet = await project.sluice("run", "p.toml", "--quiet");
    assert.deepEqual([quiet.code, quiet.err], [1, "✗ does not hold (false)  there are two rows\n"]);
  });
});
