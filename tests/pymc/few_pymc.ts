/** Real PyMC in its sandbox, a little of everything; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { PymcFrontEnd } from "../../src/exec/pymc/front_end.ts";
import { runPython } from "../../src/exec/sandbox/run_python.ts";
import { checkProgram } from "../../src/lang/check.ts";
import { readExtraction } from "../../src/pymc/read_extraction.ts";
import { checkExtraction } from "../../src/pymc/to_program.ts";
import { leaks, observer } from "../integrity/leakage.ts";
import { datasets, honest } from "../integrity/lh_catalogue.ts";
import { frontEnd, surprises, tried } from "../integrity/through_pymc.ts";
import { type SharedProgram, sharedPrograms } from "./programs.ts";
import { structureDifference } from "./structure.ts";

function everyNth<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, k) => items[Math.floor(k * items.length / count)]);
}

/** An empty text if PyMC and the engine's parser read one program, with constants within 4 ulp. */
async function difference({ name, program, dataset }: SharedProgram): Promise<string> {
  const result = await frontEnd.extract(program, dataset);
  if ("execution" in result) return `${name}: ${result.execution.diagnostics[0].message}`;
  const read = readExtraction(result.graph);
  if (read.kind !== "model") return `${name}: ${JSON.stringify(read).slice(0, 200)}`;
  const [extracted, native] = [
    checkExtraction(read.extraction, dataset),
    checkProgram(program, dataset),
  ];
  assert.ok(extracted.ok && native.ok, name);
  const found = structureDifference(native.program, extracted.program, dataset, 4);
  return found && `${name}: ${found}`;
}

Deno.test("through PyMC, one in four attempts ends as the catalogue says", async () => {
  assert.deepEqual(await surprises(everyNth(tried, 14)), []);
});

Deno.test("PyMC builds the programs that the engine's parser reads", async () => {
  const found = await Promise.all(everyNth(sharedPrograms(), 10).map(difference));
  assert.deepEqual(found.filter((text) => text !== ""), []);
});

Deno.test("what one program leaves behind does not reach the next", async () => {
  const cold = await frontEnd.extract(observer, datasets.measured);
  await frontEnd.extract(leaks, datasets.measured);
  const after = await frontEnd.extract(observer, datasets.measured);
  assert.ok("graph" in cold && "graph" in after, JSON.stringify([cold, after]).slice(0, 400));
  assert.deepEqual(after.graph, cold.graph);
});

Deno.test("at level L2, where nothing can be written, PyMC builds the same graph", async () => {
  const root = new URL("../../", import.meta.url).pathname;
  const sandbox = { level: () => Promise.resolve("L2" as const), run: runPython };
  const below = new PymcFrontEnd({ root, slots: 1, sandbox });
  const [l2, l3] = [
    await below.extract(honest, datasets.measured),
    await frontEnd.extract(honest, datasets.measured),
  ];
  assert.ok("graph" in l2 && "graph" in l3, JSON.stringify([l2, l3]).slice(0, 400));
  assert.equal(l2.level, "L2");
  assert.deepEqual(l2.graph, l3.graph);
});
