/** `sluice predict`: predictions of a run's programs at new rows, mixed by their weights. */
import { type Command, Option } from "@commander-js/extra-typings";
import type { Column, Dataset } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import { type Candidate, readCandidates } from "../candidates.ts";
import { count, number, percent, plainTable } from "../../report/format.ts";
import type { NewRows } from "../../engine/score/mod.ts";
import { quantile } from "../../numerics/math/mod.ts";
import type { Average, Contrast, MarginalPrediction, MarginalRows } from "../marginal_rows.ts";
import {
  levelCells,
  levelHeads,
  type LevelPrediction,
  levelPredictions,
} from "../level_predictions.ts";
import type { NewRowsRead } from "../new_rows.ts";
import { wholeNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import { readRunData } from "../run_artifacts.ts";
import type { TimeRule } from "../../engine/score/execution/mod.ts";
import type { Session } from "../session.ts";
import { compareCandidates } from "./compare.ts";

const example = `
The file holds the predictors of the run's data under their names; the response
is not needed. Each program is fitted again to the run's data, and its share of
the draws is its weight. A group that the data do not have is drawn from the
population of groups; programs that know no such population are left out. A row
with a level of a factor that the data do not have is refused (exit status 2),
and the others are predicted. A categorical response has a probability for each
of its levels.

Example:
  sluice predict last --at data/new.csv --top 20 --weights stacking

Values instead of a file set predictors in all rows of the data, and the
predictions are averaged over these rows; each combination of values is a line.
"group=*" is every level of group; --contrasts gives the differences of all
pairs.

Example:
  sluice predict last --at "dose=0.5,1,2; group=placebo"
  sluice predict last --at "group=*" --contrasts`;

/** Quantiles of the predictive distribution of one row. */
interface NumberPrediction {
  readonly mean: number;
  readonly sd: number;
  readonly q05: number;
  readonly q50: number;
  readonly q95: number;
}

type Prediction = NumberPrediction | LevelPrediction;

export function addCommand(root: Command, session: Session): void {
  root.command("predict")
    .description("predict the response at new rows, averaged over programs")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .requiredOption("--at <rows>", 'file of new rows, or values of predictors: "x=1,2; g=a"')
    .option("--top <n>", "number of programs", wholeNumber("--top", 1), 20)
    .addOption(
      new Option("--weights <what>", "weights of the programs")
        .choices(["target", "policy", "stacking"] as const).default("target" as const),
    )
    .option("--draws <n>", "draws of the mixture", wholeNumber("--draws", 100), 4000)
    .option("--contrasts", "differences of all pairs of values")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, { at, top, weights, draws, contrasts, json, project }) => {
      const home = projectHere(project);
      const order = weights === "policy" ? "policy" : "target";
      const candidates = await readCandidates(home, run, top, order);
      const { datasetFromJson } = await import("../../base/dataset.ts"); // hashes: slow to load
      const known = await readRunData(home, run);
      const data = datasetFromJson(known.data);
      const { contrastsOf, isSettings, marginalPredictions, marginalRows } = await import(
        "../marginal_rows.ts"
      );
      const marginal = isSettings(at) ? marginalRows(at, data) : undefined;
      if (contrasts && !marginal) throw nothingToContrast(at);
      const { numbersOfLevels } = await import("../numbers_of_levels.ts");
      const levels = marginal && numbersOfLevels(data);
      const { newRows } = await import("../new_rows.ts");
      const texts = candidates.map(({ text }) =>
        text.replaceAll(/data\['([^'\n]*)'\]/g, 'data["$1"]')
      );
      const rows = marginal ?? await newRows(at, data, texts);
      const shares = await weightsOf(candidates, weights);
      const { refusedRows, withKnownLevels } = await import("../refused_rows.ts");
      const refused = refusedRows(rows, data, texts);
      const sound = withKnownLevels(rows, data, refused, marginal ? 0 : undefined);
      const mixed = await predictInWorkers(candidates, shares, data, sound, draws, known.time);
      const terminal = session.terminal();
      for (const reason of mixed.left) terminal.note(reason);
      for (const said of describeUnseen(rows, data)) terminal.note(said);
      for (const [row, reason] of refused) terminal.problem(`row ${row + 1} is refused: ${reason}`);
      if (refused.size > 0) session.exit = 2;
      const averages = marginal && marginalPredictions(mixed.draws, marginal);
      const pairs = contrasts && marginal ? contrastsOf(mixed.draws, marginal) : undefined;
      if (levels !== undefined) terminal.note(levels);
      if (marginal?.drawn) terminal.note(drawnNote(marginal.drawn));
      const all = averages ? [] : levelPredictions(mixed.draws, rows.rows, data) ??
        summaries(mixed.draws, rows.rows);
      const predictions = all.map((one, row) => refused.has(row) ? null : one);
      if (json) {
        const found = report(predictions, mixed.shares, candidates);
        const unseen = Object.fromEntries(rows.unseen);
        const why = refused.size > 0 && { refused: Object.fromEntries(refused) };
        const whole = { ...found, unseen, ...why, averages, contrasts: pairs };
        terminal.data(JSON.stringify(whole, null, 2));
      } else {
        terminal.out(averages ? averageTable(averages, data) : table(predictions, data, rows));
        if (pairs) terminal.out(`\n${contrastTable(pairs)}`);
        const used = mixed.shares.filter((share) => share > 0).length;
        const isLevels = predictions.some((one) => one && "probabilities" in one);
        const meaning = isLevels
          ? `P(…): shares of ${draws.toLocaleString("en")} draws`
          : "90 % interval from 5 % to 95 %";
        terminal.note(`${count(used, "program")}, weighted by ${weights}; ${meaning}`);
      }
    });
}

/** Draws of each of four chains, for data of a few thousand rows. */
const usualDraws = 500;
/** Rows times draws of a chain at most: a fit keeps a likelihood of each row at each draw. */
const mostProducts = 5_000_000;

/** Seconds after which a program's fit is given up, and the program left out. */
const fitSeconds = 120;

/** Has every program with a share fitted and drawn from in a worker of its own. */
async function predictInWorkers(
  candidates: readonly Candidate[],
  shares: readonly number[],
  data: Dataset,
  at: NewRows,
  draws: number,
  time?: TimeRule,
) {
  const { mixPredictions } = await import("../mix_predictions.ts");
  const { SinglePrograms } = await import("../../executor/single_programs.ts");
  const { defaultSchedule } = await import("../../engine/score/execution/mod.ts");
  const own = Math.min(usualDraws, Math.floor(mostProducts / data.rows));
  const fitted = Math.max(defaultSchedule.draws, own);
  const schedule = { ...defaultSchedule, draws: fitted, ...(time && { time }) };
  const workers = navigator.hardwareConcurrency;
  const programs = new SinglePrograms({ schedule, seconds: fitSeconds, workers });
  const columns = Object.fromEntries([...at.columns].map(([name, values]) => [name, [...values]]));
  const { rows, each } = at;
  const wanted = { kind: "predictions", rows, columns, ...(each && { each }) } as const;
  const predictOne = (program: string) => programs.run({ program, wanted }, data);
  try {
    const texts = candidates.map(({ text }) => text);
    return await mixPredictions(texts, shares, each ? rows / each : rows, draws, predictOne);
  } finally {
    await programs.close();
  }
}

async function weightsOf(
  candidates: readonly Candidate[],
  weights: "target" | "policy" | "stacking",
): Promise<number[]> {
  if (weights === "stacking") {
    const rows = await compareCandidates(candidates, "stacking");
    const shares = new Array<number>(candidates.length).fill(0);
    for (const { index, weight } of rows) shares[index] = weight;
    return shares;
  }
  const shares = candidates.map((one) => one[weights] ?? 0);
  const total = shares.reduce((a, b) => a + b, 0);
  if (total > 0) return shares.map((share) => share / total);
  const hint = "use --weights stacking; a stage of kind evaluate_kl enumerates programs";
  const message = `The run does not know the ${weights}'s share of its programs`;
  throw inputError("predict/no-weights", message, undefined, hint);
}

/** Outcome for levels that the fits have not seen. */
function describeUnseen({ unseen }: NewRowsRead, { columns }: Dataset): string[] {
  const groups = columns.filter(({ role }) => role === "group").map(({ name }) => name);
  return [...unseen].filter(([name]) => groups.includes(name)).map(([name, levels]) => {
    const shown = levels.slice(0, 6).join(", ") + (levels.length > 6 ? ", …" : "");
    const count = levels.length === 1 ? "a level" : `${levels.length} levels`;
    return `${name} has ${count} that the data do not have (${shown}); a group's effects there are ` +
      "draws from its population";
  });
}

/** Per row, over draws `[draws, rows]`. */
function summaries(draws: Float64Array, rows: number): NumberPrediction[] {
  const count = draws.length / rows;
  return Array.from({ length: rows }, (_, i) => {
    const own = Float64Array.from({ length: count }, (_, s) => draws[s * rows + i]).sort();
    const mean = own.reduce((a, b) => a + b, 0) / count;
    const square = own.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
    const [q05, q50, q95] = [0.05, 0.5, 0.95].map((p) => quantile(own, p));
    return { mean, sd: Math.sqrt(square / (count - 1)), q05, q50, q95 };
  });
}

function report(
  predictions: readonly (Prediction | null)[],
  shares: readonly number[],
  candidates: readonly Candidate[],
) {
  const programs = candidates.map(({ text, features }, k) => ({
    weight: shares[k],
    features,
    text,
  }));
  return { predictions, programs: programs.filter(({ weight }) => weight > 0) };
}

/** The predictors of each row as they were given, and what is predicted there. */
function table(
  predictions: readonly (Prediction | null)[],
  data: Dataset,
  at: NewRowsRead,
): string {
  const given = data.columns.filter(({ name, gapsOf }) => at.columns.has(name) && !gapsOf);
  const cell = ({ name, categories = [] }: Column, row: number) => {
    const value = at.columns.get(name)![row];
    return [...categories, ...at.unseen.get(name) ?? []][value] ?? String(value);
  };
  const { name, categories } = data.columns.find(({ role }) => role === "response")!;
  const heads = categories ? levelHeads(categories) : [name, "sd", "5 %", "50 %", "95 %"];
  const rows = predictions.map((one, i) => [
    ...(given.length > 0 ? given.map((column) => cell(column, i)) : [String(i + 1)]),
    ...(one ? cellsOf(one) : heads.map((_, k) => k === 0 ? "refused" : "")),
  ]);
  const left = given.length > 0 ? given.map(({ name }) => name) : ["row"];
  const head = [...left, ...heads];
  return plainTable(head, rows, head.map((_, i) => i));
}

function cellsOf(one: Prediction): string[] {
  if ("probabilities" in one) return levelCells(one);
  const { mean, sd, q05, q50, q95 } = one;
  return [mean, sd, q05, q50, q95].map((value) => number(value, 4));
}

/** Average predictions by the values at which they are, and their differences from the first. */
function averageTable(averages: readonly MarginalPrediction[], data: Dataset): string {
  const names = Object.keys(averages[0].at);
  const interval = ({ q05, q95 }: Average) => `${number(q05, 4)} … ${number(q95, 4)}`;
  const rows = averages.map((one) => [
    ...names.map((name) => one.at[name]),
    ...[number(one.mean, 4), interval(one)],
    ...(one.difference ? [number(one.difference.mean, 4), interval(one.difference)] : ["", ""]),
  ]);
  const response = data.columns.find(({ role }) => role === "response")?.name ?? "response";
  const head = [...names, `average ${response}`, "90 %", "less the first", "90 %"];
  return plainTable(head, rows, head.map((_, i) => i));
}

function drawnNote({ rows, of }: NonNullable<MarginalRows["drawn"]>): string {
  const [own, all] = [rows, of].map((many) => many.toLocaleString("en"));
  return `averages are over ${own} of ${all} rows, drawn at random`;
}

function nothingToContrast(at: string): Error {
  const message = `Cannot contrast the rows of ${at}: contrasts are of values of predictors`;
  return inputError("predict/contrasts", message, undefined, 'write --at "group=*" --contrasts');
}

/** Differences of all pairs of settings, and how probably the first is larger, or as large. */
function contrastTable(pairs: readonly Contrast[]): string {
  const named = (at: Contrast["of"]) => Object.values(at).join(" ");
  const ties = pairs.some(({ equal }) => equal > 0);
  const rows = pairs.map(({ of, against, mean, q05, q95, larger, equal }) => [
    `${named(of)} less ${named(against)}`,
    ...[number(mean, 4), `${number(q05, 4)} … ${number(q95, 4)}`, sureText(larger)],
    ...(ties ? [sureText(equal)] : []),
  ]);
  const head = ["contrast", "difference", "90 %", "P(> 0)", ...(ties ? ["P(= 0)"] : [])];
  return plainTable(head, rows, head.map((_, i) => i));
}

/** A share of draws: none of some thousand is not never. */
function sureText(share: number): string {
  if (share > 0.9995) return "> 99.9 %";
  return share < 0.0005 ? "< 0.1 %" : percent(share);
}
