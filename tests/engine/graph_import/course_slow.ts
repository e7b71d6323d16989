/** Programs of a course: the engine reads the graphs that real PyMC builds, and both doors agree. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { disagreement } from "../../../src/engine/score/graph_agreement.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
import { printProgram } from "../../../src/engine/score/print_program.ts";
import { refusePython } from "../../../src/executor/pymc/allowed_python.ts";
import { coursePrograms } from "./course_programs.ts";

/** Made by tools/golden/course_graphs.py; the file names versions. */
const golden: { readonly graphs: readonly { name: string; graph: Record<string, unknown> }[] } =
  JSON.parse(Deno.readTextFileSync(new URL("../../golden/course_graphs.json", import.meta.url)));
const graphs = new Map(golden.graphs.map(({ name, graph }) => [name, graph]));
const programs = coursePrograms();

/** Programs that both doors must refuse: a term moves their score without explaining the data. */
const forbidden = ["normal: a potential", "normal: minibatches"];
/** Programs that PyMC builds with an operation that the graph lacks. */
const lacking = ["normal: a matrix inverse in the mean"];
/** Programs that the native reader refuses by name: classes, and functions where NumPy and pandas differ. */
const notNative = [
  "normal: standardised predictors with pm.Data and dims",
  "normal: mean of a helper model class",
];

Deno.test("of 62 programs of a course, all that may be scored but one go through PyMC", () => {
  assert.equal(programs.length, 62);
  const missing = programs.filter(({ name, dataset }) => {
    const read = readExtraction(graphs.get(name));
    return read.kind !== "model" || !checkExtraction(read.extraction, dataset).ok;
  });
  const names = missing.map(({ name }) => name).sort();
  assert.deepEqual(names, [...forbidden, ...lacking].sort());
});

Deno.test("what the door lacks is named, with its line and what to write instead", () => {
  const graph = graphs.get(lacking[0])!;
  assert.match(String(graph.unsupported), /^the operation MatrixInverse of PyTensor in line 5/);
  assert.match(String(graph.hint), /pm\.MvNormal/);
  assert.deepEqual(forbidden.map((name) => graphs.get(name)!.rule), [
    "lh/potential",
    "lh/rescaled-likelihood",
  ]);
});

Deno.test("all of them may run, and all that both doors read is one posterior", () => {
  const refused = programs.filter(({ program }) => refusePython(program));
  assert.deepEqual(refused.map(({ name }) => name), []);
  const unlike: string[] = [];
  let both = 0;
  for (const { name, program, dataset } of programs) {
    const native = checkProgram(program, dataset);
    const barred = [...forbidden, ...lacking, ...notNative].includes(name);
    assert.equal(native.ok, !barred, name);
    if (!native.ok) continue;
    both++;
    const read = readExtraction(graphs.get(name));
    assert.ok(read.kind === "model");
    const built = checkExtraction(read.extraction, dataset);
    assert.ok(built.ok);
    const found = disagreement(built.program, program, dataset);
    if (found) unlike.push(`${name}: ${found.message}`);
  }
  assert.deepEqual(unlike, []);
  assert.equal(both, 57);
});

Deno.test("all that the native reader takes are printed as themselves", () => {
  const failed = programs.flatMap(({ name, program, dataset }) => {
    const checked = checkProgram(program, dataset);
    if (!checked.ok) return [];
    const printed = printProgram(checked.program, dataset);
    if (!printed.ok) return [`${name}: ${printed.what}`];
    return printed.proof.kind === "same" ? [] : [`${name}: ${JSON.stringify(printed.proof)}`];
  });
  assert.deepEqual(failed, []);
});
