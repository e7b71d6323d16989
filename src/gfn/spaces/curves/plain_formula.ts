/** Formulas of spaces of curves: a response and one column, without brackets. */
import type { Column } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { Formula } from "../formula/formula.ts";
import { type Columns, moments } from "../writing/columns.ts";

/** The two columns of a curve. */
interface CurveColumns {
  readonly response: Column;
  readonly across: Column;
}

/**
 * The columns of `y ~ x`.
 *
 * @param space how messages call the space.
 * @param least rows that its programs need.
 * @throws InputError `formula/curve` for anything more, `space/rows` where there are too few rows.
 */
export function curveColumns(
  columns: Columns,
  { response, parts, intercept, others }: Formula,
  space: string,
  least: number,
): CurveColumns {
  const [part, ...more] = parts;
  const [term] = part?.alternatives[0] ?? [];
  const factor = term?.kind === "product" && term.factors.length === 1
    ? term.factors[0]
    : undefined;
  const isPlain = part?.asked === false && more.length === 0 && intercept && others.length === 0 &&
    factor?.kind === "column" && factor.by === undefined && !response.by && !response.asked;
  if (!isPlain) {
    const message = `Cannot read the formula of a space of ${space}: wanted one response and one ` +
      "column, without brackets";
    throw inputError("formula/curve", message, undefined, "write y ~ x: curves are the question");
  }
  const found = columns.response(response.column);
  const across = columns.numbers((factor as { readonly column: string }).column);
  checkSpread(columns, found, `explain "${found.name}"`);
  checkSpread(columns, across, `use "${across.name}"`);
  const { rows } = columns.dataset;
  if (rows >= least) return { response: found, across };
  const message = `Cannot compare ${space} on ${rows} rows: wanted at least ${least}`;
  const hint = "its programs have up to six parameters";
  throw inputError("space/rows", message, undefined, hint);
}

function checkSpread(columns: Columns, { name, values }: Column, what: string): void {
  if (moments(values).sd > 0) return;
  const message = `Cannot ${what}: all ${columns.dataset.rows} values of ${name} are ${values[0]}`;
  throw inputError("formula/constant", message, undefined, "nothing can be learnt from it");
}

/** @throws InputError `space/negative` at the first row whose value is below 0. */
export function checkNotNegative({ name, values }: Column, what: string): void {
  const row = values.findIndex((value) => value < 0);
  if (row < 0) return;
  const message = `Cannot use "${name}" as ${what}: it is ${values[row]} in row ${row + 1}`;
  throw inputError("space/negative", message, undefined, "wanted numbers from 0 on");
}
