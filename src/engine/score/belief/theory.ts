/** A theory: a program that is read at rows of a design, whose responses need not be known. */
import { type Column, type Dataset, makeDataset } from "../../../base/dataset.ts";
import { type Diagnostic, InputError } from "../../../base/diagnostic.ts";
import type { ParameterDraws } from "../../inference/predict/draws.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { checkProgram } from "../../language/pymc/check.ts";
import type { NewRows } from "../predictions.ts";

/** A column of a design: an input, or the response that is observed at inputs. */
export type DesignColumn = Pick<Column, "name" | "type" | "categories" | "resolution"> & {
  readonly role: "predictor" | "response";
};

/** The columns that a theory reads; one of them is its response. */
export type Design = readonly DesignColumn[];

/** A program read at rows, and these. */
interface TheoryAtRows {
  readonly program: CheckedProgram;
  readonly dataset: Dataset;
}

/** Responses of which one is in the support of each family of a type, where none was observed. */
const standIns = { real: [0.5], count: [0, 1], binary: [0], category: [0] } as const;

/** Readings at rows, by text, as long as the rows are held: information asks three things of the same rows. */
const known = new WeakMap<
  NewRows,
  { design: Design; readonly byText: Map<string, TheoryAtRows> }
>();

/**
 * Reads a program at rows.
 *
 * @param response value of each row; a stand-in in its support if left out.
 * @throws InputError with the findings of the program's check.
 */
export function theoryAt(
  text: string,
  design: Design,
  at: NewRows,
  response?: Float64Array,
): TheoryAtRows {
  if (response) return readAt(text, design, at, response);
  let own = known.get(at);
  if (own?.design !== design) known.set(at, own = { design, byText: new Map() });
  const read = own.byText.get(text) ?? readAt(text, design, at);
  own.byText.set(text, read);
  return read;
}

function readAt(
  text: string,
  design: Design,
  { rows, columns }: NewRows,
  response?: Float64Array,
): TheoryAtRows {
  const { type } = design.find(({ role }) => role === "response")!;
  const tried = response ? [response] : standIns[type].map((y) => new Float64Array(rows).fill(y));
  let findings: readonly Diagnostic[] = [];
  for (const values of tried) {
    const own = design.map((column): Column => ({
      ...column,
      values: column.role === "response"
        ? values
        : columns.get(column.name) ?? new Float64Array(rows),
    }));
    const dataset = makeDataset("design", own);
    const checked = checkProgram(text, dataset);
    if (checked.ok) return { program: checked.program, dataset };
    findings = checked.diagnostics;
  }
  throw new InputError([...findings]);
}

/** Draws of named parameters. */
export interface NamedDraws extends ParameterDraws {
  /** Names of the parameters, in the order of the draws. */
  readonly names: readonly string[];
}

/** The draws in the order in which a program has its parameters: readings at other rows may order them otherwise. */
export function drawsInOrder({ names, draws, parameters }: NamedDraws, program: CheckedProgram) {
  const own = program.parameters.map(({ name }) => parameters[names.indexOf(name)]);
  return { draws, parameters: own } satisfies ParameterDraws;
}

/** The names of a program's parameters, in its order. */
export function namesOf({ parameters }: CheckedProgram): readonly string[] {
  return parameters.map(({ name }) => name);
}
