/** A target's executor may be the user's: it reads each program once, and is refused if it is none. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { type BlindColumn, defineExecutor } from "../../src/executor/define_executor.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { executePrograms } from "../../stages/common/execute_programs.ts";
import { resolveExecutor } from "../../stages/target/own_executor.ts";
import { fakeContext, threeAnimals } from "./fixtures.ts";

const seen: [string, readonly BlindColumn[]][] = [];
const twice = defineExecutor({
  name: "twice",
  level: "L1",
  digest: "1",
  read(program, columns) {
    seen.push([program, columns]);
    return { kind: "text", text: `${program}${program}` };
  },
});

Deno.test("programs are read once per process, blind to the response, and sent with their readings", async () => {
  const asked: Record<string, unknown>[] = [];
  const context = {
    ...fakeContext(),
    execute: <T>(request: object) => {
      asked.push({ ...request });
      return Promise.resolve([] as T[]);
    },
  };
  const dataset = threeAnimals();
  const environment = environmentNamed("numbers");
  const ours = { executor: "twice", ownExecutor: twice, schedule: defaultSchedule };
  const target = { dataset, environment, ...ours };
  await executePrograms(context, target, { programs: ["a", "b"] });
  await executePrograms(context, target, { programs: ["b"] });
  assert.deepEqual(seen.map(([program]) => program), ["a", "b"]);
  const response = seen[0][1].find(({ role }) => role === "response");
  assert.equal(response?.values, undefined);
  const [first, second] = asked;
  assert.deepEqual(first.reader, { name: "twice", level: "L1", digest: "1" });
  assert.deepEqual(first.readings, [{ kind: "text", text: "aa" }, { kind: "text", text: "bb" }]);
  assert.deepEqual(second.readings, [{ kind: "text", text: "bb" }]);
});

Deno.test("an executor is found by its path; what is none, or is named like a built-in one, is refused", () => {
  const plugins = {
    "/mine.ts": twice,
    "/judge.ts": { name: "x" },
    "/p.ts": { ...twice, name: "pymc" },
  };
  const context = fakeContext({ plugins });
  assert.equal(resolveExecutor("native", context), undefined);
  assert.equal(resolveExecutor("/mine.ts", context), twice);
  for (const [path, why] of [["/judge.ts", /is not an executor/], ["/p.ts", /built-in executor/]]) {
    assert.throws(() => resolveExecutor(path as string, context), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.message, why as RegExp);
      return true;
    });
  }
});
