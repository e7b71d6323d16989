/** The last program of every space of the cases, as the file that is written of it, for real PyMC. */
import assert from "node:assert/strict";
import { dataFiles } from "../../../src/cli/data_files.ts";
import { standaloneProgram } from "../../../src/cli/standalone_program.ts";
import { printGraph } from "../../../src/engine/score/printed_graph.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { parseFormula } from "../../../src/gfn/spaces/formula/parse.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import { responseColumn } from "../../../src/base/dataset.ts";
import { type SpaceCase, spaceCases } from "./cases.ts";

/** A program of a space, and the file that is written of it. */
export type PrintedSpace = ReturnType<typeof printedSpaces>[number];

/**
 * Log Jacobian that a log density has here and not in PyMC: the density of y is that of log y over y;
 * PyMC observes log y alone. The program of a question `[y | log(y)]` is that of log y.
 */
export function jacobianOf({ dataset, response }: PrintedSpace): number {
  if (!response.by && !response.asked) return 0;
  return -responseColumn(dataset)!.values.reduce((sum, y) => sum + Math.log(y), 0);
}

/** One file of each space, with its graph. */
export function printedSpaces(cases: readonly Omit<SpaceCase, "programs">[] = spaceCases) {
  return cases.map(({ spec, dataset, options }) => {
    const objects = [...grammarEnvironment(spaceGrammar(dataset, spec)).enumerate()];
    const { text, features } = objects[objects.length - 1];
    const checked = checkProgram(text, dataset, undefined, options);
    assert.ok(checked.ok, `${text}\n${JSON.stringify(checked)}`);
    const { program } = checked;
    const facts = { text, features, target: 0.5, elpd_loo: null, se: null };
    const hashed = { ...facts, canonical_hash: program.hash };
    const file = standaloneProgram(hashed, dataset, printGraph(program, dataset));
    const name = `${spec.space} of ${dataset.name}: ${features.join(", ")}`;
    const { response } = parseFormula(spec.formula);
    return { name, program, dataset, options, file, data: dataFiles(dataset), response };
  });
}

/** Writes the input of tools/golden/printed_programs.py. */
if (import.meta.main) {
  const jobs = printedSpaces().map(({ name, file, data, program }) => {
    const names = program.parameters.map((one) => one.name);
    return { name, file, names, data: Object.fromEntries(data) };
  });
  console.log(JSON.stringify(jobs));
}
