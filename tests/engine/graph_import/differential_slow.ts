/** Programs read by the native parser and extracted from real PyMC are the same programs. */
import assert from "node:assert/strict";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
import { type SharedProgram, sharedPrograms } from "./programs.ts";
import { structureDifference } from "./structure.ts";

/** Made by tools/golden/pymc_graphs.py; the file names versions and command. */
const golden: { readonly version: string; readonly graphs: readonly GoldenGraph[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/pymc_graphs.json", import.meta.url)),
);

interface GoldenGraph {
  readonly name: string;
  readonly graph: unknown;
}

const programs = sharedPrograms();
const graphs = new Map(golden.graphs.map(({ name, graph }) => [name, graph]));

function bothFronts({ name, program, dataset }: SharedProgram): [CheckedProgram, CheckedProgram] {
  const native = checkProgram(program, dataset, undefined, { rows: "ordered" });
  const read = readExtraction(graphs.get(name));
  assert.equal(read.kind, "model", `${name}: ${JSON.stringify(read).slice(0, 200)}`);
  assert.ok(read.kind === "model");
  const extracted = checkExtraction(read.extraction, dataset);
  assert.ok(native.ok, `${name}: ${JSON.stringify(native).slice(0, 300)}`);
  assert.ok(extracted.ok, `${name}: ${JSON.stringify(extracted).slice(0, 300)}`);
  return [native.program, extracted.program];
}

Deno.test("there is a graph of PyMC for each of at least 200 programs", () => {
  assert.ok(programs.length >= 200, `${programs.length}`);
  assert.deepEqual(programs.filter(({ name }) => !graphs.has(name)), []);
});

Deno.test("both front ends give one structure, with constants within 4 ulp", () => {
  for (const program of programs) {
    const [native, extracted] = bothFronts(program);
    assert.equal(structureDifference(native, extracted, program.dataset, 4), "", program.name);
  }
});

Deno.test("both front ends give one hash, except where NumPy folded a power or a logarithm", () => {
  const folded = programs.filter((program) => {
    const [native, extracted] = bothFronts(program);
    return native.hash !== extracted.hash;
  });
  for (const { program } of folded) {
    assert.match(program, /\*\* [34]|np\.|std|sin|cos|log|sqrt|exp/, program);
  }
  assert.ok(folded.length <= programs.length / 10, `${folded.length} of ${programs.length}`);
});
