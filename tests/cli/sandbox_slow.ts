/** `sluice sandbox run` and `sluice doctor`, as a user meets them. */
import assert from "node:assert/strict";
import { sandboxTest } from "../sandbox/needs.ts";
import { withProject } from "./command_line.ts";

const keys = ["status", "level", "exit", "signal", "wall_ms", "cpu_ms", "max_rss_kib"]
  .concat("attestation", "stdout", "stderr");

sandboxTest("sandbox run tells how a file ended, at either level", async () => {
  await withProject([], async (project) => {
    project.write("a.py", "import os\nprint('hi', os.getpid())\nopen('/etc/passwd')\n");
    for (const level of ["L2", "L3"]) {
      const { code, out } = await project.sluice(
        "sandbox",
        "run",
        "a.py",
        "--level",
        level,
        "--json",
      );
      const run = JSON.parse(out);
      assert.deepEqual(Object.keys(run), keys);
      const { status, exit, signal } = run;
      assert.deepEqual([code, status, exit, signal, run.level], [1, "error", 1, null, level]);
      assert.match(run.stdout, /^hi \d+\n$/);
      assert.match(run.stderr, level === "L2" ? /PermissionError/ : /FileNotFoundError/);
    }
  });
});

sandboxTest("sandbox run escapes what would move the cursor", async () => {
  await withProject([], async (project) => {
    project.write("a.py", "print('\\x1b[2Jgone\\u202e')");
    const { code, out, err } = await project.sluice("sandbox", "run", "a.py");
    assert.deepEqual([code, out.trimEnd()], [0, "\\u001b[2Jgone\\u202e"]);
    assert.match(err, /^ok \(exit 0\) at level L[23]: \d+ ms wall, \d+ ms CPU, \d+ KiB\n$/);
  });
});

Deno.test("sandbox run refuses what is no file, no level and no limit, with status 2", async () => {
  await withProject([], async (project) => {
    project.write("a.py", "");
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [["b.py"], /Cannot run b\.py: there is no such file/],
      [["."], /Cannot run \.: it is not a file/],
      [["a.py", "--level", "L9"], /Allowed choices are L2, L3/],
      [["a.py", "--cpu", "0"], /Cannot use --cpu 0: wanted a whole number from 1 to/],
      [["a.py", "--memory", "9999999"], /Cannot use --memory 9999999: .* to 1048576/],
      [["a.py", "--memory", "NaN"], /Cannot use --memory NaN/],
      [["a.py", "--wall", "-3"], /Cannot use --wall -3/],
      [["a.py", "--wall", "1e99"], /Cannot use --wall 1e99/],
    ];
    for (const [args, message] of wrong) {
      const { code, err } = await project.sluice("sandbox", "run", ...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(err, message);
    }
  });
});

sandboxTest("an interpreter that is not there ends with status 3 and a remedy", async () => {
  await withProject([], async (project) => {
    project.write("a.py", "");
    const { code, err } = await project.sluice("sandbox", "run", "a.py", "--python", "/no/python");
    assert.equal(code, 3);
    assert.match(err, /there is no \/no\/python\n {2}mend: install it/);
  });
});

Deno.test("doctor names every layer, and a remedy for each that is missing", async () => {
  await withProject([], async (project) => {
    const { code, out } = await project.sluice("doctor", "--json");
    assert.equal(code, 0);
    const findings = JSON.parse(out) as { part: string; ok: boolean; remedy: string }[];
    const parts = findings.map(({ part }) => part);
    assert.ok(parts.includes("sandbox: launcher") && parts.includes("engine worker"));
    assert.deepEqual(findings.filter(({ ok, remedy }) => !ok && remedy === ""), []);
  });
});

Deno.test("sluice doctor fits 80 columns", async () => {
  await withProject([], async (project) => {
    const { out } = await project.sluice("doctor");
    const long = out.split("\n").filter((line) =>
      line.length > 80 && /\s\S+\s/.test(line.slice(24))
    );
    assert.deepEqual(long, []);
    assert.match(out, /^✓ {2}deno {17}2\./m);
  });
});

Deno.test("sluice run demands a level by its name: another word is refused with status 2", async () => {
  await withProject([], async (project) => {
    for (
      const [level, said] of [["L9", /Allowed choices are L1, L2, L3/], [undefined, /missing/]]
    ) {
      const args = level === undefined ? ["--level"] : ["--level", `${level}`];
      const { code, err } = await project.sluice("run", "p.toml", ...args);
      assert.equal(code, 2);
      assert.match(err, said as RegExp);
    }
  });
});
