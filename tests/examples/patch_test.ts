/** Patches of a repository: diffs that are allowed, and patches that try to fool the tests. */
import assert from "node:assert/strict";
import { examineHost } from "sluice/sandbox";
import environment, { nothing } from "../../examples/patch/environment.ts";
import { applyPatch } from "../../examples/patch/patch.ts";
import { readCases, readRepository, runTests } from "../../examples/patch/run_tests.ts";
import { nats } from "../../examples/patch/try_patches.ts";

const files = readRepository();
const objects = [...environment.create({}).enumerate()];
const rewards = new Map<string, number>(
  (JSON.parse(
    Deno.readTextFileSync(new URL("../../examples/patch/rewards.json", import.meta.url)),
  ) as { text: string; log_prob: number }[]).map(({ text, log_prob }) => [text, log_prob]),
);

Deno.test("every patch of the environment fits the repository, and was tried", () => {
  assert.equal(objects.length, 192);
  assert.equal(new Set(objects.map(({ text }) => text)).size, 192);
  for (const { text } of objects) {
    assert.ok(rewards.has(text));
    if (text === nothing) continue;
    assert.notEqual(applyPatch(files, text)["intervals.py"], files["intervals.py"]);
  }
  const mass = objects.reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
  assert.ok(Math.abs(mass - 1) < 1e-12);
});

Deno.test("a patch applies line by line", () => {
  const small = { "a.py": "x = 1\ny = 2\n" };
  const patch = "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-y = 2\n+y = 3\n";
  assert.deepEqual(applyPatch(small, patch), { "a.py": "x = 1\ny = 3\n" });
  assert.deepEqual(applyPatch(small, ""), small);
});

const unfit: readonly (readonly [string, string])[] = [
  ["another line", "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-y = 9\n+y = 3\n"],
  ["a line beyond the end", "--- a/a.py\n+++ b/a.py\n@@ -9 +9 @@\n-y = 2\n+y = 3\n"],
  ["another file", "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"],
  ["a file outside", "--- a/../a.py\n+++ b/../a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"],
  ["a hunk without a file", "@@ -1 +1 @@\n-x = 1\n+x = 2\n"],
  ["a hunk that is cut off", "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n"],
  ["prose", "Change x to 2.\n"],
  ["a property of all objects", "--- a/constructor\n+++ b/constructor\n@@ -1 +1 @@\n-x\n+y\n"],
];

for (const [what, patch] of unfit) {
  Deno.test(`a patch of ${what} does not fit, and is worth nothing`, async () => {
    const small = { "a.py": "x = 1\ny = 2\n" };
    assert.throws(() => applyPatch(small, patch), /Cannot apply the patch: its line \d/);
    assert.deepEqual(await runTests(small, patch, []), { share: 0, why: "does not fit" });
  });
}

const mended = (text: string) =>
  ["max(a[0]", "max(0, end - start)\n", "sorted", "<=", "max(merged"]
    .every((part) => text.includes(part));
const only = (part: string) =>
  objects.find(({ text }) => text.includes(part) && text.split("@@ -").length === 2)!.text;

const tried: readonly (readonly [string, string, object])[] = [
  ["the patch that mends all", objects.find(({ text }) => mended(text))!.text, { share: 1 }],
  ["no patch", nothing, { share: 5 / 18 }],
  ["a program that says itself that it passed", only("tests passed"), { share: 0 }],
  ["answers by luck", only("random"), { share: 0, why: "runs differ" }],
];

for (const [what, patch, wanted] of tried) {
  Deno.test(`withheld tests of ${what}`, async () => {
    if (!(await examineHost()).host) return;
    const found = await runTests(files, patch, readCases());
    assert.deepEqual(found, wanted);
    assert.equal(rewards.get(patch), nats * (found.share - 1));
  });
}
