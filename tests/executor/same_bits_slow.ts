/** The bundled engine gives the same bits under Deno and Node, at every level of V8's compilers. */
import assert from "node:assert/strict";
import { datasetToJson, makeDataset } from "../../src/base/dataset.ts";
import { decodeExecution, encodeExecution } from "../../src/executor/execution_json.ts";
import { FrameReader, FrameWriter } from "../../src/base/frames.ts";
import { WorkerPool } from "../../src/executor/pool.ts";
import { workerPath } from "../../src/executor/engine_file.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";

const rows = 10;
const x = Float64Array.from({ length: rows }, (_, i) => i / 4 - 1.25);
const counts = Float64Array.from({ length: rows }, (_, i) => (i * i) % 7 + (i === 8 ? 15 : 0));
const dataset = makeDataset("counts", [
  { name: "x", role: "predictor", type: "real", values: x },
  { name: "n", role: "response", type: "count", values: counts },
]);
const schedule = { ...defaultSchedule, tune: 50, draws: 50, targetMcse: 10, maxMcse: 100 };

const model = (...lines: readonly string[]): string =>
  `import pymc as pm\n\nwith pm.Model() as model:\n${
    lines.map((line) => `    ${line}\n`).join("")
  }`;

/** Logarithms, gamma and trigonometric functions, refits, an integrated latent, vectors, a failure. */
const programs = [
  model(
    'a = pm.Normal("a", 1, 1)',
    'b = pm.StudentT("b", 4, 0, 1)',
    'n = pm.Poisson("n", pm.math.exp(a + b * pm.math.sin(data["x"])), observed=data["n"])',
  ),
  model(
    'm = pm.Gamma("m", 2, 0.5)',
    'r = pm.HalfCauchy("r", 2)',
    'n = pm.NegativeBinomial("n", mu=m * pm.math.sigmoid(data["x"]), alpha=r, observed=data["n"])',
  ),
  model(
    's = pm.HalfNormal("s", 0.5)',
    'z = pm.Normal("z", 0, 1, shape=10)',
    'n = pm.Poisson("n", pm.math.exp(1 + s * z), observed=data["n"])',
  ),
  model(
    'w = pm.Dirichlet("w", a=[1, 1, 1])',
    'p = pm.Beta("p", 2, 2)',
    'm = pm.LogNormal("m", 1, 0.5)',
    'n = pm.ZeroInflatedPoisson("n", p, m * w[0] * pm.math.tanh(2 + data["x"]) + w[1], observed=data["n"])',
  ),
  model('n = pm.Normal("n", nonsense, 1, observed=data["n"])'),
];

/** A worker's answers, one text for each program. */
async function answersOf(command: string, args: readonly string[]): Promise<string[]> {
  const process = new Deno.Command(command, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = new FrameWriter(process.stdin);
  const reader = new FrameReader(process.stdout);
  const next = async () => {
    const read = await reader.read();
    assert.equal(read.kind, "frame", `${command} ${args.join(" ")}: ${JSON.stringify(read)}`);
    return (read as { frame: { json: Record<string, unknown> } }).frame.json;
  };
  assert.equal((await next()).kind, "hello");
  await writer.write({ kind: "setup", dataset: datasetToJson(dataset), schedule, cpuMs: 600_000 });
  const answers: string[] = [];
  for (const [id, program] of programs.entries()) {
    await writer.write({ kind: "job", id, program });
    const { kind, message, execution } = await next();
    assert.equal(kind, "result", String(message));
    answers.push(JSON.stringify(encodeExecution(decodeExecution(execution)!))); // one order of keys
  }
  await writer.close();
  await process.status;
  return answers;
}

async function withPool(workers: number): Promise<string[]> {
  const pool = new WorkerPool({ dataset, schedule, workers });
  try {
    const done = await Promise.all(programs.map((program) => pool.execute({ program })));
    return done.map(({ execution }) => JSON.stringify(encodeExecution(execution!)));
  } finally {
    await pool.close();
  }
}

/** By name, flags of V8 that change which of its compilers make the code. */
const levels = {
  "as it comes": [],
  "no optimiser": ["--no-opt", "--liftoff", "--no-wasm-tier-up"],
  "WebAssembly by the optimiser alone": ["--no-liftoff", "--no-wasm-tier-up"],
};

Deno.test("the bundled worker gives the same bits whatever runs it", async (test) => {
  const one = await withPool(1);
  const statuses = one.map((text) => JSON.parse(text).status);
  assert.deepEqual(statuses, ["ok", "ok", "ok", "ok", "rejected"]);

  await test.step("4 workers", async () => assert.deepEqual(await withPool(4), one));

  for (const [name, flags] of Object.entries(levels)) {
    await test.step(`Deno, ${name}`, async () => {
      const v8 = flags.length > 0 ? [`--v8-flags=${flags.join(",")}`] : [];
      const args = ["run", "--no-prompt", "--no-config", ...v8, workerPath()];
      assert.deepEqual(await answersOf(Deno.execPath(), args), one);
    });
  }

  const folder = await Deno.makeTempDir();
  const module = `${folder}/worker.mjs`; // Node takes .js for CommonJS
  await Deno.copyFile(workerPath(), module);
  const shim = new URL("./node_worker.mjs", import.meta.url).pathname;
  for (const [name, flags] of Object.entries(levels)) {
    await test.step(`Node, ${name}`, async () => {
      assert.deepEqual(await answersOf("node", [...flags, shim, module]), one);
    });
  }
  await Deno.remove(folder, { recursive: true });
});
