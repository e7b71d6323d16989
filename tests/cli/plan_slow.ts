/** `plan`, `why` and `dag`, and the flags by which a run selects its stages. */
import assert from "node:assert/strict";
import type { CommandLine } from "./command_line.ts";
import { withDoubling } from "./doubling.ts";

const more = `[stages.b]
kind = "./doubling.ts"
n = 4
[stages.c]
kind = "./doubling.ts"
n = 5
inputs = { before = "a" }
`;

const input = `inputs: { before: optionalPort(ports.table, "rows") },`;

/** The doubling project with two stages more, one of which hangs on the first. */
async function withThree(test: (project: CommandLine) => Promise<void>): Promise<void> {
  await withDoubling(async (project) => {
    project.edit("doubling.ts", "inputs: {},", input);
    project.edit("doubling.ts", "port, ports", "optionalPort, port, ports");
    project.edit("doubling.ts", "_inputs", "_before");
    project.write("three.toml", project.read("doubling.toml") + more);
    await test(project);
  });
}

Deno.test("a plan says what would run, why, and how long it took; then it is so", async (test) => {
  await withThree(async (project) => {
    const plan = async (...args: string[]) => {
      const { code, out, err } = await project.sluice("plan", "three.toml", "--json", ...args);
      assert.equal(code, 0, err);
      const { stages } = JSON.parse(out);
      return Object.fromEntries(
        stages.map((one: Record<string, string>) => [one.stage, `${one.state}: ${one.reason}`]),
      );
    };
    await test.step("before anything ran", async () => {
      assert.deepEqual(await plan(), {
        a: "run: never done here",
        b: "run: never done here",
        c: "blocked: waits for a",
      });
      assert.ok(!project.list().includes("runs"), "nothing was run");
    });
    await test.step("after a run", async () => {
      const { code, err } = await project.sluice("run", "three.toml");
      assert.equal(code, 0, err);
      const [run] = project.list("runs");
      assert.deepEqual(Object.values(await plan()), Array(3).fill(`cached: as in run ${run}`));
      const { out } = await project.sluice("run", "three.toml", "--dry-run");
      assert.match(
        out,
        /^a +cached +[\d.]+ s +as in run .*\n[\s\S]*\nNothing to do: 3 stages cached/,
      );
    });
    await test.step("values that changed, of a stage that waits too", async () => {
      project.edit("three.toml", "n = 3", "n = 33");
      assert.deepEqual(await plan("--set", "stages.c.n=6"), {
        a: "run: n 3 -> 33 (three.toml:6)",
        b: `cached: as in run ${project.list("runs")[0]}`,
        c: "blocked: waits for a; n 5 -> 6 (--set:1)",
      });
    });
    await test.step("a selection runs what it names, from what is in the cache", async () => {
      const refused = await project.sluice("run", "three.toml", "--only", "c");
      assert.equal(refused.code, 2);
      assert.match(refused.err, /Cannot leave out stage "a": .*n 3 -> 33/);
      assert.equal((await project.sluice("run", "three.toml", "--to", "a")).code, 0);
      const only = await project.sluice("run", "three.toml", "--only", "c");
      assert.equal(only.code, 0, only.err);
      assert.match(only.err, /✓ c[\s\S]*1 of 2 stages from cache/);
    });
    await test.step("--force computes again, and the same bytes stop there", async () => {
      const { code, err } = await project.sluice("run", "three.toml", "--force", "a");
      assert.equal(code, 0, err);
      assert.match(err, /a +run .*asked for by --force/);
      assert.match(err, /✓ a[\s\S]*2 of 3 stages from cache/);
    });
    await test.step("why says it of a stage afterwards, and of two runs", async () => {
      const { out } = await project.sluice("why", "a");
      assert.match(out, /^a in run \S+: done after [\d.]+ s\n {2}asked for by --force\n {2}log: /);
      const [first] = project.list("runs");
      const two = await project.sluice("why", first, "last");
      assert.equal(
        two.out,
        'a  n 3 -> 33 (three.toml:6)\nb  the same result\nc  input "before" changed\n',
      );
      const none = await project.sluice("why", "d");
      assert.deepEqual([none.code, /no such stage\n {2}mend: its stages: a/.test(none.err)], [
        2,
        true,
      ]);
    });
    await test.step("dag draws what flows", async () => {
      const { out } = await project.sluice("dag", "three.toml");
      assert.match(out, /^c \(\.\/doubling\.ts\) {2}← a\.rows$/m);
      const { out: drawing } = await project.sluice("dag", "three.toml", "--mermaid");
      assert.match(drawing, /^flowchart TD\n[\s\S]* -- rows --> /);
    });
  });
});

Deno.test("after a failure a run goes on with what does not need it, unless told otherwise", () =>
  withThree(async (project) => {
    project.edit(
      "doubling.ts",
      "await new",
      "if (n < 0) throw new Error('below 0');\n    await new",
    );
    const args = ["run", "three.toml", "--workers", "1", "--set", "stages.a.n=-1"];
    const stops = await project.sluice(...args, "--no-keep-going");
    assert.equal(stops.code, 1);
    assert.match(stops.err, /– b .*blocked: not begun, for "a" failed/);
    const goes = await project.sluice(...args);
    assert.equal(goes.code, 1);
    assert.match(goes.err, /✓ b[\s\S]*– c .*blocked: needs "a", which did not finish/);
  }));
