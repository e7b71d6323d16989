/** Twelve programs as the files that are written of them, for real PyMC to run. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { dataFiles } from "../../../src/cli/data_files.ts";
import { printGraph } from "../../../src/engine/score/printed_graph.ts";
import { standaloneProgram } from "../../../src/cli/standalone_program.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { sharedPrograms } from "../graph_import/programs.ts";
import { readCases } from "../python/catalogue.ts";

/** Six rows with a predictor, a category and a response; three more are withheld. */
export const six: Dataset = makeDataset(
  "six",
  [
    { name: "x", role: "predictor", type: "real", values: Float64Array.of(0.5, 1, 2, 3, 3.5, 5) },
    {
      ...{ name: "site", role: "group", type: "category", categories: ['bay, "old"', "reef"] },
      values: Float64Array.of(0, 1, 1, 0, 1, 0),
    },
    {
      ...{ name: "y", role: "response", type: "real" },
      values: Float64Array.of(1.5, 2.25, 2, 0.1 + 0.2, 4.5, 4),
    },
  ],
  0,
  {
    rows: 1,
    columns: [
      { name: "x", role: "predictor", type: "real", values: Float64Array.of(7) },
      {
        ...{ name: "site", role: "group", type: "category", categories: ['bay, "old"', "reef"] },
        values: Float64Array.of(1),
      },
      { name: "y", role: "response", type: "real", values: Float64Array.of(3) },
    ],
  },
);

/** A program, its graph, and its files. */
export interface PrintedFiles {
  readonly name: string;
  readonly program: CheckedProgram;
  readonly dataset: Dataset;
  readonly file: string;
  readonly data: ReadonlyMap<string, string>;
}

const shared = ["varying slopes by a Cholesky factor", "stochastic volatility", "ordered categor"];

/** All of them, in a fixed order. */
export function printedPrograms(): PrintedFiles[] {
  const cases = readCases(Deno.readTextFileSync(new URL("./spellings.txt", import.meta.url)));
  const corpus = sharedPrograms();
  const own = cases.filter(({ title }) => title !== "a switchpoint").map(({ title, program }) => {
    return { name: title, text: program, dataset: six };
  });
  const others = shared.map((title) => {
    const { name, program, dataset } = corpus.find((one) => one.name.includes(title))!;
    return { name, text: program, dataset };
  });
  return [...own, ...others].map(({ name, text, dataset }) => {
    const checked = checkProgram(text, dataset, undefined, { rows: "judged" });
    assert.ok(checked.ok, name);
    const { program } = checked;
    const facts = { text, features: [name], target: 0.5, elpd_loo: null, se: null };
    const file = standaloneProgram(
      { ...facts, canonical_hash: program.hash },
      dataset,
      printGraph(program, dataset),
    );
    return { name, program, dataset, file, data: dataFiles(dataset) };
  });
}

/** Writes the input of tools/golden/printed_programs.py. */
if (import.meta.main) {
  const jobs = printedPrograms().map(({ name, file, data, program }) => {
    const names = program.parameters.map((one) => one.name);
    return { name, file, names, data: Object.fromEntries(data) };
  });
  console.log(JSON.stringify(jobs));
}
