/** Rows that are withheld from all programs: a share that the data decide, or a marked column. */
import { type Column, type Dataset, makeDataset } from "../base/dataset.ts";
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
    : drawn(dataset, holdout.share);
  const kept = [...dataset.columns[0].values.keys()].filter((row) => !withheld.has(row));
  if (withheld.size < 1 || kept.length < 2) {
    const message = `Cannot withhold ${withheld.size} of ${dataset.rows} rows: ` +
      "wanted at least one withheld and two left";
    throw inputError("data/holdout", message, undefined, "change holdout, or leave it out");
  }
  const mark = "column" in holdout ? holdout.column : undefined;
  const columns = dataset.columns.filter(({ name }) => name !== mark);
  const others = [...withheld].sort((a, b) => a - b);
  return makeDataset(dataset.name, columns.map((one) => only(one, kept)), dataset.dropped, {
    rows: others.length,
    columns: columns.map((one) => only(one, others)),
    positions: others,
  });
}

function marked({ columns }: Dataset, name: string): Set<number> {
  const { values } = columns.find((one) => one.name === name)!;
  return new Set([...values.keys()].filter((row) => values[row] === 1));
}

/** Rows by Fisher and Yates (1938), until there are enough. */
function drawn({ rows, digest }: Dataset, share: number): Set<number> {
  const random = new RandomStream("holdout", digest);
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
