/** Exports as `wandb sync` sends them, to a stub. Needs SLUICE_PYTHON, an interpreter with wandb 0.31. */
import assert from "node:assert/strict";
import { exportWandb } from "../../src/experiments/trackers/wandb.ts";
import { temporaryFolder } from "../temporary_folder.ts";

/** Answers of the server that a sync asks for, and the lines of history that came. */
function stub() {
  const lines: { readonly run: string; readonly line: Record<string, unknown> }[] = [];
  const runs: string[] = [];
  const server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const text = await request.text().catch(() => "");
    if (request.url.endsWith("/graphql")) return Response.json({ data: answer(text, runs) });
    const sent = request.url.endsWith("/file_stream") ? JSON.parse(text).files ?? {} : {};
    const run = /sluice\/([^/]+)\/file_stream/.exec(request.url)?.[1] ?? "";
    for (const line of sent["wandb-history.jsonl"]?.content ?? []) {
      lines.push({ run, line: JSON.parse(line.replaceAll("NaN", "null")) });
    }
    return Response.json({});
  });
  return { server, lines, runs };
}

function answer(text: string, runs: string[]) {
  const { query, variables = {} } = JSON.parse(text);
  const name = String(variables.name ?? "r");
  if (/UpsertBucket/.test(query) && variables.config) runs.push(`${name} ${variables.config}`);
  const project = { id: "p", name: "sluice", entity: { id: "e", name: "me" } };
  const bucket = {
    ...{ id: "x", name, displayName: variables.displayName ?? "", description: "", config: "{}" },
    ...{ sweepName: null, project, historyLineCount: 0, logLineCount: 0, eventsLineCount: 0 },
    ...{ summaryMetrics: "{}", historyTail: "[]", eventsTail: "[]" },
  };
  const viewer = { id: "u", entity: "me", username: "me", flags: "{}", teams: { edges: [] } };
  return {
    ...{ viewer, upsertBucket: { bucket, inserted: true }, model: { bucket } },
    createRunFiles: { runID: "x", uploadHeaders: [], files: [] },
    serverInfo: { cliVersionInfo: {}, latestLocalVersionInfo: null, features: [] },
  };
}

Deno.test("wandb sync sends every point of every run, records beyond a block among them", async () => {
  const folder = temporaryFolder();
  const indices = Array.from({ length: 400 }, (_, i) => i);
  const numbers = {
    steps: indices.map((i) => i + 1),
    values: indices.map((i) => i === 7 ? NaN : i / 4),
    walls: indices.map((i) => 1_700_000_000 + i),
  };
  const all = ["0", "1"].flatMap((instance) =>
    ["train/tb_loss", "eval/kl_reverse"].map((tag) => ({ run: "R", instance, tag, ...numbers }))
  );
  const long = Object.fromEntries(
    Array.from({ length: 900 }, (_, i) => [`stages.s${i}.some_key_of_a_stage`, `"value ${i}"`]),
  );
  const written = exportWandb(folder, all, () => "point 3", new Map([["R", long]]));
  assert.equal(written, 1600);
  const { server, lines, runs } = stub();
  const python = Deno.env.get("SLUICE_PYTHON") ?? "python3";
  const folders = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`);
  assert.equal(folders.length, 2);
  const { success, stderr } = await new Deno.Command(python, {
    args: ["-m", "wandb", "sync", ...folders],
    cwd: temporaryFolder(),
    env: {
      WANDB_BASE_URL: `http://127.0.0.1:${server.addr.port}`,
      WANDB_API_KEY: "0".repeat(40),
      WANDB_ERROR_REPORTING: "false",
    },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  await server.shutdown();
  assert.ok(runs.some((one) => one.includes("stages.s899.some_key_of_a_stage")), "parameters");
  const sent = [...Map.groupBy(lines, ({ run }) => run).values()];
  assert.equal(sent.length, 2);
  for (const some of sent) {
    const own = new Map(some.map(({ line }) => [Number(line._step), line]));
    assert.deepEqual(
      [...own.keys()].toSorted((a, b) => a - b),
      Array.from(Array(400), (_, i) => i + 1),
    );
    assert.deepEqual([own.get(21)!["train/tb_loss"], own.get(21)!["eval/kl_reverse"]], [5, 5]);
  }
});
