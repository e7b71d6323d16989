/** Every built-in executor says who it is, and opens what it has a digest of; planted ones that do not are red. */
import assert from "node:assert/strict";
import type { BuiltInExecutor } from "../../src/executor/front_ends/front_end.ts";
import { builtInExecutors, executorNames } from "../../src/executor/front_ends/mod.ts";

/** An executor without a front end is the engine's own reader: it has neither a digest nor a process. */
function checkExecutor({ name, digest, open }: BuiltInExecutor): void {
  assert.match(name, /^[a-z][a-z0-9_]*$/);
  assert.equal(digest === undefined, open === undefined, "a digest of what is opened, or neither");
  if (digest) assert.match(digest(), /^[0-9a-f]{64}$/);
}

for (const [name, executor] of builtInExecutors) {
  Deno.test(`the executor ${name} keeps the laws of executors`, () => {
    assert.equal(executor.name, name);
    checkExecutor(executor);
  });
}

Deno.test("one executor reads by the engine itself, and is the default; each has a digest of its own", () => {
  const own = [...builtInExecutors.values()].filter(({ digest }) => !digest);
  assert.deepEqual(own.map(({ name }) => name), executorNames.slice(0, 1));
  const digests = [...builtInExecutors.values()].map(({ digest }) => digest?.());
  assert.equal(new Set(digests).size, digests.length);
});

Deno.test("an executor with a digest and nothing to open breaks a law", () => {
  const digest = () => "0".repeat(64);
  assert.throws(() => checkExecutor({ name: "planted", digest }), /or neither/);
  const open = () => Promise.reject(new Error("not opened"));
  assert.throws(() => checkExecutor({ name: "planted", open }), /or neither/);
  assert.throws(() => checkExecutor({ name: "planted", open, digest: () => "1" }), /match/);
});
