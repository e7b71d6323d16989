/** Rows that a theory draws: latents from its priors once, then a response for each row of inputs. */
import { inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { type Cell, parseTable } from "../../data/raw_table.ts";
import { isMissing, numericCell } from "../../data/typed_dataset.ts";
import { designOf, rowsJson } from "../../executor/play/design.ts";
import { type InputRow, randomRow } from "../../executor/play/draw_rows.ts";
import type { Experiment } from "../../executor/play/experiment.ts";
import type { Theories } from "../../executor/play/theories.ts";
import { overflows, shownRow, toldResponse } from "../../executor/play/tell.ts";
import type { DesignColumnJson, LatentsJson, RowsJson } from "../../executor/theories/messages.ts";
import { readInput } from "../input_file.ts";

/** A simulation to run. */
export interface Simulation {
  /** Text of the theory. */
  readonly program: string;
  readonly design: readonly DesignColumnJson[];
  readonly at: RowsJson;
  /** `[rows]`: inputs as they are printed. */
  readonly shown: readonly Readonly<Record<string, number | string>>[];
  /** Reported value of a response. */
  readonly tell: (value: number) => number;
}

/** Rows with their responses, and the latents behind them. */
export interface SimulatedRows {
  readonly rows: readonly Readonly<Record<string, number | string>>[];
  /** By name, `[…shape]` row-major. */
  readonly latents: Readonly<Record<string, readonly number[]>>;
}

/** Rows of an experiment, inputs at random within their bounds. */
export function experimentRows(experiment: Experiment, rows: number, seed: number): Simulation {
  const random = new RandomStream("simulate", seed, "inputs");
  const drawn = Array.from({ length: rows }, (): InputRow => randomRow(experiment, random));
  return {
    program: experiment.program,
    design: designOf(experiment),
    at: rowsJson(drawn, experiment),
    shown: drawn.map((row) => shownRow(row, experiment)),
    tell: (value) => toldResponse(value, experiment),
  };
}

/**
 * Rows of a program, with the predictors of a file.
 *
 * @throws InputError if a cell is missing, or the response stands among the columns.
 */
export async function programRows(
  program: string,
  file: string,
  response: { readonly name: string; readonly type: "real" | "count" | "binary" },
): Promise<Simulation> {
  const table = await parseTable(readInput(file), file);
  const columns = [...table.columns].filter(([name]) => name !== response.name);
  const read = columns.map(([name, cells]) => columnOf(file, name, cells));
  const rows = read[0]?.values.length ?? 0;
  if (rows === 0) throw refused(file, "it has no rows of predictors");
  const design = read.map(({ design }) => design);
  return {
    program,
    design: [...design, { name: response.name, role: "response", type: response.type }],
    at: {
      rows,
      columns: Object.fromEntries(read.map(({ design, values }) => [design.name, values])),
    },
    shown: Array.from(
      { length: rows },
      (_, row) =>
        Object.fromEntries(read.map(({ design: { name, categories }, values }) => [
          name,
          categories ? categories[values[row]] : values[row],
        ])),
    ),
    tell: (value) => value,
  };
}

/** Draws a world and its rows; equal seeds give equal rows. */
export async function simulateRows(
  theories: Theories,
  { program, design, at, shown, tell }: Simulation,
  seed: number,
): Promise<SimulatedRows> {
  const key = ["simulate", seed];
  const [latents] = await theories.ask(program, {
    op: "latents",
    design,
    at,
    keys: [[...key, "latents"]],
  }) as LatentsJson[];
  const responses = await theories.ask(program, {
    op: "responses",
    design,
    latents,
    at,
    key: [...key, "responses"],
    copies: 1,
  }) as readonly (number | null)[];
  const { name } = design.find(({ role }) => role === "response")!;
  const over = responses.findIndex(overflows);
  if (over >= 0) throw overflowed(over);
  return {
    rows: shown.map((row, i) => ({ ...row, [name]: tell(responses[i]!) })),
    latents: Object.fromEntries(latents.names.map((one, k) => [one, latents.parameters[k]])),
  };
}

function columnOf(file: string, name: string, cells: readonly Cell[]) {
  const numbers = cells.map(numericCell);
  const isNumeric = numbers.every(Number.isFinite);
  const empty = cells.findIndex(isMissing);
  if (empty >= 0) throw refused(file, `row ${empty + 1} of column "${name}" is empty`);
  const categories = [...new Set(cells.map(String))].sort();
  const whole = isNumeric && numbers.every((one) => Number.isInteger(one) && one >= 0);
  const type = !isNumeric ? "category" : whole ? "count" : "real";
  const design: DesignColumnJson = {
    name,
    role: "predictor",
    type,
    ...(!isNumeric && { categories }),
  };
  return {
    design,
    values: isNumeric ? numbers : cells.map((cell) => categories.indexOf(String(cell))),
  };
}

function refused(file: string, why: string): Error {
  const hint = "a file of predictors has a value in every cell of every row";
  return inputError(
    "simulate/rows",
    `Cannot simulate at the rows of ${file}: ${why}`,
    undefined,
    hint,
  );
}

function overflowed(row: number): Error {
  const message = `Cannot simulate: the response of row ${row + 1} is no number below 10^9`;
  const hint = "take another seed, or narrower priors: a theory that overflows often fits nothing";
  return inputError("simulate/overflow", message, undefined, hint);
}
