/** Prints a checked program as a file of PyMC that reads its data, and proves it equal. */
import type { Column, Dataset } from "../../base/dataset.ts";
import { comparedPoints, differenceAtPoints } from "../inference/density/difference_at_points.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { checkProgram } from "../language/pymc/check.ts";
import { isTable } from "../language/print/expressions.ts";
import { stringText } from "../language/print/literals.ts";
import { printModel } from "../language/print/print_model.ts";

/** Proof of a printed text, which the native reader has read back. */
export type Proof =
  /** The same graph, by its canonical hash. */
  | { readonly kind: "same" }
  /** Its graph is another one with the same log densities at so many points. */
  | { readonly kind: "equal"; readonly points: number }
  /** Neither is known. */
  | { readonly kind: "unproven"; readonly why: string };

/** A program as text, with its proof; or the part of the graph that has no text. */
export type PrintedProgram =
  | { readonly ok: true; readonly text: string; readonly proof: Proof }
  | { readonly ok: false; readonly what: string };

/**
 * The program of a graph: imports, the data from `data.csv` (or `data.json`) beside the file, the
 * model. It is read back by the native reader before it is returned.
 *
 * @param program the scored program.
 * @param dataset the data that it was checked against.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { checkProgram } from "../language/pymc/check.ts";
 * import { printProgram } from "./print_program.ts";
 * const values = Float64Array.of(1.5, 2.5, 2.1);
 * const data = makeDataset("d", [{ name: "y", role: "response", type: "real", values }]);
 * const checked = checkProgram(
 *   `with pm.Model():
 *     m = pm.Normal("m", 0, 2)
 *     pm.Normal("y", m, 1, observed=data["y"])`,
 *   data,
 * );
 * assert.ok(checked.ok);
 * const printed = printProgram(checked.program, data);
 * assert.ok(printed.ok);
 * assert.deepEqual(printed.proof, { kind: "same" });
 * assert.match(printed.text, /^from pathlib import Path\n/);
 * ```
 */
export function printProgram(program: CheckedProgram, dataset: Dataset): PrintedProgram {
  const model = printModel(program, dataset);
  if (!model.ok) return model;
  const text = [importsOf(model.text), dataText(dataset, model.text), model.text].join("\n");
  return { ok: true, text, proof: prove(program, text, dataset) };
}

/** Compares a text that claims to be a program with the program. */
export function prove(program: CheckedProgram, text: string, dataset: Dataset): Proof {
  const settled = { rows: "judged", time: { first: dataset.rows } } as const;
  const read = checkProgram(text, dataset, undefined, settled);
  if (!read.ok) {
    const error = read.diagnostics.find(({ severity }) => severity === "error");
    return { kind: "unproven", why: `it cannot be read back: ${error?.message}` };
  }
  if (read.program.hash === program.hash) return { kind: "same" };
  const difference = differenceAtPoints(program, read.program, dataset);
  if (difference === undefined) return { kind: "equal", points: comparedPoints };
  return { kind: "unproven", why: `read back, it differs: ${difference}` };
}

function importsOf(model: string): string {
  const numpy = /\bnp\./.test(model) ? ["import numpy as np"] : [];
  const tensors = /\bpt\./.test(model) ? ["import pytensor.tensor as pt"] : [];
  const pymc = ["import pandas as pd", "import pymc as pm"];
  return ["from pathlib import Path", "", ...numpy, ...pymc, ...tensors, ""].join("\n");
}

/** The lines that read the data: names of categories become the codes in programs. */
function dataText(dataset: Dataset, model: string): string {
  const named = dataset.columns.filter(({ categories }) => categories !== undefined);
  const table = isTable(dataset);
  const needed = named.filter(({ name }) =>
    table || model.includes(`categories[${stringText(name)}]`)
  );
  const lines = needed.length === 0 ? [] : ["categories = {", ...needed.map(labels), "}"];
  const path = (file: string) => `Path(__file__).with_name("${file}")`;
  if (!table) {
    const options = 'typ="series", precise_float=True';
    return [...lines, `data = pd.read_json(${path("data.json")}, ${options})`, ""].join("\n");
  }
  const codes = "converters={name: labels.index for name, labels in categories.items()},";
  return [
    ...lines,
    "data = pd.read_csv(",
    `    ${path("data.csv")},`,
    '    engine="python",',
    ...needed.length === 0 ? [] : [`    ${codes}`],
    ")",
    "",
  ].join("\n");
}

function labels({ name, categories = [] }: Column): string {
  return `    ${stringText(name)}: [${categories.map(stringText).join(", ")}],`;
}
