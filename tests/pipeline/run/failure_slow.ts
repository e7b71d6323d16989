/** Failures: files and messages of a stage that fails, or that touches too much. */
import assert from "node:assert/strict";
import { withProject } from "./project.ts";

const failing = `
format = 1
name = "failing"

[stages.bad]
kind = "failing"

[stages.good]
kind = "counter"

[stages.next]
kind = "adder"
inputs = { a = "bad" }
`;

Deno.test("a failing stage leaves its rows and a last word; what needs it is blocked", () =>
  withProject(async (project) => {
    const outcome = await project.run(failing);
    assert.equal(outcome.exitCode, 1);
    const shown = outcome.stages.map(({ stage, status, fault }) => [stage, status, fault?.message]);
    assert.deepEqual(shown.sort(), [
      ["bad", "failed", "no luck"],
      ["good", "done", undefined],
      ["next", "blocked", undefined],
    ]);
    const rows = await project.query(outcome.runId, "select name from metric where stage = 'bad'");
    assert.deepEqual(rows, [["before"]]);
    const { logPath } = outcome.stages.find(({ stage }) => stage === "bad")!;
    const log = Deno.readTextFileSync(logPath!);
    assert.match(log, /^warning: about to fail\nfailed: Error: no luck/);
  }));

const written = (what: string) =>
  `format = 1\nname = "w"\n[stages.w]\nkind = "writes"\nwhat = "${what}"\n`;

Deno.test("garbage on standard output, and no value, are told in words, and not tried again", () =>
  withProject(async (project) => {
    const wanted = [
      ["garbage", /it wrote to standard output.*write with console\.log/],
      ["nothing", /stage "w" gave no value for its output "value"/],
    ] as const;
    for (const [what, said] of wanted) {
      const { exitCode, stages: [{ fault, logPath }] } = await project.run(written(what));
      assert.equal(exitCode, 1);
      assert.match(fault!.message, said);
      assert.match(logPath!, /w-1\.log$/, "one attempt");
    }
  }));

Deno.test("a log without end, of one line, ends at 64 MiB, and the stage goes on", () =>
  withProject(async (project) => {
    const { exitCode, folder } = await project.run(written("log"));
    assert.equal(exitCode, 0);
    const path = `${folder}/logs/w-1.log`;
    const { size } = Deno.statSync(path);
    assert.ok(size > 60 << 20 && size < 65 << 20, `${size} bytes`);
    assert.match(Deno.readTextFileSync(path), /\nthe log ends here, at 64 MiB\n$/);
  }));

Deno.test("an undeclared read ends the stage with the line to add", () =>
  withProject(async (project) => {
    const secret = project.write("secret.txt", "s");
    const toml = `format = 1\nname = "read"\n[stages.read]\nkind = "reads_file"\n` +
      `path = "deno.json"\nundeclared = "${secret}"\n`;
    const outcome = await project.run(toml);
    assert.equal(outcome.exitCode, 1);
    const [diagnostic] = outcome.stages[0].fault!.diagnostics!;
    assert.equal(diagnostic.code, "permission/undeclared");
    assert.match(diagnostic.message, /stage "read": it needs read access to ".*secret.txt"/);
    assert.ok(diagnostic.hint!.includes(`permissions: { read: ["${secret}"] }`));
    const sql =
      "select declared from access where permission = 'read' and value like '%secret.txt'";
    assert.deepEqual(await project.query(outcome.runId, sql), [[false]]);
  }));

Deno.test("a check that does not give true fails the run and says what it found", () =>
  withProject(async (project) => {
    const toml = `format = 1\nname = "checked"\n[stages.count]\nkind = "counter"\n` +
      `[[checks]]\nname = "none"\nsql = "select count(*) = 0 from metric"\n` +
      `[[checks]]\nname = "number"\nsql = "select count(*) from metric"\n` +
      `[[checks]]\nname = "outside"\nsql = "select true from read_csv('/etc/passwd')"\n` +
      `[[checks]]\nname = "change"\nsql = "delete from metric"\n`;
    const { exitCode, checks } = await project.run(toml);
    assert.equal(exitCode, 1);
    const found = checks.map(({ name, passed, found }) => [name, passed, found.slice(0, 16)]);
    assert.deepEqual(found, [
      ["none", false, "false"],
      ["number", false, "3"],
      ["outside", false, "Permission Error"],
      ["change", false, "it is no query"],
    ]);
  }));

Deno.test("a crash is tried again, and a stage that takes too long is ended", () =>
  withProject(async (project) => {
    const toml = `format = 1\nname = "crashes"\n[stages.crash]\nkind = "crashing"\nretries = 2\n` +
      `[stages.hang]\nkind = "crashing"\nhang = true\ntimeout = 0.6\nretries = 0\n`;
    const outcome = await project.run(toml);
    const [crash, hang] = ["crash", "hang"].map((name) =>
      outcome.stages.find(({ stage }) => stage === name)!
    );
    assert.deepEqual([crash.attempts, crash.fault!.name], [3, "Crash"]);
    assert.deepEqual([hang.attempts, hang.fault!.name], [1, "Timeout"]);
    const sql = "select stage, attempt, status from stage_run order by all";
    assert.deepEqual(await project.query(outcome.runId, sql), [
      ...[1, 2, 3].map((attempt) => ["crash", attempt, "failed"]),
      ["hang", 1, "failed"],
    ]);
  }));

Deno.test("the lock file lists what stages may touch; frozen, it must not change", () =>
  withProject(async (project) => {
    const toml = (file: string) =>
      `format = 1\nname = "read"\n[stages.read]\nkind = "reads_file"\npath = "${file}"\n`;
    await project.run(toml("deno.json"));
    const lock = JSON.parse(Deno.readTextFileSync(project.path("pipeline.lock.json")));
    assert.deepEqual([lock.format, lock.stages.read.permissions], [2, { read: ["deno.json"] }]);
    assert.equal((await project.run(toml("deno.json"), { frozen: true })).exitCode, 0);
    project.write("other.txt", "x");
    await assert.rejects(
      project.run(toml("other.txt"), { frozen: true }),
      /read: file "path" changed.*read: \+ read other.txt; - read deno.json/,
    );
  }));
