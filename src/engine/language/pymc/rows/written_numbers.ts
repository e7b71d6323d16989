/** How many numbers a text holds that could be a table of the rows. */
import type { Column } from "../../../../base/dataset.ts";
import { fewest, isRegular } from "../memorised.ts";
import { expressionsIn, seenStatements } from "../seen_statements.ts";
import { parse } from "../../syntax/parser.ts";
import { Source } from "../../syntax/source.ts";
import { children, type Expression } from "../../syntax/tree.ts";

/** Shorter lists are arguments, not tables. */
const shortestList = 4;
/** Entries that are too few for a table, however short the series: a program has as many settings. */
const fewestEntries = 12;
/** Digits that one entry of a table needs, where many of them stand in one number. */
const digitsOfEntry = 3;

/**
 * Counts what a text could say of so many rows: numbers in lists that are neither regular nor a
 * predictor's, other numbers once each by their digits, and characters of strings that are no
 * words. A text that cannot be parsed here is counted by its numerals.
 */
function writtenNumbers(text: string, predictors: readonly Column[]): number {
  const parsed = parse(new Source(text, "program.py"));
  if (!parsed.ok) {
    return (text.match(/\d+(\.\d+)?/g) ?? []).reduce((sum, one) => sum + entries(one), 0);
  }
  let count = 0;
  const seen = new Set<number>();
  const pending = seenStatements(parsed.statements).flatMap(expressionsIn);
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "number" && !seen.has(e.value)) count += entries(`${e.value}`);
    if (e.kind === "number") seen.add(e.value);
    if (e.kind === "string" && !/^[\p{L}_][\p{L}\p{N}_. -]*$/u.test(e.value)) {
      count += e.value.length >= fewest ? e.value.length : 0;
    }
    const list = numbersIn(e);
    if (list.length < shortestList) pending.push(...children(e));
    else if (!isRegular(list) && !predictors.some((one) => isColumn(one, list))) {
      count += list.length;
    }
  }
  return count;
}

/** Whether a text holds numbers for half of the rows, or more. */
export function holdsTable(text: string, rows: number, predictors: readonly Column[]): boolean {
  return writtenNumbers(text, predictors) >= Math.max(fewestEntries, rows / 2);
}

/** How many entries of a table a numeral could hold: one of fewer digits is a setting. */
function entries(numeral: string): number {
  const digits = numeral.replace(/e.*$/i, "").replace(/\D/g, "").replace(/^0+|0+$/g, "").length;
  return Math.floor(digits / digitsOfEntry);
}

/** The numbers of a list, a tuple or the values of a dictionary that holds nothing else. */
function numbersIn(e: Expression): number[] {
  const items = e.kind === "list" || e.kind === "tuple" || e.kind === "set"
    ? e.items
    : e.kind === "dictionary"
    ? e.values
    : [];
  const numbers = items.map(numberOf);
  return numbers.some((one) => one === undefined) ? [] : numbers as number[];
}

function numberOf(e: Expression): number | undefined {
  if (e.kind === "number") return e.value;
  if (e.kind !== "unary" || e.op !== "-") return undefined;
  const inner = numberOf(e.operand);
  return inner === undefined ? undefined : -inner;
}

function isColumn({ values }: Column, list: readonly number[]): boolean {
  return values.length === list.length && list.every((value, i) => value === values[i]);
}
