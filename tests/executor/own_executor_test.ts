/** Executors of the user's: the engine scores the programs that they make; they score none. */
import assert from "node:assert/strict";
import { datasetToJson } from "../../src/base/dataset.ts";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { blindColumns, checkReading, type Reading } from "../../src/executor/define_executor.ts";
import type { ExecutorOptions } from "../../src/executor/executor.ts";
import { executorService } from "../../src/executor/service.ts";
import type { Execution } from "../../src/engine/score/execution/execution.ts";
import type { Row } from "../../src/pipeline/contract/stage.ts";
import { denoLauncher } from "../../src/sandbox/launcher.ts";
import robust from "../../docs/examples/robust_executor.ts";
import { dataset, fakeWorker, limits, schedule } from "./fake.ts";
import { temporaryFolder } from "../temporary_folder.ts";

type Asked = { readonly readings: readonly unknown[]; readonly reader?: object };

/** Has programs executed as a stage would, in a folder of its own; each call is another run. */
async function withService(
  test: (ask: (programs: readonly string[], asked: Asked) => Promise<Answer>) => Promise<void>,
  options: Partial<ExecutorOptions> = {},
): Promise<void> {
  const root = temporaryFolder();
  const base = { root, workers: 1, limits, workerFile: fakeWorker, launcher: denoLauncher };
  const ask = async (programs: readonly string[], { readings, reader = {} }: Asked) => {
    const rows: Row[] = [];
    const append = (table: string, more: readonly Row[]) =>
      void (table === "execution" && rows.push(...more));
    const open = executorService({ ...base, ...options }).open({ warn: () => {} });
    const session = open.session({ append, onProgress: () => {} });
    const by = { name: "mine", level: "L1", digest: "1", ...reader };
    const request = { programs, dataset: datasetToJson(dataset), executor: "mine", schedule };
    const { signal } = new AbortController();
    try {
      const asked = { ...request, reader: by, readings };
      return { executions: await session.answer(asked, signal) as Execution[], rows };
    } finally {
      await open.close();
    }
  };
  try {
    await test(ask);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

type Answer = { readonly executions: readonly Execution[]; readonly rows: readonly Row[] };

const text = (text: string): Reading => ({ kind: "text", text });

Deno.test("the engine scores the text that an executor makes; rows keep the program's own", () =>
  withService(async (ask) => {
    const rejected = { kind: "rejected", message: "it is no song" } as const;
    const { executions, rows } = await ask(["la la", "tut"], {
      readings: [text("score 2"), rejected],
    });
    assert.deepEqual(executions.map(({ status }) => status), ["ok", "rejected"]);
    assert.equal(executions[0].score!.elpdLoo, 2);
    assert.equal(executions[1].diagnostics[0].message, "it is no song");
    assert.deepEqual(rows.map(({ sandbox_level: level }) => level), ["L1", "L1"]);
    assert.equal(new Set(rows.map(({ program }) => program)).size, 2);
  }));

Deno.test("the memo knows a program by what was made of it, and by the executor's digest", () =>
  withService(async (ask) => {
    const memo = async (reading: Reading, reader?: object) => {
      const { executions, rows } = await ask(["la la"], { readings: [reading], reader });
      return [executions[0].score!.elpdLoo, rows[0].memo];
    };
    assert.deepEqual(await memo(text("score 2")), [2, false]);
    assert.deepEqual(await memo(text("score 2")), [2, true]);
    assert.deepEqual(await memo(text("score 3")), [3, false]);
    assert.deepEqual(await memo(text("score 3"), { digest: "2" }), [3, false]);
  }));

Deno.test("no executor of one's own claims more than level L1, and none at L0 reaches a judge", async () => {
  const readings = [text("score 2")];
  await withService(async (ask) => {
    const { rows } = await ask(["la"], { readings, reader: { level: "L3" } });
    assert.equal(rows[0].sandbox_level, "L1");
    const evaluated = ask(["la"], { readings, reader: { level: "L0" } });
    await assert.rejects(evaluated, (error) => {
      assert.ok(error instanceof MissingPartError);
      assert.match(error.message, /asks for level L1 of the sandbox, not L0/);
      return true;
    });
  });
});

Deno.test("what is no reading is refused, a score above all", () =>
  withService(async (ask) => {
    for (const reading of [undefined, {}, { kind: "text" }, { kind: "score", elpdLoo: 100 }]) {
      await assert.rejects(ask(["la"], { readings: [reading] }), /"mine" gave .* no reading/);
    }
    assert.deepEqual(checkReading(text("x"), "mine"), text("x"));
  }));

Deno.test("the executor of the docs reads likelihoods anew, and sees no value of the response", async () => {
  const columns = blindColumns(dataset);
  assert.ok(columns.every(({ role, values }) => (role === "response") === (values === undefined)));
  const program = 'y = pm.Normal("y", mu=mu, sigma=pm.Normal("s", 0, 1), observed=data["y"])';
  assert.deepEqual(
    await robust.read(program, columns),
    text(program.replace('pm.Normal("y", ', 'pm.StudentT("y", nu=4, ')),
  );
});
