/** The last program of every space of the cases, as the file that is written of it, for real PyMC. */
import assert from "node:assert/strict";
import { dataFiles } from "../../../src/cli/data_files.ts";
import { standaloneProgram } from "../../../src/cli/standalone_program.ts";
import { printGraph } from "../../../src/engine/print/printed_graph.ts";
import { checkProgram } from "../../../src/engine/pymc/check.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import { spaceCases } from "./cases.ts";

/** One file of each space, with its graph. */
export function printedSpaces() {
  return spaceCases.map(({ spec, dataset, options }) => {
    const objects = [...grammarEnvironment(spaceGrammar(dataset, spec)).enumerate()];
    const { text, features } = objects[objects.length - 1];
    const checked = checkProgram(text, dataset, undefined, options);
    assert.ok(checked.ok, `${text}\n${JSON.stringify(checked)}`);
    const { program } = checked;
    const facts = { text, features, target: 0.5, elpd_loo: null, se: null };
    const hashed = { ...facts, canonical_hash: program.hash };
    const file = standaloneProgram(hashed, dataset, printGraph(program, dataset));
    const name = `${spec.space} of ${dataset.name}: ${features.join(", ")}`;
    return { name, program, dataset, options, file, data: dataFiles(dataset) };
  });
}

/** What tools/golden/printed_programs.py reads. */
if (import.meta.main) {
  const jobs = printedSpaces().map(({ name, file, data, program }) => {
    const names = program.parameters.map((one) => one.name);
    return { name, file, names, data: Object.fromEntries(data) };
  });
  console.log(JSON.stringify(jobs));
}
