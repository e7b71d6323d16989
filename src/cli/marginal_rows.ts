/** Average predictions at given values: the rows of the data with predictors set, averaged for each draw. */
import type { Column, Dataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { numericCell } from "../data/typed_dataset.ts";
import { quantile } from "../numerics/math/mod.ts";
import type { NewRowsRead } from "./new_rows.ts";

/** Rows for each setting: fewer leave the noise of single responses in an average, more cost memory. */
const rowsRange = { least: 400, most: 1000 };
/** Settings that one command takes. */
const mostSettings = 24;

/** Rows of all settings, one setting after the other. */
export interface MarginalRows extends NewRowsRead {
  /** Values by column as they were written, for each setting. */
  readonly settings: readonly Readonly<Record<string, string>>[];
  /** Rows of each setting. */
  readonly each: number;
}

/** An average over the rows of a setting: mean and quantiles over draws. */
export interface Average {
  readonly mean: number;
  readonly q05: number;
  readonly q95: number;
}

/** An average prediction at a setting, and its difference from that at the first. */
export interface MarginalPrediction extends Average {
  readonly at: Readonly<Record<string, string>>;
  readonly difference: Average | null;
}

/** Whether an argument is `column=value,…; …` and no name of a file. */
export function isSettings(at: string): boolean {
  return /^[^=;]+=[^=;]+(;[^=;]+=[^=;]+)*;?$/.test(at) && !exists(at);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Rows of the data that lack nothing, or an even part of them, with predictors set to each combination of
 * values: `wt=2,3; am=0,1` has four. Rows that are few are taken several times.
 *
 * @throws InputError `predict/at` for a column that the data lack and a value that it cannot have.
 */
export function marginalRows(spec: string, data: Dataset): MarginalRows {
  const asked = spec.split(";").map((one) => one.trim()).filter(Boolean).map((one) =>
    read(one, data)
  );
  const settings = asked.reduce<readonly Setting[]>(
    (all, { column, values }) =>
      all.flatMap((one) => values.map((value) => new Map([...one, [column, value]]))),
    [new Map()],
  );
  if (settings.length > mostSettings) throw tooMany(settings.length);
  const given = data.columns.filter(({ role }) => role !== "response" && role !== "ignore");
  const gaps = given.filter(({ gapsOf }) => gapsOf !== undefined);
  const whole = Array.from({ length: data.rows }, (_, row) => row)
    .filter((row) => gaps.every(({ values }) => values[row] === 0));
  const taken = rowsOf(whole);
  const columns = new Map(given.map((column) => {
    const own = taken.map((row) => column.values[row]);
    const all = settings.flatMap((setting) => {
      const value = setting.get(column);
      return value === undefined ? own : own.map(() => value.number);
    });
    return [column.name, Float64Array.from(all)] as const;
  }));
  return {
    rows: settings.length * taken.length,
    columns,
    unseen: new Map(),
    each: taken.length,
    settings: settings.map((one) =>
      Object.fromEntries([...one].map(([{ name }, { written }]) => [name, written]))
    ),
  };
}

interface Value {
  readonly written: string;
  readonly number: number;
}

type Setting = ReadonlyMap<Column, Value>;

/** Rows so often that they are enough, or an even part of too many. */
function rowsOf(rows: readonly number[]): number[] {
  const { least, most } = rowsRange;
  const { length } = rows;
  if (length > most) {
    return Array.from({ length: most }, (_, i) => rows[Math.floor(i * length / most)]);
  }
  const times = Math.ceil(least / length);
  return Array.from({ length: times * length }, (_, i) => rows[i % length]);
}

function read(text: string, data: Dataset): { column: Column; values: Value[] } {
  const [name, list] = text.split("=").map((one) => one.trim());
  const known = data.columns.filter(({ role }) => role !== "response" && role !== "ignore");
  const column = known.find((one) => one.name === name);
  if (!column) {
    const hint = `the run's data have ${known.map((one) => one.name).join(", ")}`;
    throw inputError(
      "predict/at",
      `Cannot predict at ${text}: no predictor "${name}"`,
      undefined,
      hint,
    );
  }
  const written = list === "*" ? levelsOf(column) : list.split(",").map((one) => one.trim());
  return { column, values: written.map((one) => valueOf(one, column)) };
}

/** Every level of a category, which `*` stands for. */
function levelsOf({ name, categories }: Column): readonly string[] {
  if (categories) return categories;
  const hint = `write values: --at "${name}=1,2"`;
  throw inputError("predict/at", `Cannot predict at ${name}=*: it has no levels`, undefined, hint);
}

function valueOf(written: string, { name, categories, type }: Column): Value {
  const number = categories ? categories.indexOf(written) : numericCell(written);
  const fits = type !== "binary" || number === 0 || number === 1;
  if (Number.isFinite(number) && number >= (categories ? 0 : -Infinity) && fits) {
    return { written, number };
  }
  const wanted = categories
    ? `one of ${categories.join(", ")}`
    : type === "binary"
    ? "0 or 1"
    : "a number";
  const message = `Cannot predict at ${name}=${written}: found ${
    JSON.stringify(written)
  }, wanted ${wanted}`;
  throw inputError("predict/at", message, undefined, 'write it as --at "x=1,2; group=a"');
}

function tooMany(count: number): Error {
  const message = `Cannot predict at ${count} combinations of values: at most ${mostSettings}`;
  return inputError("predict/at", message, undefined, "give fewer values, or a file of rows");
}

/**
 * The average of each setting over its rows, by draw, as average predictions of marginaleffects
 * (Arel-Bundock, Greifer and Heiss 2024, J. Statistical Software 111(9)).
 *
 * @param draws `[draws, rows]`.
 */
export function marginalPredictions(
  draws: Float64Array,
  marginal: MarginalRows,
): MarginalPrediction[] {
  const means = averagesByDraw(draws, marginal);
  return marginal.settings.map((at, k) => ({
    at,
    ...summary(means[k]),
    difference: k === 0 ? null : summary(means[k].map((one, s) => one - means[0][s])),
  }));
}

/** A difference of two settings. */
export interface Contrast extends Average {
  readonly of: Readonly<Record<string, string>>;
  readonly against: Readonly<Record<string, string>>;
  /** Probability that the first is larger. */
  readonly larger: number;
}

/**
 * Differences of all pairs of settings, by draw; each has its own interval, which does not know how many
 * others there are.
 *
 * @param draws `[draws, rows]`.
 */
export function contrastsOf(draws: Float64Array, marginal: MarginalRows): Contrast[] {
  const { settings } = marginal;
  const count = draws.length / marginal.rows;
  const means = averagesByDraw(draws, marginal);
  return settings.flatMap((of, k) =>
    settings.slice(0, k).map((against, j) => {
      const difference = means[k].map((one, s) => one - means[j][s]);
      const larger = difference.reduce((sum, d) => sum + (d > 0 ? 1 : d < 0 ? 0 : 0.5), 0) / count;
      return { of, against, ...summary(difference), larger };
    })
  );
}

/** The average of each setting over its rows, `[draws]` for each. */
function averagesByDraw(
  draws: Float64Array,
  { rows, each, settings }: MarginalRows,
): Float64Array[] {
  const count = draws.length / rows;
  return settings.map((_, k) =>
    Float64Array.from({ length: count }, (_, s) => meanOf(draws, s * rows + k * each, each))
  );
}

function meanOf(values: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += values[i];
  return sum / count;
}

function summary(values: Float64Array): Average {
  const sorted = values.slice().sort();
  const [q05, q95] = [0.05, 0.95].map((p) => quantile(sorted, p));
  return { mean: meanOf(values, 0, values.length), q05, q95 };
}
