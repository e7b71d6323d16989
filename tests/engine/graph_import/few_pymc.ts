/** Real PyMC in its sandbox, a little of everything; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { refusePython } from "../../../src/executor/pymc/allowed_python.ts";
import { PymcFrontEnd } from "../../../src/executor/pymc/front_end.ts";
import { runPython } from "../../../src/sandbox/run_python.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
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
    checkProgram(program, dataset, undefined, { rows: "ordered" }),
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

const awkward: readonly (readonly [name: string, text: string, code: string, says: RegExp])[] = [
  ["of 10 MB", `${honest}# ${"x".repeat(1e7)}`, "syntax/python", /more than 65536 bytes/],
  ["of zero bytes", "\0".repeat(10_000), "syntax/python", /null bytes/],
  ["in 10^5 parentheses", `x = ${"(".repeat(1e5)}1${")".repeat(1e5)}`, "syntax/python", /65536/],
  ["in 30,000 parentheses", `x = ${"(".repeat(3e4)}1${")".repeat(3e4)}`, "syntax/python", /nested/],
  ["of 60,000 signs", `x = ${"-".repeat(6e4)}1`, "names/python-exception", /nested too deeply/],
  ["of nothing", "", "names/no-model", /it has no model/],
];

Deno.test("texts that are too long, too deep or nothing are refused by name, none breaks Python", async () => {
  const ends = await Promise.all(awkward.map(async ([name, text, code, says]) => {
    const result = await frontEnd.extract(text, datasets.measured);
    if (!("execution" in result)) return `${name}: a graph`;
    const [{ code: found, message }] = result.execution.diagnostics;
    return found === code && says.test(message) ? "" : `${name}: ${found}: ${message}`;
  }));
  assert.deepEqual(ends.filter((text) => text !== ""), []);
});

Deno.test("what one program leaves behind does not reach the next", async () => {
  const cold = await frontEnd.extract(observer, datasets.measured);
  await frontEnd.extract(leaks, datasets.measured);
  const after = await frontEnd.extract(observer, datasets.measured);
  assert.ok("graph" in cold && "graph" in after, JSON.stringify([cold, after]).slice(0, 400));
  assert.deepEqual(after.graph, cold.graph);
});

Deno.test("at level L2, where nothing can be written, PyMC builds the same graph", async () => {
  const root = new URL("../../../", import.meta.url).pathname;
  const sandbox = { level: () => Promise.resolve("L2" as const), run: runPython };
  const below = new PymcFrontEnd({ root, slots: 1, refuse: refusePython, sandbox });
  const [l2, l3] = [
    await below.extract(honest, datasets.measured),
    await frontEnd.extract(honest, datasets.measured),
  ];
  assert.ok("graph" in l2 && "graph" in l3, JSON.stringify([l2, l3]).slice(0, 400));
  assert.equal(l2.level, "L2");
  assert.deepEqual(l2.graph, l3.graph);
});
