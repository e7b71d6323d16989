/** Designs of patsy's formulas: numbers, factors by treatment, their products, in patsy's order and by its names. */
import { applyMap, hostArray, numeric, pythonNumber, refuseGaps } from "../interpreter/arrays.ts";
import type { Checking } from "../interpreter/checking.ts";
import type { Place } from "../syntax/source.ts";
import {
  type FrameValue,
  type NumericValue,
  touchesResponse,
  type Value,
} from "../interpreter/values.ts";
import { namesOf } from "../interpreter/words.ts";

/** Columns of one factor, with their names: all levels, or all but the first. */
interface Coded {
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
}

/** A factor of a term: a number for each row, or levels. */
interface Factor {
  readonly text: string;
  readonly isNumber: boolean;
  readonly full: Coded;
  readonly reduced: Coded;
}

const plainName = /^(?:[\p{L}_][\p{L}\p{N}_.]*|Q\(\s*(?:"[^"]*"|'[^']*')\s*\))$/u;
const call =
  /^(C|center|standardize|scale|(?:np\.)?(?:log|log1p|sqrt|exp|log2|log10))\(\s*(.+?)\s*\)$/;
const squared = /^I\(\s*([\p{L}_][\p{L}\p{N}_]*)\s*\*\*\s*([1-9])\s*\)$/u;

/** The parts of a text between a letter that stands outside of brackets. */
function parts(text: string, letters: string): [string, string][] {
  const found: [string, string][] = [];
  let [depth, from, sign] = [0, 0, ""];
  for (let at = 0; at <= text.length; at++) {
    if ("([".includes(text[at] ?? " ")) depth++;
    if (")]".includes(text[at] ?? " ")) depth--;
    const isEnd = at === text.length || (depth === 0 && letters.includes(text[at]) &&
      !(text[at] === "*" && (text[at + 1] === "*" || text[at - 1] === "*")));
    if (!isEnd) continue;
    found.push([sign, text.slice(from, at).trim()]);
    [sign, from] = [text[at], at + 1];
  }
  return found;
}

/** Terms of a right side, each a list of factors' texts, and whether there is an intercept; undefined of others. */
function termsOf(
  text: string,
): { readonly terms: string[][]; readonly isShifted: boolean } | undefined {
  const terms: string[][] = [];
  let isShifted = true;
  const add = (term: readonly string[]) => {
    const own = [...new Set(term)];
    const isThere = terms.some((one) =>
      one.length === own.length && own.every((f) => one.includes(f))
    );
    if (!isThere) terms.push(own);
  };
  for (const [sign, part] of parts(text, "+-")) {
    if (part === "" && sign === "") continue;
    if (part === "0" || part === "1") isShifted = (part === "1") === (sign !== "-");
    else if (sign === "-" || part === "") return undefined;
    else {
      const crossed = parts(part, "*").map(([, one]) =>
        parts(one, ":").map(([, factor]) => factor)
      );
      if (crossed.flat().some((factor) => factor === "") || crossed.length > 4) return undefined;
      for (let size = 1; size <= crossed.length; size++) {
        for (const chosen of choose(crossed, size)) add(chosen.flat());
      }
    }
  }
  return { terms, isShifted };
}

/** All choices of `size` items, in their order. */
function choose<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, i) =>
    choose(items.slice(i + 1), size - 1).map((rest) => [item, ...rest])
  );
}

/** How a term's factors of levels are coded, so that no column repeats those before it; undefined beyond two. */
function codings(
  levels: readonly string[],
  seen: Set<string>,
): readonly boolean[] | undefined {
  const subsets = choose(levels, 0).concat(...levels.map((_, k) => choose(levels, k + 1)));
  const fresh = new Set(
    subsets.map((one) => JSON.stringify([...one].sort())).filter((one) => !seen.has(one)),
  );
  for (const one of fresh) seen.add(one);
  const has = (...names: string[]) => fresh.has(JSON.stringify(names.sort()));
  if (levels.length === 0) return [];
  if (levels.length === 1) return [has()];
  if (levels.length > 2) return fresh.size === 1 ? levels.map(() => false) : undefined;
  const [a, b] = levels;
  if (fresh.size === 4) return [true, true];
  if (fresh.size === 1) return [false, false];
  if (fresh.size === 2 && (has(a) || has(b))) return [has(b), has(a)];
  return undefined;
}

/**
 * The design of a right side; undefined where the formula is not read.
 *
 * @param entryOf the value of a name, in the data or of the program.
 */
export function designOf(
  checking: Checking,
  text: string,
  entryOf: (name: string) => Value | undefined,
  place: Place,
): FrameValue | Value | undefined {
  const read = termsOf(text);
  if (!read) return undefined;
  const factors = new Map<string, Factor>();
  for (const name of new Set(read.terms.flat())) {
    const value = factorValue(checking, name, entryOf, place);
    if (!value || touchesResponse(value)) return value && checking.derive(place, value);
    if (value.kind === "numeric" && value.gaps) return refuseGaps(checking, value, place);
    const factor = value.kind === "numeric" && !value.dated
      ? factorOf(checking, name, value)
      : undefined;
    if (!factor) return undefined;
    factors.set(name, factor);
  }
  return columnsOf(checking, read, factors, place);
}

function columnsOf(
  checking: Checking,
  { terms, isShifted }: { readonly terms: readonly string[][]; readonly isShifted: boolean },
  factors: ReadonlyMap<string, Factor>,
  place: Place,
): FrameValue | undefined {
  const numbersIn = (term: readonly string[]) => term.filter((one) => factors.get(one)!.isNumber);
  const buckets = new Map<string, string[][]>([["[]", isShifted ? [[]] : []]]);
  for (const term of terms) {
    const key = JSON.stringify(numbersIn(term).sort());
    buckets.set(key, [...buckets.get(key) ?? [], term]);
  }
  const { rows } = checking.dataset;
  const columns = new Map<string, Value>();
  for (const bucket of buckets.values()) {
    const seen = new Set<string>();
    const byDegree = bucket.toSorted((a, b) => a.length - b.length);
    for (const term of byDegree) {
      const levels = term.filter((one) => !factors.get(one)!.isNumber);
      const isFull = codings(levels, seen);
      if (!isFull) return undefined;
      const coded = term.map((one): Coded => {
        const factor = factors.get(one)!;
        return factor.isNumber || isFull[levels.indexOf(one)] ? factor.full : factor.reduced;
      });
      for (const [name, values] of products(coded, rows)) {
        checking.multiply(rows, place);
        columns.set(name, {
          ...hostArray(checking, values, [rows], "float", place),
          origin: "series",
        });
      }
    }
  }
  return columns.size > 0 ? { kind: "frame", columns } : undefined;
}

/** Products of a column of each factor, those of the first factor changing first. */
function products(coded: readonly Coded[], rows: number): [string, Float64Array][] {
  let made: [string, Float64Array][] = [["Intercept", new Float64Array(rows).fill(1)]];
  coded.forEach(({ names, columns }, k) => {
    made = names.flatMap((name, j) =>
      made.map(([before, values]): [string, Float64Array] => [
        k === 0 ? name : `${before}:${name}`,
        values.map((one, row) => one * columns[j][row]),
      ])
    );
  });
  return made;
}

function factorValue(
  checking: Checking,
  text: string,
  entryOf: (name: string) => Value | undefined,
  place: Place,
): Value | undefined {
  if (plainName.test(text)) {
    return entryOf(text.startsWith("Q(") ? text.slice(2, -1).trim().slice(1, -1) : text);
  }
  const [, base, power] = squared.exec(text) ?? [];
  const [, name, inner] = call.exec(text) ?? [];
  const value = base !== undefined
    ? entryOf(base)
    : inner !== undefined
    ? factorValue(checking, inner, entryOf, place)
    : undefined;
  if (!value || name === "C" || touchesResponse(value)) return value;
  const x = value.kind === "numeric" && !namesOf(checking, value)
    ? numeric(checking, value, place, "patsy")
    : undefined;
  if (!x) return undefined;
  if (power !== undefined) {
    return applyMap(
      checking,
      "pow",
      [x, pythonNumber(checking, Number(power), "int")],
      place,
      "float",
    );
  }
  if (["center", "standardize", "scale"].includes(name)) {
    return centred(checking, x, name !== "center", place);
  }
  const op = name.replace("np.", "");
  if (op === "log" || op === "log1p" || op === "sqrt" || op === "exp") {
    return applyMap(checking, op, [x], place, "float");
  }
  const logs = applyMap(checking, "log", [x], place, "float");
  const base2 = pythonNumber(checking, op === "log2" ? Math.LN2 : Math.LN10, "float");
  return logs && applyMap(checking, "div", [logs, base2], place, "float");
}

/** x less its mean; over its deviation, which divides by n in patsy. */
function centred(
  checking: Checking,
  x: NumericValue,
  isScaled: boolean,
  place: Place,
): NumericValue | undefined {
  const values = checking.graph.valueOf(x.node)?.values;
  if (!values) return undefined;
  const sorted = values.toSorted();
  const mean = sorted.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = sorted.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const scale = isScaled ? Math.sqrt(squares / values.length) : 1;
  const made = values.map((one) => (one - mean) / scale);
  return hostArray(checking, made, [values.length], "float", place);
}

function factorOf(checking: Checking, text: string, x: NumericValue): Factor | undefined {
  const values = checking.graph.valueOf(x.node)?.values;
  if (!values || values.length !== checking.dataset.rows) return undefined;
  const names = namesOf(checking, x);
  if (!names && x.dtype !== "bool" && !/^C\(/.test(text)) {
    const one: Coded = { names: [text], columns: [values] };
    return { text, isNumber: true, full: one, reduced: one };
  }
  const found = [...new Set(values)];
  const order = x.levels
    ? x.levels.map((_, code) => code)
    : names
    ? found.sort((a, b) => names[a] < names[b] ? -1 : 1)
    : found.sort((a, b) => a - b);
  const label = (code: number) =>
    names ? names[code] : x.dtype === "bool" ? (code ? "True" : "False") : `${code}`;
  const columns = order.map((code) => values.map((one) => one === code ? 1 : 0));
  const named = (mark: string) => order.map((code) => `${text}[${mark}${label(code)}]`);
  return {
    text,
    isNumber: false,
    full: { names: named(""), columns },
    reduced: { names: named("T.").slice(1), columns: columns.slice(1) },
  };
}
