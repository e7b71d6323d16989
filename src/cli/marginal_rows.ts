/** Average predictions at given values: the rows of the data with predictors set, averaged for each draw. */
import type { Column, Dataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { nearest } from "../base/nearest.ts";
import { RandomStream } from "../base/random.ts";
import { numericCell } from "../data/typed_dataset.ts";
import { quantile } from "../numerics/math/mod.ts";
import type { NewRowsRead } from "./new_rows.ts";

/** Rows of each setting at least: fewer leave noise in averages of drawn responses. */
const leastRows = 400;
/** Rows of all settings together at most: more cost time. */
const mostRows = 40_000;
/** Settings that one command takes. */
const mostSettings = 24;

/** Rows of all settings, one setting after the other. */
export interface MarginalRows extends NewRowsRead {
  /** Values by column as they were written, for each setting. */
  readonly settings: readonly Readonly<Record<string, string>>[];
  /** Rows of each setting. */
  readonly each: number;
  /** Rows that were drawn from those of the data, where these are too many; undefined where all are taken. */
  readonly drawn?: { readonly rows: number; readonly of: number };
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
 * Rows of the data that lack nothing, or some drawn from too many, with predictors set to each combination of
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
  if (whole.length === 0) throw noWholeRow(spec);
  const most = Math.floor(mostRows / settings.length);
  const taken = rowsOf(whole, most);
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
    ...(whole.length > most && { drawn: { rows: most, of: whole.length } }),
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

/** Rows so often that they are enough, or as many as may be, drawn without replacement. */
function rowsOf(rows: readonly number[], most: number): number[] {
  const { length } = rows;
  if (length <= most) {
    const times = Math.ceil(leastRows / length);
    return Array.from({ length: times * length }, (_, i) => rows[i % length]);
  }
  const random = new RandomStream("predict", "rows");
  const own = rows.slice();
  for (let i = 0; i < most; i++) {
    const j = i + random.below(length - i);
    [own[i], own[j]] = [own[j], own[i]];
  }
  return own.slice(0, most);
}

function read(text: string, data: Dataset): { column: Column; values: Value[] } {
  const [name, list] = text.split("=").map((one) => one.trim());
  const known = data.columns.filter(({ role }) => role !== "response" && role !== "ignore");
  const column = known.find((one) => one.name === name);
  if (!column) {
    const names = known.map((one) => one.name);
    const meant = nearest(name, names);
    const near = meant ? `did you mean "${meant}"? ` : "";
    const hint = `${near}the run's data have ${names.join(", ")}`;
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

function noWholeRow(spec: string): Error {
  const message =
    `Cannot predict at ${spec}: every row of the data lacks a value of some predictor`;
  return inputError("predict/at", message, undefined, "give a file of rows that lack nothing");
}

function tooMany(count: number): Error {
  const message = `Cannot predict at ${count} combinations of values: at most ${mostSettings}`;
  return inputError("predict/at", message, undefined, "give fewer values, or a file of rows");
}

/**
 * The average of each setting and its difference from the first, as average predictions of marginaleffects
 * (Arel-Bundock, Greifer and Heiss 2024, J. Statistical Software 111(9)).
 *
 * @param draws `[draws, settings]`: expected responses, averaged over the rows of the setting.
 */
export function marginalPredictions(
  draws: Float64Array,
  { settings }: Pick<MarginalRows, "settings">,
): MarginalPrediction[] {
  const means = drawsOf(draws, settings.length);
  return settings.map((at, k) => ({
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
  /** Probability that both are equal: of programs without the column that differs. */
  readonly equal: number;
}

/**
 * Differences of all pairs of settings, by draw; each has its own interval, which does not know how many
 * others there are.
 *
 * @param draws as of `marginalPredictions`.
 */
export function contrastsOf(
  draws: Float64Array,
  { settings }: Pick<MarginalRows, "settings">,
): Contrast[] {
  const count = draws.length / settings.length;
  const means = drawsOf(draws, settings.length);
  return settings.flatMap((of, k) =>
    settings.slice(0, k).map((against, j) => {
      const difference = means[k].map((one, s) => one - means[j][s]);
      const share = (holds: (d: number) => boolean) => difference.filter(holds).length / count;
      const [larger, equal] = [share((d) => d > 0), share((d) => d === 0)];
      return { of, against, ...summary(difference), larger, equal };
    })
  );
}

/** The draws of each setting. */
function drawsOf(draws: Float64Array, settings: number): Float64Array[] {
  const count = draws.length / settings;
  return Array.from(
    { length: settings },
    (_, k) => Float64Array.from({ length: count }, (_, s) => draws[s * settings + k]),
  );
}

function summary(values: Float64Array): Average {
  const sorted = values.slice().sort();
  const [q05, q95] = [0.05, 0.95].map((p) => quantile(sorted, p));
  return { mean: values.reduce((sum, one) => sum + one, 0) / values.length, q05, q95 };
}
