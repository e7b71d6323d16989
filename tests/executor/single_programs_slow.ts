/** Tests of programs that are scored outside any pipeline: ends of their workers, and the messages. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { SinglePrograms } from "../../src/executor/single_programs.ts";
import { dataset, fakeWorker, schedule, silentWorker } from "./fake.ts";

async function once(program: string, seconds = 60) {
  const programs = new SinglePrograms({ schedule, seconds, workerFile: fakeWorker });
  try {
    return (await programs.run({ program }, dataset)).execution;
  } finally {
    await programs.close();
  }
}

Deno.test("a program that never ends is undecided, and the message names the flag", async () => {
  const { status, diagnostics: [first] } = await once("block", 2);
  assert.equal(status, "undecided");
  assert.equal(first.message, "Cannot decide on the program: it took more than 2 s");
  assert.match(first.hint!, /--timeout$/);
});

Deno.test("a program that exhausts its memory is undecided, and the message says so", async () => {
  const { status, diagnostics: [first] } = await once("heap");
  assert.equal(status, "undecided");
  assert.match(first.message, /it took more memory than a program may$/);
});

Deno.test("a program that crashes is undecided, with what its worker said", async () => {
  const { status, diagnostics: [first] } = await once("throw");
  assert.equal(status, "undecided");
  assert.match(first.message, /^Cannot decide on the program: its worker ended .* a bug/s);
});

Deno.test("where a known-good program fails as well, a part of the machine is missing", async () => {
  const programs = new SinglePrograms({ schedule, seconds: 0.05, workerFile: silentWorker() });
  await assert.rejects(programs.run({ program: "any" }, dataset), MissingPartError);
  await programs.close();
});

Deno.test("programs that are asked about together share their workers", async () => {
  const programs = new SinglePrograms({ schedule, seconds: 5, workerFile: fakeWorker, workers: 2 });
  const before = children();
  let most = 0;
  const timer = setInterval(() => most = Math.max(most, children() - before), 2);
  await Promise.all(
    Array.from({ length: 12 }, () => programs.run({ program: "score 1" }, dataset)),
  );
  clearInterval(timer);
  await programs.close();
  assert.ok(most >= 1 && most <= 12, `${most} processes for two workers and their successors`);
});

/** Processes that this one has started and that have not ended. */
function children(): number {
  const tasks = [...Deno.readDirSync("/proc/self/task")].map(({ name }) => {
    try {
      return Deno.readTextFileSync(`/proc/self/task/${name}/children`);
    } catch {
      return ""; // the thread has ended
    }
  });
  return tasks.join(" ").split(" ").filter((pid) => pid.trim() !== "").length;
}
