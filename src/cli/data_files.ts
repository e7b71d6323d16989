/** The data of a run as files that printed programs read. */
import type { Column, Dataset, HeldOut } from "../base/dataset.ts";
import { isTable } from "../engine/language/print/mod.ts";

/** Names and contents of the files: the data, and the rows that were withheld from every program. */
export function dataFiles(dataset: Dataset): ReadonlyMap<string, string> {
  const [kind, write] = isTable(dataset) ? ["csv", csv] as const : ["json", json] as const;
  const files = new Map([[`data.${kind}`, write(dataset)]]);
  if (dataset.holdout) files.set(`withheld.${kind}`, write(dataset.holdout));
  return files;
}

function csv({ columns, rows }: HeldOut): string {
  const plain = columns.filter(({ shape }) => shape === undefined);
  const lines = Array.from({ length: rows }, (_, i) => plain.map((column) => cell(column, i)));
  const head = plain.map(({ name }) => csvText(name));
  return [head, ...lines].map((line) => line.join(",")).join("\n") + "\n";
}

/** A category by its name; a missing number as nothing. */
function cell({ values, categories }: Column, row: number): string {
  if (categories) return csvText(categories[values[row]] ?? "");
  return Number.isNaN(values[row]) ? "" : String(values[row]);
}

function json({ columns }: Pick<Dataset, "columns">): string {
  const arrays = columns.map(({ name, values, shape = [values.length] }) =>
    [name, nested([...values], shape)] as const
  );
  return JSON.stringify(Object.fromEntries(arrays), null, 1) + "\n";
}

function nested(values: readonly number[], shape: readonly number[]): unknown {
  if (shape.length === 0) return values[0];
  const [extent, ...inner] = shape;
  const step = values.length / extent;
  return Array.from(
    { length: extent },
    (_, i) => nested(values.slice(i * step, (i + 1) * step), inner),
  );
}

/** A cell of a CSV file; quoted where it holds what separates cells. */
export function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
