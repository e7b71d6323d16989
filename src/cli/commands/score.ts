/** `sluice score`: scores one program outside any pipeline. */
import { basename } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Dataset } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { RawTable } from "../../data/raw_table.ts";
import { type ColumnSpec, numericCell, typedDataset } from "../../data/typed_dataset.ts";
import type { Execution, Schedule } from "../../score/execution.ts";
import { number, plainTable } from "../format.ts";
import { printDiagnostics } from "../exit.ts";
import type { Session } from "../session.ts";
import { positiveNumber, wholeNumber } from "../number_flags.ts";
import type { Terminal } from "../terminal.ts";

const example = `
The columns of a CSV file, or the keys of a JSON object, stand in the program
under the name data. The response is the column that the program observes.

Example:
  sluice score curve.py --data data/dugongs.csv --json`;

export function addScoreCommand(root: Command, session: Session): void {
  root.command("score")
    .description("score one program: ELPD-LOO with its errors, or why it cannot be scored")
    .argument("<program>", "a PyMC program, .py")
    .requiredOption("--data <file>", "data: .csv, .tsv, .json or .parquet")
    .option("--response <column>", "the response, if the program does not tell")
    .option("--resolution <step>", "step to which the response was recorded", positiveNumber)
    .option("--engine <name>", "native", "native")
    .option("--chains <n>", "chains", wholeNumber(2), 4)
    .option("--tune <n>", "tuning draws per chain", wholeNumber(20), 100)
    .option("--draws <n>", "draws per chain, to begin with", wholeNumber(50), 125)
    .option(
      "--target-mcse <nats>",
      "Monte Carlo error above which drawing goes on",
      positiveNumber,
      0.1,
    )
    .option("--seed <n>", "changes every random number", wholeNumber(0), 0)
    .option("--json", "print the whole result as JSON")
    .addHelpText("after", example)
    .action(async (program, options) => {
      const terminal = session.terminal();
      requireNative(options.engine);
      const source = await readText(program);
      const data = await readData(options.data, source, program, options);
      const { chains, tune, draws, seed, targetMcse } = options;
      const schedule = { chains, tune, draws, seed, targetMcse };
      const started = performance.now();
      const execution = await score(source, data, schedule, program);
      const seconds = (performance.now() - started) / 1000;
      if (execution.status !== "ok") session.exit = 2;
      await print(terminal, execution, seconds, { json: options.json, program, source });
    });
}

function requireNative(engine: string): void {
  if (engine === "native") return;
  const hint = 'the engine here is "native"';
  throw inputError("cli/engine", `Cannot use the engine "${engine}"`, undefined, hint);
}

async function readText(file: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(file));
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(file);
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    const why = missing ? "there is no such file" : (error as Error).message;
    throw inputError(missing ? "file/missing" : "file/unreadable", `Cannot read ${file}: ${why}`);
  }
}

async function score(
  source: string,
  data: Dataset,
  schedule: Omit<Schedule, "maxGradients">,
  file: string,
): Promise<Execution> {
  const { scoreNow } = await import("../../score/score.ts");
  const { defaultSchedule } = await import("../../score/execution.ts");
  const full = { ...defaultSchedule, ...schedule };
  return scoreNow(source, data, full, { summaries: true, file });
}

interface DataOptions {
  readonly response?: string;
  readonly resolution?: number;
}

async function readData(
  file: string,
  source: string,
  program: string,
  options: DataOptions,
): Promise<Dataset> {
  const { parseTable } = await import("../../data/raw_table.ts");
  const table = await parseTable(await readBytes(file), file);
  const { checkProgram } = await import("../../lang/check.ts");
  const { response, resolution } = options;
  const used = usedColumns(table, source);
  const columns = used.length > 0 ? used : [...table.columns.keys()];
  const candidates = response === undefined ? columns : [response];
  const datasets = candidates.map((name) => datasetWith(table, name, columns, resolution));
  const fits = datasets.map((data) => faults(checkProgram(source, data, program)));
  return datasets[fits.indexOf(Math.min(...fits))];
}

/** Number of errors, an unobserved response counting most. */
function faults(result: { ok: boolean; diagnostics?: readonly { code: string }[] }): number {
  if (result.ok || !result.diagnostics) return 0;
  return result.diagnostics.reduce((sum, { code }) => sum + (code.startsWith("lh/") ? 100 : 1), 0);
}

/** The table with one response; columns that the program does not name and hold text are left out. */
function datasetWith(
  table: RawTable,
  response: string,
  used: readonly string[],
  resolution: number | undefined,
): Dataset {
  const specs = used.map((name): [string, ColumnSpec] => [name, { role: "predictor" }]);
  const role: ColumnSpec = {
    role: "response",
    ...(resolution === undefined ? {} : { resolution }),
  };
  const all = { ...Object.fromEntries(specs), [response]: role };
  return typedDataset(basename(table.file), table, all, "error");
}

/** Columns that the program names, and all others that hold numbers only. */
function usedColumns(table: RawTable, source: string): readonly string[] {
  const isNamed = (name: string) => source.includes(`"${name}"`) || source.includes(`'${name}'`);
  return [...table.columns].filter(([name, cells]) =>
    isNamed(name) || cells.every((cell) => Number.isFinite(numericCell(cell)))
  )
    .map(([name]) => name);
}

interface PrintOptions {
  readonly json?: boolean;
  readonly program: string;
  readonly source: string;
}

async function print(
  terminal: Terminal,
  execution: Execution,
  seconds: number,
  { json, program, source }: PrintOptions,
): Promise<void> {
  if (json) {
    const { executionReport } = await import("../../score/report.ts");
    terminal.out(JSON.stringify(executionReport(execution, seconds), null, 2));
    return;
  }
  printDiagnostics(execution.diagnostics, terminal, new Map([[program, source]]));
  if (execution.score) printScore(terminal, execution.score, seconds);
}

function printScore(terminal: Terminal, score: NonNullable<Execution["score"]>, seconds: number) {
  const { elpdLoo, se, mcse, pLoo, paretoK, exactRefits, rhatMax, chains, draws } = score;
  terminal.out(`ELPD-LOO ${elpdLoo.toFixed(2)}, standard error ${se.toFixed(2)}`);
  terminal.out(`Monte Carlo error ${mcse.toFixed(3)}; p_loo ${pLoo.toFixed(2)}`);
  const worst = Math.max(...paretoK).toFixed(2);
  terminal.out(`largest Pareto k ${worst}, ${exactRefits.length} observations refitted exactly`);
  const effort = `${chains} × ${draws} draws, ${score.gradients} gradients, ${
    seconds.toFixed(2)
  } s`;
  terminal.out(`R-hat ${rhatMax.toFixed(3)}, ${score.divergences} divergences; ${effort}\n`);
  const rows = Object.entries(score.params).filter(([, one]) => one.shape.length === 0)
    .map(([name, { mean, sd, q05, q95, essBulk, rhat }]) => [
      name,
      ...[mean[0], sd[0], q05[0], q95[0]].map((value) => number(value, 4)),
      String(Math.round(essBulk[0])),
      rhat[0].toFixed(3),
    ]);
  const head = ["parameter", "mean", "sd", "5 %", "95 %", "ESS", "R-hat"];
  terminal.out(plainTable(head, rows, [1, 2, 3, 4, 5, 6]));
}
