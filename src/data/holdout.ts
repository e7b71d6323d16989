/** Rows that are withheld: from all programs, by a share that the data decide or a marked column; or from all choices. */
import { type Column, type Dataset, type HeldOut, makeDataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { RandomStream } from "../base/random.ts";
import type { ColumnSpec } from "./typed_dataset.ts";

/** Which rows to withhold. */
export type Holdout = { readonly share: number } | { readonly column: string };

type Specs = Readonly<Record<string, ColumnSpec>>;

/** The columns to read, with the one that marks withheld rows, if there is one. */
export function markedColumns(specs: Specs, holdout: Holdout | undefined): Specs {
  if (!holdout || !("column" in holdout)) return specs;
  return { ...specs, [holdout.column]: { role: "predictor", type: "binary" } };
}

/**
 * The data set without the withheld rows, and these beside it. Shares are drawn from the digest of
 * the data: the same data always withhold the same rows.
 *
 * @throws InputError if fewer than one row would be withheld, or fewer than two would be left.
 */
export function withholdRows(dataset: Dataset, holdout: Holdout): Dataset {
  const withheld = "column" in holdout
    ? marked(dataset, holdout.column)
    : drawn(dataset, holdout.share, "holdout");
  const mark = "column" in holdout ? holdout.column : undefined;
  const columns = dataset.columns.filter(({ name }) => name !== mark);
  const { kept, others } = split(dataset, columns, withheld, "holdout");
  return makeDataset(dataset.name, kept, dataset.dropped, others);
}

/**
 * The data set without a share of its rows, which stand beside it for winners alone. Drawn from the digest of the data.
 *
 * @throws InputError if fewer than one row would be withheld, if fewer than two would be left, or if a value is missing
 * that programs have as a parameter.
 */
export function confirmRows(dataset: Dataset, share: number): Dataset {
  requireNoGaps(dataset);
  const withheld = drawn(dataset, share, "confirm");
  const { kept, others } = split(dataset, dataset.columns, withheld, "confirm");
  return { ...makeDataset(dataset.name, kept, dataset.dropped), confirm: others };
}

/** Data on which winners are scored: their rows, and those that confirm as withheld ones. */
export function confirmingDataset({ name, columns, dropped, holdout, confirm }: Dataset): Dataset {
  const { rows, columns: others, positions } = confirm!;
  const places = holdout ? {} : { positions };
  return makeDataset(name, columns, dropped, { rows, columns: others, ...places });
}

/** Rows that are left, and those that are not. @throws InputError if there are too few of either. */
function split(
  { rows }: Dataset,
  columns: readonly Column[],
  withheld: ReadonlySet<number>,
  key: "holdout" | "confirm",
): { readonly kept: readonly Column[]; readonly others: HeldOut } {
  const left = [...Array(rows).keys()].filter((row) => !withheld.has(row));
  if (withheld.size < 1 || left.length < 2) {
    const message = `Cannot withhold ${withheld.size} of ${rows} rows: ` +
      "wanted at least one withheld and two left";
    throw inputError("data/holdout", message, undefined, `change ${key}, or leave it out`);
  }
  const positions = [...withheld].sort((a, b) => a - b);
  const others = columns.map((one) => only(one, positions));
  const kept = columns.map((one) => only(one, left));
  return { kept, others: { rows: positions.length, columns: others, positions } };
}

function requireNoGaps({ columns }: Dataset): void {
  const gap = columns.find(({ gapsOf }) => gapsOf !== undefined)?.gapsOf;
  if (gap === undefined) return;
  const message = `Cannot keep rows for confirmation: missing values of "${gap}" are parameters, ` +
    "which rows that no program has read have not";
  throw inputError(
    "data/confirm",
    message,
    undefined,
    'write missing = "drop", or leave confirm out',
  );
}

function marked({ columns }: Dataset, name: string): Set<number> {
  const { values } = columns.find((one) => one.name === name)!;
  return new Set([...values.keys()].filter((row) => values[row] === 1));
}

/** Rows by Fisher and Yates (1938), until there are enough. */
function drawn({ rows, digest }: Dataset, share: number, key: "holdout" | "confirm"): Set<number> {
  const random = new RandomStream(key, digest);
  const order = Array.from({ length: rows }, (_, row) => row);
  const count = Math.round(share * rows);
  for (let i = 0; i < count; i++) {
    const j = i + random.below(rows - i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return new Set(order.slice(0, count));
}

function only(column: Column, rows: readonly number[]): Column {
  return { ...column, values: Float64Array.from(rows, (row) => column.values[row]) };
}
