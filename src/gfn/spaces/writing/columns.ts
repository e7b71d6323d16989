/** Columns of a data set as a space of models reads them: numbers of two digits, levels. */
import { type Column, type Dataset, responseColumn } from "../../../base/dataset.ts";
import { InputError, inputError } from "../../../base/diagnostic.ts";
import { exp, log, log1p, quantile } from "../../../numerics/math/mod.ts";
import { listed } from "../../../base/listed.ts";
import { nearest } from "../../../base/nearest.ts";
import type { ColumnFunction } from "../formula/formula.ts";

/** Mean and standard deviation. */
interface Moments {
  readonly mean: number;
  /** Standard deviation with n − 1; 0 where all values are the same. */
  readonly sd: number;
}

/** The columns of a data set, as a formula asks for them. */
export class Columns {
  readonly #slugs: ReadonlyMap<string, string>;

  constructor(readonly dataset: Dataset) {
    this.#slugs = uniqueSlugs(dataset.columns.map(({ name }) => name));
  }

  /** A column's name as part of a name of Python's; no two columns have one. */
  slug(name: string): string {
    return this.#slugs.get(name) ?? slugOf(name);
  }

  /** A predictor. @throws InputError `formula/column` if there is none of the name. */
  predictor(name: string): Column {
    const column = this.#find(name);
    if (column.role === "limit" || column.role === "event") throw noPredictor(column);
    if (column.role !== "response") return column;
    const message = `Cannot use "${name}" on the right of ~: it is the response`;
    throw ofColumn(name, "formula/response", message, "a program may not look at it");
  }

  /** A predictor of numbers. @throws InputError `formula/number` if it has levels. */
  numbers(name: string): Column {
    const column = this.predictor(name);
    if (column.type !== "category") return column;
    const message = `Cannot use "${name}" as a number: it is a category of ` +
      `${column.categories!.length} levels (${column.categories!.slice(0, 3).join(", ")}, …)`;
    const hint = `write ${name} by itself for an effect of each level, or (1 | ${name})`;
    throw ofColumn(name, "formula/number", message, hint);
  }

  /**
   * A column of levels.
   *
   * @param wantsRows whether a level has to have more than one row somewhere.
   * @throws InputError `formula/group`.
   */
  group(name: string, wantsRows = true): Column & { readonly categories: readonly string[] } {
    const column = this.predictor(name);
    const levels = column.categories?.length ?? 0;
    const hint = `give the column type = "category" in the stage of the data`;
    const cannot = `Cannot use "${name}" as a group`;
    if (column.categories === undefined) {
      throw ofColumn(name, "formula/group", `${cannot}: its values are numbers`, hint);
    }
    if (levels < 2) {
      const message = `${cannot}: it has ${levels} level${levels === 1 ? "" : "s"}`;
      throw ofColumn(name, "formula/group", message, "leave it out: nothing differs by it");
    }
    if (wantsRows && levels === this.dataset.rows) {
      const message = `${cannot}: each of its ${levels} levels has one row`;
      const why = "its effects cannot be told from the noise: leave it out";
      throw ofColumn(name, "formula/group", message, why);
    }
    return column as Column & { readonly categories: readonly string[] };
  }

  /** The response. @throws InputError `formula/response` if the formula names another column. */
  response(name: string): Column {
    const column = this.#find(name);
    if (column.role === "response") return column;
    const message = `Cannot use "${name}" on the left of ~: its role is ${column.role}`;
    const own = responseColumn(this.dataset)?.name;
    const hint = `the response of the data is "${own}"`;
    throw ofColumn(name, "formula/response", message, hint);
  }

  #find(name: string): Column {
    const columns = this.dataset.columns.filter(({ role }) => role !== "ignore");
    const found = columns.find((column) => column.name === name);
    if (found) return found;
    const known = columns.map((column) => column.name);
    const meant = nearest(name, known);
    const message = `Cannot use "${name}": data set "${this.dataset.name}" has no such column`;
    const hint = `${meant ? `did you mean "${meant}"? ` : ""}columns: ${listed(known)}`;
    throw ofColumn(name, "formula/column", message, hint);
  }
}

/** A finding about a column that the formula names. */
function ofColumn(name: string, code: string, message: string, hint: string): Error {
  return new InputError([{ code, severity: "error", message, hint, param: ["formula", name] }]);
}

/** Letters and digits of a name as Python and PyMC take them everywhere. */
function slugOf(name: string): string {
  const whole = name.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  const short = whole.length > longest ? whole.slice(0, shortened).replace(/_+$/, "") : whole;
  return short || "x";
}

/**
 * Letters of a slug, and those that are left of a longer one, such as a question of a survey: names of
 * variables have 64 at most, also of a product of two columns, with a prefix and a number.
 */
const [longest, shortened] = [26, 22];

/** Slugs by column, numbered where another column has the same. */
function uniqueSlugs(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Set(names.map(slugOf));
  const slugs = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of names) {
    const own = slugOf(name);
    let unique = own;
    for (let k = 2; taken.has(unique) || (unique !== own && plain.has(unique)); k++) {
      unique = `${own}_v${k}`;
    }
    taken.add(unique);
    slugs.set(name, unique);
  }
  return slugs;
}

function noPredictor({ name, role }: Column): Error {
  const message =
    `Cannot use "${name}" on the right of ~: its role is ${role}, which knows of the ` +
    "response";
  return inputError(
    "formula/response",
    message,
    undefined,
    "leave it out: it is in the likelihood",
  );
}

/** Mean and standard deviation of numbers. */
export function moments(values: ArrayLike<number>): Moments {
  const n = values.length;
  const all = Array.from(values);
  const mean = all.reduce((sum, value) => sum + value, 0) / n;
  const squares = all.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, sd: Math.sqrt(squares / Math.max(1, n - 1)) };
}

/** A number to two digits, as programs write it. */
export function twoDigits(value: number): number {
  return Number(value.toPrecision(2));
}

/** Values of a column put through a function. @throws InputError `formula/domain`. */
export function valuesBy(column: Column, by?: ColumnFunction): Float64Array {
  const { values, name } = column;
  if (by === undefined) return values;
  const functions = { log, log1p, sqrt: Math.sqrt, exp };
  const made = values.map(functions[by]);
  const row = made.findIndex((value) => !Number.isFinite(value));
  if (row < 0) return made;
  const message = `Cannot use ${by}(${name}): it is not finite at ${values[row]}, row ${row + 1}`;
  throw inputError("formula/domain", message, undefined, "use the column as it is");
}

/** The values at shares of the sorted ones, interpolated (Hyndman and Fan 1996, type 7). */
export function quantiles(values: ArrayLike<number>, shares: readonly number[]): number[] {
  const sorted = Array.from(values).sort((a, b) => a - b);
  return shares.map((share) => quantile(sorted, share));
}
