/** Every file of tests is run by a task: `_test.ts` by `test`, `_slow.ts` by `test:slow`, others by name. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home, read } from "./markdown.ts";

const tasks: Readonly<Record<string, string>> = JSON.parse(read("deno.json")).tasks;

/** Files below `tests` that register a test of their own. */
function filesWithTests(): string[] {
  const names = readdirSync(join(home, "tests"), { recursive: true }) as string[];
  return names.filter((name) => name.endsWith(".ts")).map((name) => `tests/${name}`)
    .filter((file) => /^(Deno\.test|sandboxTest)\(/m.test(readFileSync(join(home, file), "utf8")));
}

/** The tasks that run a file. */
function tasksOf(file: string): string[] {
  if (file.endsWith("_test.ts")) return ["test"];
  if (file.endsWith("_slow.ts")) return ["test:slow"];
  return Object.keys(tasks).filter((task) => tasks[task].split(" ").includes(file));
}

Deno.test("no file of tests is forgotten by all tasks, and CI runs the quick and the slow ones", () => {
  const files = filesWithTests();
  assert(files.length > 200);
  assert.deepEqual(files.filter((file) => tasksOf(file).length === 0), []);
  const ci = readFileSync(join(home, ".ci/run"), "utf8");
  for (const task of ["test", "test:slow", "test:pack"]) {
    assert.match(ci, new RegExp(`^ *tests ${task}$`, "m"));
  }
});

Deno.test("tasks of tests that CI leaves out are listed for a release", () => {
  const [ci, contributing] = [readFileSync(join(home, ".ci/run"), "utf8"), read("CONTRIBUTING.md")];
  const named = Object.keys(tasks).filter((task) => /^(test|contract):/.test(task));
  const left = named.filter((task) => !new RegExp(`^ *tests ${task}$`, "m").test(ci));
  assert(left.length > 5);
  assert.deepEqual(left.filter((task) => !contributing.includes(`\`${task}\``)), []);
});

Deno.test("each area has a quick test but those that are slow by nature", () => {
  const areas = readdirSync(join(home, "tests"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const none = areas.filter((area) =>
    !filesWithTests().some((file) => file.startsWith(`tests/${area}/`) && file.endsWith("_test.ts"))
  );
  assert.deepEqual(none, ["golden", "long", "pack", "public", "python", "reproducibility"]);
});

/** Sets a variable that attacks look for; it is the same for all files, and stays. */
const ofAttacks = "tests/sandbox/host_fixture.ts";

Deno.test("no test changes variables or the folder of the process that runs tests beside it", () => {
  const names = readdirSync(join(home, "tests"), { recursive: true }) as string[];
  const changes = names.filter((name) => name.endsWith(".ts")).map((name) => `tests/${name}`)
    .filter((file) => /Deno\.(env\.(set|delete)|chdir)\(/.test(read(file)));
  assert.deepEqual(changes, [ofAttacks]);
});
