/** `sluice score`: scores one program outside any pipeline. */
import { type Command, Option } from "@commander-js/extra-typings";
import { join } from "node:path";
import { type Dataset, type Resolution, responseColumn } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import { describeResolution } from "../../data/resolution.ts";
import type { Execution, Schedule, Score } from "../../engine/score/execution/mod.ts";
import { number, plainTable } from "../../report/format.ts";
import { type ExitStatus, printDiagnostics } from "../exit.ts";
import type { Job } from "../../executor/messages.ts";
import { requireWritable, writeOutput } from "../output_files.ts";
import { builtInExecutors, executorNames } from "../../executor/front_ends/mod.ts";
import type { Session } from "../session.ts";
import { scoreByExecutor } from "../score_by_executor.ts";
import { spaceOptions } from "../space_options.ts";
import { byteSize, positiveNumber, wholeNumber } from "../number_flags.ts";
import type { Terminal } from "../../report/terminal.ts";

const example = `
The columns of a CSV file, or the keys of a JSON object, stand in the program
under the name data; a JSON object may hold numbers, vectors and matrices. The
response is the column that the program observes. The program is read and scored
in a worker of the sandbox, at the highest level that this machine offers; one
that the clock, its memory or a crash ends is undecided (exit status 1).

With --time rows are put in the order of that column, and each is predicted from
those before it; earlier rows of the response may be predictors of later ones.

Example:
  sluice score curve.py --data data/dugongs.csv --summary --save curve.zarr`;

export function addCommand(root: Command, session: Session): void {
  root.command("score")
    .description("score one program by ELPD-LOO, or explain why it has no score")
    .argument("<program>", "a PyMC program, .py")
    .requiredOption("--data <file>", "data: .csv, .tsv, .json or .parquet")
    .option("--response <column>", "response, if the program does not show it")
    .option(
      "--resolution <step>",
      'step to which the response was recorded, or "continuous" (default: from its values)',
      resolutionOption,
    )
    .addOption(
      new Option("--missing <what>", "rows with missing values: refuse the data, or drop them")
        .choices(["error", "drop"] as const).default("error" as const),
    )
    .addOption(spaceOptions.category)
    .option("--group <column>", "column of groups of rows")
    .option(
      "--time <column>",
      "column that orders the rows in time: each is predicted from those before it (ELPD-LFO)",
    )
    .option(
      "--time-first <n>",
      "number of first rows not scored (default: a quarter)",
      wholeNumber("--time-first", 1),
    )
    .option(
      "--time-ahead <n>",
      "number of rows predicted at once",
      wholeNumber("--time-ahead", 1),
    )
    .addOption(
      new Option("--unit <what>", "unit that cross-validation leaves out")
        .choices(["row", "group"] as const),
    )
    .addOption(
      new Option(
        "--rows <what>",
        "whether the program may use the order of rows: random walks, lags, np.arange",
      ).choices(["exchangeable", "ordered"] as const).default("exchangeable" as const),
    )
    .addOption(
      new Option(
        "--executor <name>",
        "reader of the program: Sluice, or PyMC in a sandbox",
      )
        .choices(executorNames).default(executorNames[0]),
    )
    .option("--chains <n>", "chains", wholeNumber("--chains", 2), 4)
    .option("--tune <n>", "tuning draws per chain", wholeNumber("--tune", 20), 100)
    .option("--draws <n>", "first draws per chain", wholeNumber("--draws", 50), 125)
    .option(
      "--target-mcse <nats>",
      "Monte Carlo error above which drawing goes on",
      positiveNumber("--target-mcse"),
      0.05,
    )
    .option(
      "--max-mcse <nats>",
      "Monte Carlo error above which an estimate is no score",
      positiveNumber("--max-mcse"),
      0.5,
    )
    .option(
      "--max-gradients <n>",
      "limit of gradient evaluations",
      wholeNumber("--max-gradients", 1000),
      2_000_000,
    )
    .option("--seed <n>", "seed of all random numbers", wholeNumber("--seed", 0), 0)
    .option(
      "--timeout <seconds>",
      "time limit of the program",
      positiveNumber("--timeout"),
      600,
    )
    .option("--no-literals", "do not charge digits of constants")
    .option("--summary", "print a row for every parameter, like az.summary")
    .option(
      "--max-file-size <size>",
      "largest data file (default: 1GiB)",
      byteSize("--max-file-size"),
    )
    .option("--save <folder>", "write draws and predictions as a Zarr store for ArviZ")
    .option("--json", "print the whole result as JSON")
    .addHelpText("after", example)
    .action(async (program, options) => {
      const terminal = session.terminal();
      const { executor } = options;
      const isNative = executor === executorNames[0];
      if (!isNative && options.save) throw noDrawsOf(executor);
      if (options.save) await requireNewFolder(options.save);
      const { readInput } = await import("../input_file.ts");
      const { faults, readScoreData } = await import("../score_data.ts");
      const source = textOf(readInput(program, noProgramBytes), program);
      const { chains, tune, draws, seed, targetMcse, maxMcse, maxGradients, unit } = options;
      const limits = { chains, tune, draws, seed, targetMcse, maxMcse, maxGradients };
      const rows = options.rows === "ordered" ? { rows: options.rows } : {};
      const charge = options.literals ? { literals: "scored" } as const : {};
      const plain = { ...limits, ...(unit ? { unit } : {}), ...rows, ...charge };
      if (options.time === undefined || unit) refuseTimeFlags(options);
      const isTimed = options.time !== undefined && !unit;
      const { SinglePrograms } = await import("../../executor/single_programs.ts");
      const programs = new SinglePrograms({ schedule: plain, seconds: options.timeout });
      const text = { program: source, file: program };
      try {
        const read = await readScoreData(options.data, source, options, async (tried) => {
          const ordered = {
            ...plain,
            rows: "ordered",
            ...(isTimed && { time: { column: options.time!, first: tried.rows, ahead: 1 } }),
          } as const;
          const check = { ...text, schedule: ordered, wanted: { kind: "check" } } as const;
          return faults((await programs.run(check, tried)).execution);
        });
        const { data, schedule } = isTimed
          ? await timed(read, plain, { ...options, time: options.time! })
          : { data: read, schedule: plain };
        const { fileFindings } = await import("../../data/file_findings.ts");
        const { indexFindings } = await import("../score_data.ts");
        const remarks = [...indexFindings(data, source), ...fileFindings(data)];
        for (const found of options.json ? [] : remarks) terminal.note(found);
        const started = performance.now();
        const kind = options.save ? "inference_data" : "summaries";
        const job: Job = { ...text, schedule, wanted: { kind } };
        const by = builtInExecutors.get(executor)!;
        const found = await scoreByExecutor(by, job, data, terminal, programs);
        const seconds = (performance.now() - started) / 1000;
        session.exit = exitOf(found.execution);
        if (options.save && found.payload) await save(options.save, found.payload, terminal);
        const { json, summary } = options;
        const recorded = describeResolution(responseColumn(data)!);
        const printed = { json, summary, program, source, ...(recorded && { recorded }) };
        await print(terminal, found.execution, seconds, printed);
        if (isNative && !json) pointToPymc(found.execution, printed, terminal);
      } finally {
        await programs.close();
      }
    });
}

/** Flags of the command line about time. */
interface TimeFlags {
  readonly time?: string;
  readonly timeFirst?: number;
  readonly timeAhead?: number;
}

/** The data in the order of time, and the schedule that leaves the future out. */
async function timed(
  data: Dataset,
  plain: Schedule,
  { time, timeFirst: first, timeAhead: ahead }: TimeFlags & { readonly time: string },
): Promise<{ readonly data: Dataset; readonly schedule: Schedule }> {
  const { inTimeOrder } = await import("../../data/time_order.ts");
  const spec = { column: time, ...(first && { first }), ...(ahead && { ahead }) };
  const found = inTimeOrder(data, spec, plain.rows === "ordered");
  return { data: found.dataset, schedule: { ...plain, time: found.time } };
}

function refuseTimeFlags({ timeFirst, timeAhead }: TimeFlags): void {
  if (timeFirst === undefined && timeAhead === undefined) return;
  const message = "Cannot use --time-first or --time-ahead: no future is left out";
  const hint = "write --time with the column that orders the rows, and leave --unit out";
  throw inputError("cli/time", message, undefined, hint);
}

/** `0.01` or `continuous`. @throws InputError for anything else. */
function resolutionOption(text: string): Resolution {
  return text === "continuous" ? text : positiveNumber("--resolution")(text);
}

/** 2 where the program is at fault, 1 where that is unknown. */
function exitOf({ status }: Execution): ExitStatus {
  if (status === "ok") return 0;
  return status === "undecided" ? 1 : 2;
}

/** Bytes of a file that is no program, whatever is in it. */
const noProgramBytes = 1 << 20;

/** @throws InputError where Python would not read the file either. */
function textOf(bytes: Uint8Array, program: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const hint = "save the file as UTF-8";
    throw inputError("file/encoding", `Cannot read ${program}: it is not UTF-8`, undefined, hint);
  }
}

function noDrawsOf(executor: string): Error {
  const hint = `leave --save out, or --executor ${executor}`;
  const message = `Cannot save draws with the executor ${executor}`;
  return inputError("cli/executor", message, undefined, hint);
}

/** Before the work is done: an absent folder that may be written. */
async function requireNewFolder(folder: string): Promise<void> {
  const exists = await Deno.stat(folder).then(() => true, () => false);
  if (!exists) return await requireWritable("--save", folder);
  const hint = "choose another name, or remove it first";
  throw inputError("cli/exists", `Cannot save to ${folder}: it exists`, undefined, hint);
}

async function save(folder: string, packed: Uint8Array, terminal: Terminal): Promise<void> {
  const { unpackInferenceData } = await import("../../engine/score/inference_data/mod.ts");
  const { zarrFiles } = await import("../../engine/score/inference_data/mod.ts");
  const data = unpackInferenceData(packed);
  if (!data) throw new Error("Cannot save the draws: the worker gave something else");
  const files = [...zarrFiles(data)];
  const astray = files.find(([path]) => !staysBelow(path));
  if (astray) {
    throw new Error(`Cannot save the draws: a name leads out of the folder: ${astray[0]}`);
  }
  for (const [path, bytes] of files) writeOutput(join(folder, path), bytes);
  terminal.note(
    `draws and predictions are in ${folder}: xarray.open_datatree("${folder}", engine="zarr")`,
  );
}

/** Whether a path in a store is one below it, whatever names it was made of. */
function staysBelow(path: string): boolean {
  return path.split(/[/\\]/).every((step) => !["", ".", ".."].includes(step));
}

/** Points to PyMC for Python that Sluice's own reader lacks, and to the author's own Python for data. */
function pointToPymc(
  { diagnostics }: Execution,
  { program, source }: PrintOptions,
  terminal: Terminal,
): void {
  if (!diagnostics.some(({ code }) => code.startsWith("unsupported/"))) return;
  terminal.note("next: add --executor pymc: PyMC itself reads the program, in its sandbox");
  if (!/\bread_csv\s*\(/.test(source)) return;
  terminal.note(`  or, of a script of your own, in Python: sluice.score("${program}"),`);
  terminal.note("  which runs what it does to the data as well");
}

interface PrintOptions {
  readonly json?: boolean;
  readonly summary?: boolean;
  readonly program: string;
  readonly source: string;
  /** Sentence on the step that the response was recorded to. */
  readonly recorded?: string;
}

async function print(
  terminal: Terminal,
  execution: Execution,
  seconds: number,
  { json, summary, program, source, recorded }: PrintOptions,
): Promise<void> {
  if (json) {
    const { executionReport } = await import("../../engine/score/execution/mod.ts");
    terminal.data(JSON.stringify(executionReport(execution, seconds), null, 2));
    return;
  }
  printDiagnostics(execution.diagnostics, terminal, new Map([[program, source]]));
  if (!execution.score) return;
  printScore(terminal, execution.score, seconds, recorded);
  terminal.out(summary ? summaryTable(execution.score) : shortTable(execution.score));
}

const methodNames = {
  psis: "smoothed importance sampling",
  psis_refit: "smoothed importance sampling, with exact refits",
  integrated: "smoothed importance sampling, latents integrated out",
  integrated_refit: "smoothed importance sampling, latents integrated out, with exact refits",
  mixture: "draws of a mixture of posteriors that lack a row each",
  importance: "importance draws of a distribution fitted to the posterior",
  integrated_importance: "latents integrated out, importance draws of what is left",
  gaussian: "linear latents integrated out in closed form, quadrature over what is left",
  gaussian_importance:
    "linear latents integrated out in closed form, importance draws of what is left",
  particles: "particles, carried from the prior past all modes",
  field: "normal latents integrated out by importance draws, quadrature over what is left",
  future: "posteriors given the rows before, smoothed importance sampling between refits",
  future_gaussian: "rows given those before them, linear latents integrated out in closed form",
  future_quadrature: "rows given those before them, by quadrature",
} as const;

function printScore(terminal: Terminal, score: Score, seconds: number, recorded?: string) {
  const { elpdLoo, se, mcse, pLoo, paretoK, exactRefits, rhatMax, chains, draws } = score;
  const isFuture = score.unit === "future";
  const spread = paretoK.length > 1
    ? se.toFixed(2)
    : `unknown from one ${isFuture ? "row" : score.unit}`;
  terminal.out(
    `${isFuture ? "ELPD-LFO" : "ELPD-LOO"} ${elpdLoo.toFixed(2)}, standard error ${spread}`,
  );
  if (recorded) terminal.out(recorded);
  if (score.rewardPointwise) {
    const above = score.cappedPoints > 0
      ? `; the densities of ${score.cappedPoints} ${score.unit}s are above what a recorded value can be worth`
      : "";
    const error = score.rewardMcse!.toFixed(3);
    terminal.out(`ELPD for the reward ${score.elpdReward.toFixed(2)}, error ${error}${above}`);
  }
  if (score.literals !== undefined) {
    const reward = (score.elpdReward + score.literals).toFixed(2);
    terminal.out(
      `literals ${score.literals.toFixed(2)}: digits of constants; log reward ${reward}`,
    );
  }
  terminal.out(`Monte Carlo error ${mcse.toFixed(3)}; p_loo ${pLoo.toFixed(2)}`);
  const units = score.unit === "group"
    ? `${paretoK.length} groups left out, `
    : isFuture
    ? `${paretoK.length} rows predicted from those before them; `
    : "";
  terminal.out(`${units}${methodNames[score.looMethod]}`);
  // Nothing is weighted, so there is no tail.
  const isSum = score.looMethod === "gaussian" || (isFuture && exactRefits.length === 0);
  const worst = Math.max(...paretoK).toFixed(2);
  const refits = isFuture
    ? `${exactRefits.length} posteriors drawn from`
    : `${exactRefits.length} observations refitted exactly`;
  if (!isSum) terminal.out(`largest Pareto k ${worst}, ${refits}`);
  const points = draws === 1 ? "evaluation, exact" : "points of quadrature";
  const effort = `${score.gradients} gradients, ${seconds.toFixed(2)} s`;
  terminal.out(
    rhatMax === undefined
      ? `${draws} ${isSum ? points : "importance draws"}; ${effort}`
      : `R-hat ${rhatMax.toFixed(3)}, ${score.divergences} divergences; ` +
        `${chains} × ${draws} draws, ${effort}`,
  );
  if (score.predictive) terminal.out(checksLine(score.predictive.checks));
  terminal.out("");
}

/** Statistics of the data that replications hardly reach. */
function checksLine(checks: NonNullable<Score["predictive"]>["checks"]): string {
  const odd = Object.entries(checks).filter(([, { p }]) => p < 0.025 || p > 0.975);
  if (odd.length === 0) return "replicated data look like the data";
  const parts = odd.map(([name, { observed, predicted }]) =>
    `${name} ${number(observed)}, predicted ${number(predicted)}`
  );
  return `replicated data differ: ${parts.join("; ")}`;
}

/** Numbers in a row each; arrays by name and shape. */
function shortTable({ params }: Score): string {
  const rows = Object.entries(params).filter(([, one]) => one.shape.length === 0)
    .map(([name, { mean, sd, q05, q95, essBulk, rhat }]) => [
      name,
      ...[mean[0], sd[0], q05[0], q95[0]].map((value) => number(value, 4)),
      String(Math.round(essBulk[0])),
      rhat[0].toFixed(3),
    ]);
  const head = ["parameter", "mean", "sd", "5 %", "95 %", "ESS", "R-hat"];
  const table = rows.length > 0 ? [plainTable(head, rows, [1, 2, 3, 4, 5, 6])] : [];
  const arrays = Object.entries(params).filter(([, one]) => one.shape.length > 0)
    .map(([name, one]) => `${name} (${one.shape.join(" × ")})`);
  const rest = `${rows.length > 0 ? "and " : ""}${arrays.join(", ")}: every element with --summary`;
  return [...table, ...(arrays.length > 0 ? [rest] : [])].join("\n");
}

/** Every element, with the columns of az.summary. */
function summaryTable({ params }: Score): string {
  const rows = Object.entries(params).flatMap(([name, one]) =>
    one.mean.map((_, i) => [
      elementName(name, one.shape, i),
      ...[one.mean, one.sd, one.hdi03, one.hdi97].map((values) => values[i].toFixed(3)),
      ...[one.mcseMean, one.mcseSd].map((values) => values[i].toFixed(3)),
      ...[one.essBulk, one.essTail].map((values) => String(Math.round(values[i]))),
      one.rhat[i].toFixed(2),
    ])
  );
  const head = ["", "mean", "sd", "hdi_3%", "hdi_97%", "mcse_mean", "mcse_sd"];
  return plainTable([...head, "ess_bulk", "ess_tail", "r_hat"], rows, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/** `theta[3]`, `x[0, 2]`, from a flat index. */
function elementName(name: string, shape: readonly number[], flat: number): string {
  if (shape.length === 0) return name;
  const index: number[] = [];
  let rest = flat;
  for (const extent of [...shape].reverse()) {
    index.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return `${name}[${index.join(", ")}]`;
}
