/** `sluice simulate`: rows that an experiment or a program draws from its priors. */
import { type Command, Option } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import { decodeText } from "../../data/dialect.ts";
import { csvText } from "../data_files.ts";
import { readInput } from "../input_file.ts";
import { wholeNumber } from "../number_flags.ts";
import { writeOutput } from "../output_files.ts";
import type { Session } from "../session.ts";
import type { Simulation } from "../simulate/simulated_rows.ts";

const example = `
Latents are drawn once from their priors, then a response for each row. Inputs
of an experiment are drawn within their bounds; those of a program stand in a
file. Equal seeds give equal rows, on every machine.

Example:
  sluice simulate experiments/dugongs.toml --rows 27 --seed 3 --latents
  sluice simulate curve.py --at ages.csv --response length --out made.csv`;

/** Options as commander gives them. */
interface Options {
  readonly rows: number;
  readonly seed: number;
  readonly at?: string;
  readonly response?: string;
  readonly type: "real" | "count" | "binary";
  readonly latents?: true;
  readonly json?: true;
  readonly out?: string;
}

export function addCommand(root: Command, session: Session): void {
  root.command("simulate")
    .description("draw rows of an experiment or a program from its priors")
    .argument("<theory>", "an experiment (.toml), or a program (.py)")
    .option("--rows <n>", "rows of an experiment", wholeNumber("--rows", 1), 20)
    .option("--seed <n>", "seed of latents, inputs and responses", wholeNumber("--seed", 0), 1)
    .option("--at <file>", "program: file of predictors: .csv, .tsv, .json, .parquet")
    .option("--response <column>", "program: column to draw")
    .addOption(
      new Option("--type <type>", "program: type of the response")
        .choices(["real", "count", "binary"] as const).default("real" as const),
    )
    .option("--latents", "print the latents too, on standard error")
    .option("--json", "rows and latents as JSON")
    .option("--out <file>", "write CSV to this file")
    .addHelpText("after", example)
    .action(async (file, options: Options) => {
      const { simulateRows } = await import("../simulate/simulated_rows.ts");
      const { TheoryWorkers } = await import("../../executor/play/theory_workers.ts");
      const simulation = await simulationOf(file, options);
      const theories = new TheoryWorkers(1);
      try {
        const made = await simulateRows(theories, simulation, options.seed);
        const terminal = session.terminal();
        if (options.latents && !options.json) terminal.note(JSON.stringify(made.latents));
        const text = options.json ? JSON.stringify(made, null, 2) : csvOf(made.rows);
        if (options.out) writeOutput(options.out, `${text}\n`);
        else terminal.data(text);
      } finally {
        await theories.close();
      }
    });
}

async function simulationOf(file: string, options: Options): Promise<Simulation> {
  const { experimentRows, programRows } = await import("../simulate/simulated_rows.ts");
  const text = decodeText(readInput(file));
  const { rows, seed, at, response, type } = options;
  if (file.endsWith(".toml")) {
    if (at !== undefined || response !== undefined) throw misplaced(file);
    const { readExperiment } = await import("../../executor/play/read_experiment.ts");
    return experimentRows(readExperiment(text, file), rows, seed);
  }
  if (at === undefined || response === undefined) throw wanting(file);
  return await programRows(text, at, { name: response, type });
}

function csvOf(rows: readonly Readonly<Record<string, number | string>>[]): string {
  const names = Object.keys(rows[0]);
  const lines = rows.map((row) => names.map((name) => csvText(`${row[name]}`)).join(","));
  return [names.map(csvText).join(","), ...lines].join("\n");
}

function misplaced(file: string): Error {
  const message =
    `Cannot simulate ${file}: an experiment says itself what its inputs and response are`;
  return inputError("cli/simulate", message, undefined, "leave out --at and --response");
}

function wanting(file: string): Error {
  const message = `Cannot simulate ${file}: a program does not say where its predictors come from`;
  return inputError("cli/simulate", message, undefined, "write --at rows.csv --response COLUMN");
}
