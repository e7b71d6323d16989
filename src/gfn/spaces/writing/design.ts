/** The columns that a factor or a product of factors puts into the design, as programs write them. */
import { inputError } from "../../../base/diagnostic.ts";
import { listed } from "../../../base/listed.ts";
import type { Factor } from "../formula/formula.ts";
import { type Columns, moments, quantiles, twoDigits, valuesBy } from "./columns.ts";

/** One column of the design. */
export interface DesignColumn {
  /** An expression over the data, row by row. */
  readonly text: string;
  /** Label in reports. */
  readonly label: string;
  /** The level that it is compared with, where it stands for a level of a category. */
  readonly against?: string;
  /** Where the column is 0, at which the effects of columns multiplied by it hold. */
  readonly zero?: string;
  /** Point at which the effects of a product's two factors hold. */
  readonly at?: string;
  /** End of the name of its coefficient. */
  readonly name: string;
  /** `[rows]`: values of the expression. */
  readonly values: Float64Array;
}

/**
 * The columns of a factor: a number less its mean, to two digits; an indicator of each level but the
 * first; powers of the standardised number, each less its mean.
 *
 * @throws InputError `formula/constant` for a predictor whose values are all the same.
 */
function designOf(columns: Columns, factor: Factor): DesignColumn[] {
  if (factor.kind === "poly") return powers(columns, factor);
  if (factor.kind === "levels") return indicators(levelsOf(columns, factor), factor.reference);
  if (factor.kind === "spline" || factor.kind === "monotonic") {
    throw new Error(`internal: ${factor.kind} terms are no columns`);
  }
  const column = columns.predictor(factor.column);
  return column.type === "category" && factor.by === undefined
    ? indicators(levelsOf(columns, factor))
    : [centred(columns, factor)];
}

/** The products of the columns of several factors. */
export function productsOf(columns: Columns, factors: readonly Factor[]): DesignColumn[] {
  const designs = factors.map((factor) => designOf(columns, factor));
  return designs.reduce((all, design) => all.flatMap((a) => design.map((b) => times(a, b))));
}

/** Hinges max(0, x − knot) at quantiles, for a spline of degree one (Ruppert, Wand, Carroll 2003). */
export function hingesOf(
  columns: Columns,
  { column: name, knots }: Factor & { readonly kind: "spline" },
): string[] {
  const { values } = columns.numbers(name);
  const shares = Array.from({ length: knots }, (_, i) => (i + 1) / (knots + 1));
  const sd = spreadOf(columns, name, values);
  const at = new Set(quantiles(values, shares).map((x) => roundTo(x, sd / 50)));
  return [...at].map((knot) => `np.maximum(${readOf(name)} - ${literal(knot)}, 0)`);
}

function centred(
  columns: Columns,
  { column: name, by }: Factor & { readonly kind: "column" },
): DesignColumn {
  const column = columns.numbers(name);
  const values = valuesBy(column, by);
  const label = by ? `${by}(${name})` : name;
  const sd = spreadOf(columns, label, values);
  const read = by ? `${functionNames[by]}(${readOf(name)})` : readOf(name);
  const own = { label, name: by ? `${by}_${columns.slug(name)}` : columns.slug(name) };
  if (column.type === "binary" && !by) return { ...own, text: read, zero: `${name} = 0`, values };
  const centre = roundTo(moments(values).mean, sd / 50);
  const zero = `${label} = ${centre}`;
  return { ...own, text: less(read, centre), zero, values: values.map((x) => x - centre) };
}

/** A column's levels that some row has: the label of each in reports, and its code in the rows. */
interface Levels {
  readonly column: string;
  readonly slug: string;
  readonly values: Float64Array;
  readonly levels: readonly { readonly name: string; readonly code: number }[];
}

/** The levels of a category, or of a column of numbers that are names. */
function levelsOf(columns: Columns, { column: name }: Factor): Levels {
  const { type } = columns.predictor(name);
  const { values, categories } = type === "category"
    ? columns.group(name)
    : { ...columns.numbers(name), categories: undefined };
  const found = [...new Set(values)].sort((a, b) => a - b);
  const levels = found.map((code) => ({ name: categories?.[code] ?? String(code), code }));
  if (levels.length > 1) return { column: name, slug: columns.slug(name), values, levels };
  const message = `Cannot use "${name}": every row is at ${levels[0].name}`;
  throw inputError("formula/constant", message, undefined, "leave it out: it can explain nothing");
}

/** A column for each level but the one that the others are compared with: the first, if none is named. */
function indicators({ column, slug, values, levels }: Levels, asked?: string): DesignColumn[] {
  const against = asked === undefined ? levels[0] : levels.find(({ name }) => name === asked);
  if (!against) {
    const message = `Cannot compare the levels of "${column}" with "${asked}": no row has it`;
    const hint = `levels: ${listed(levels.map(({ name }) => name))}`;
    throw inputError("formula/level", message, undefined, hint);
  }
  return levels.filter((level) => level !== against).map(({ name, code }, i) => ({
    text: `(${readOf(column)} == ${literal(code)})`,
    label: `${column}: ${name}`,
    against: against.name,
    zero: `${column} = ${against.name}`,
    name: `${slug}_${Number.isInteger(code) && code >= 0 ? code : `level${i + 1}`}`,
    values: values.map((one) => (one === code ? 1 : 0)),
  }));
}

function powers(
  columns: Columns,
  { column: name, degree }: Factor & { readonly kind: "poly" },
): DesignColumn[] {
  const { values } = columns.numbers(name);
  const sd = spreadOf(columns, name, values);
  const [centre, unit] = [roundTo(moments(values).mean, sd / 50), twoDigits(sd)];
  const z = `(${less(readOf(name), centre)} / ${literal(unit)})`;
  return Array.from({ length: degree }, (_, i) => {
    const raised = values.map((x) => ((x - centre) / unit) ** (i + 1));
    const mean = i === 0 ? 0 : twoDigits(moments(raised).mean);
    return {
      text: i === 0 ? z : less(`${z} ** ${i + 1}`, mean),
      label: `${name}^${i + 1}`,
      name: `${columns.slug(name)}_pow${i + 1}`,
      values: raised.map((x) => x - mean),
    };
  });
}

function times(a: DesignColumn, b: DesignColumn): DesignColumn {
  const against = [a, b].flatMap((one) => one.against ?? []).join(" × ");
  return {
    text: `${a.text} * ${b.text}`,
    label: `${a.label} × ${b.label}`,
    ...(against !== "" && { against }),
    ...(a.zero && b.zero && { at: `${a.label} at ${b.zero}, ${b.label} at ${a.zero}` }),
    name: `${a.name}_x_${b.name}`,
    values: a.values.map((x, i) => x * b.values[i]),
  };
}

function spreadOf(columns: Columns, label: string, values: Float64Array): number {
  const { sd } = moments(values);
  if (sd > 0) return sd;
  const message = `Cannot use "${label}": all ${columns.dataset.rows} values are ${values[0]}`;
  throw inputError("formula/constant", message, undefined, "leave it out: it can explain nothing");
}

/** The nearest number on a decimal grid that is as fine as `step`. */
function roundTo(value: number, step: number): number {
  let digits = 0;
  while (digits < 12 && Number(`1e-${digits}`) > step) digits++;
  return Number(value.toFixed(digits));
}

/** A text less a number, in brackets. */
export function less(text: string, centre: number): string {
  if (centre === 0) return text.startsWith("(") ? text : `(${text})`;
  return `(${text} ${centre < 0 ? "+" : "-"} ${literal(Math.abs(centre))})`;
}

const functionNames = { log: "np.log", log1p: "np.log1p", sqrt: "np.sqrt", exp: "np.exp" };

/**
 * Characters of a column's name that have a meaning in Python strings or are invisible: they are written
 * by their code points, since names come from untrusted files.
 */
const meaningful = /["'\\]|[\p{C}\p{Zl}\p{Zp}]/gu;

/** Expression by which a program reads a column, with doubled braces, as texts of a grammar have them. */
export function readOf(column: string): string {
  return `data["${column.replace(meaningful, escaped).replace(/[{}]/g, "$&$&")}"]`;
}

/** Escape of a character by its code point, in Python's notation. */
function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** A number as Python writes it. */
export function literal(value: number): string {
  return String(value).replace("e+", "e");
}
