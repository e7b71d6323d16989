/** Locks that lock, and what a run left behind verified. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withDoubling } from "../cli/doubling.ts";
import { notOurs } from "../docs/markdown.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

Deno.test("--frozen names each value, file and module that changed, with its place", async (test) => {
  await withDoubling(async (project) => {
    project.write("d.csv", "x,y\n1,2\n2,3\n3,5\n");
    const data = `[stages.data]\nkind = "dataset"\npath = "d.csv"\n` +
      `columns = { x = { role = "predictor" }, y = { role = "response" } }\n`;
    project.write("p.toml", project.read("doubling.toml") + data);
    const check = async (message: RegExp | undefined) => {
      const { code, err } = await project.sluice("lock", "p.toml", "--check");
      assert.deepEqual([code, message?.test(err) ?? true], [message ? 2 : 0, true], err);
    };
    await check(/there is no lock file\n {2}mend: run sluice lock/);
    const locked = await project.sluice("lock", "p.toml");
    assert.equal(locked.code, 0, locked.err);
    const text = project.read("p.lock.json");
    assert.ok(!text.includes(project.root), "nothing of this machine");
    await check(undefined);
    await test.step("a parameter", async () => {
      project.edit("p.toml", "n = 3", "n = 4");
      await check(/p\.toml:6:5: .*a: n 3 -> 4\n {3}6 \| n = 4/);
      project.edit("p.toml", "n = 4", "n = 3 # as it was");
    });
    await test.step("a byte of the data", async () => {
      project.edit("d.csv", "3,5", "3,6");
      await check(/p\.toml:9:8: .*data: file "path" changed/);
      project.edit("d.csv", "3,6", "3,5");
    });
    await test.step("a module that the project's code imports", async () => {
      project.edit("helper.ts", "= 2", "= 3");
      await check(/a: code helper\.ts changed/);
      const run = await project.sluice("run", "p.toml", "--frozen");
      assert.deepEqual([run.code, project.list().includes("runs")], [2, false]);
      project.edit("helper.ts", "= 3", "= 2");
      await check(undefined);
    });
    await test.step("a merge that is not done is refused, and written anew by lock alone", async () => {
      project.write("p.lock.json", `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`);
      await check(/conflict markers of a merge, the first at line 1\n {2}mend: take either side/);
      assert.equal((await project.sluice("run", "p.toml")).code, 2);
      await project.sluice("lock", "p.toml");
      assert.equal(project.read("p.lock.json"), text, "the same bytes");
    });
  });
});

Deno.test("verify hashes what a run left behind, and computes a stage again", () =>
  withDoubling(async (project) => {
    assert.equal((await project.sluice("run", "doubling.toml")).code, 0);
    const whole = await project.sluice("verify", "last");
    assert.deepEqual([
      whole.code,
      /1 of 1 artifacts are what they were\n {2}rows: whole/.test(whole.out),
    ], [
      0,
      true,
    ]);
    const stage = await project.sluice("verify", "stage", "a", "--times", "2");
    assert.equal(stage.code, 0, stage.err);
    assert.equal(stage.out.match(/the same bytes as in run/g)?.length, 2);
    project.edit("helper.ts", "= 2", "= Math.random()");
    const other = await project.sluice("verify", "stage", "a");
    assert.deepEqual([other.code, /other bytes in "rows"/.test(other.out)], [1, true]);
    const [digest] = JSON.parse(
      (await project.sluice(
        "query",
        "--run",
        "last",
        "--format",
        "json",
        "select sha256 from artifact",
      ))
        .out,
    );
    const path = [...Deno.readDirSync(project.path(".sluice", "objects"))]
      .map(({ name }) => project.path(".sluice", "objects", name, digest.sha256))
      .concat(project.path(".sluice", "objects", digest.sha256.slice(0, 2), digest.sha256.slice(2)))
      .find((one) => {
        try {
          return Deno.statSync(one).isFile;
        } catch {
          return false;
        }
      });
    Deno.removeSync(join(path!));
    const gone = await project.sluice("verify", "last", "--json");
    assert.deepEqual([gone.code, JSON.parse(gone.out).faults[0].found], [1, "missing"]);
  }));

Deno.test("every shipped lock is that of its pipeline", async () => {
  const files = lockFiles(home);
  const held: string[] = [];
  for (const file of files) {
    const args = ["run", "-A", "--quiet", "src/cli/main.ts", "lock", "--check"];
    const pipeline = file.replace(/\.lock\.json$/, ".toml");
    const command = new Deno.Command("deno", { args: [...args, pipeline], cwd: home });
    const { code, stderr } = await command.output();
    const said = new TextDecoder().decode(stderr);
    // A model that was not added, or a yes that was not given, leaves a lock unread.
    if (code === 3 || /asks for .* outside the project/.test(said)) {
      assert.match(Deno.readTextFileSync(pipeline), /\bmodel = /, pipeline);
      continue;
    }
    assert.equal(code, 0, said);
    held.push(file);
  }
  assert.ok(files.length >= 9 && held.length >= 8, held.join(", "));
});

function lockFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return notOurs.test(name) ? [] : lockFiles(path);
    return name.endsWith(".lock.json") ? [path] : [];
  }).sort();
}
