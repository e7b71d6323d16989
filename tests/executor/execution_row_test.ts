/** Tests that an executed program becomes a row that the store takes, every column of it filled. */
import assert from "node:assert/strict";
import { sha256 } from "../../src/base/digest.ts";
import { executionRow, programRow } from "../../src/executor/execution_row.ts";
import { RunStore } from "../../src/pipeline/store/run_store.ts";
import { columnsOf } from "../../src/pipeline/store/schema.ts";
import { ulid } from "../../src/pipeline/basics/ulid.ts";
import { inFolder } from "../pipeline/store/folder.ts";

const score = {
  ...{ elpdLoo: -1.5, elpdReward: -1.7, looMethod: "psis_refit", unit: "row" } as const,
  ...{
    unresolved: [],
    elpdRaw: -1.6,
    literals: -2,
    logMarginalLikelihood: -3,
    evidenceMcse: 0.1,
    se: 0.5,
    pLoo: 2,
    mcse: 0.05,
    goodK: 0.7,
  },
  ...{ elpdPointwise: [-1, -0.5], paretoK: [0.1, Infinity], exactRefits: [1], cappedPoints: 0 },
  ...{ rhatMax: 1.001, essBulkMin: 400, divergences: 0, gradients: 1000, params: {} },
  ...{ chains: 4, tune: 200, draws: 125 },
};

Deno.test("executionRow() fills every column of the table except the run's", async () => {
  const named = { engine: "native", engineVersion: "1", programHash: "g", failureClass: "-" };
  const outcome = { status: "ok" as const, ...named, score, diagnostics: [] };
  const cost = { wallMs: 1.5, cpuMs: 1, maxRssKib: 2, level: "L2" as const };
  const attestation = "a";
  const source = { data: "d", engine: "e", schedule: "s" };
  const row = executionRow("x = 1\n", { outcome, memo: false, attestation, ...cost }, source);
  const columns = Object.keys(columnsOf("execution")).filter((name) => name !== "run_id");
  assert.deepEqual(Object.keys(row).sort(), columns.sort());
  assert.ok(Object.values(row).every((value) => value !== undefined));
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    store.append("execution", [row], { stage: "train.execute", step: 1 });
    store.append("program", [programRow("x = 1\n", -2, "g")], { stage: "train.execute" });
    const sql = "select e.elpd_loo, e.pareto_k, p.text, p.log_prior from execution e " +
      "join program p on p.sha256 = e.program";
    assert.deepEqual(await store.select(sql), [[-1.5, [0.1, Infinity], "x = 1\n", -2]]);
    await store.close();
  });
  assert.equal(row.program, sha256("x = 1\n"));
});
