/** Makes the priors of a program wider in its text, which is read by its brackets alone. */

/** A prior whose width is a number of the program. */
export interface WidenablePrior {
  /** Of the variable. */
  readonly name: string;
  /** The call as written. */
  readonly text: string;
  /** Of the argument of its width, in the program's text. */
  readonly scale: { readonly start: number; readonly end: number };
  /** Whether the argument is the inverse of a width. */
  readonly isRate: boolean;
}

/** The argument of a prior's width, and its place behind the name, if it may have one. */
const scales: Readonly<Record<string, readonly (readonly [string, number?])[]>> = {
  Normal: [["sigma", 1]],
  HalfNormal: [["sigma", 0]],
  LogNormal: [["sigma", 1]],
  TruncatedNormal: [["sigma", 1]],
  ZeroSumNormal: [["sigma", 0]],
  StudentT: [["sigma"]],
  HalfStudentT: [["sigma", 1]],
  Cauchy: [["beta", 1]],
  HalfCauchy: [["beta", 0]],
  Laplace: [["b", 1]],
  Logistic: [["s", 1]],
  Gumbel: [["beta", 1]],
  Exponential: [["lam", 0], ["scale"]],
  Gamma: [["sigma"]],
};

const declaration = /^([ \t]*)([\w, ]+?) *= *(.*)$|^[ \t]*(pm\..*)$/gm;
const call = /\bpm\.(\w+)\( *(["'])(\w+)\2/g;

/**
 * The priors of a program that can be made wider: their family has a scale, which depends on no other
 * random variable, as that of a group's effects does. A statement is a line.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { widenablePriors } from "./widened_priors.ts";
 * const text = 's = pm.HalfNormal("s", 1)\nb = pm.Normal("b", 0, s)\n';
 * assert.deepEqual(widenablePriors(text).map(({ name }) => name), ["s"]);
 * ```
 */
export function widenablePriors(text: string): WidenablePrior[] {
  const random = new Set<string>();
  const found: WidenablePrior[] = [];
  for (const line of text.matchAll(declaration)) {
    const [whole, , targets = "", value = ""] = line;
    const calls = [...whole.matchAll(call)];
    for (const one of calls) found.push(...priorOf(text, one, line.index + one.index, random));
    if (calls.length === 0 && !isRandom(value, random)) continue;
    for (const [name] of targets.matchAll(/\w+/g)) random.add(name);
  }
  return found;
}

/** The text with these priors so many times as wide. */
export function widenedText(
  text: string,
  priors: readonly WidenablePrior[],
  factor: number,
): string {
  const order = [...priors].sort((a, b) => b.scale.start - a.scale.start);
  return order.reduce((all, { scale: { start, end }, isRate }) => {
    const own = `(${all.slice(start, end)}) ${isRate ? "/" : "*"} ${factor}`;
    return `${all.slice(0, start)}${own}${all.slice(end)}`;
  }, text);
}

/** The prior that a call declares, if its width is a number. */
function priorOf(
  text: string,
  [, family, , name]: RegExpExecArray,
  start: number,
  random: ReadonlySet<string>,
): WidenablePrior[] {
  const [, ...given] = argumentsOf(text, text.indexOf("(", start));
  if (given.length === 0 || given.some(({ keyword }) => keyword === "observed")) return [];
  const positional = given.filter(({ keyword }) => keyword === undefined);
  for (const [keyword, place] of Object.hasOwn(scales, family) ? scales[family] : []) {
    const scale = given.find((one) => one.keyword === keyword) ??
      (place === undefined ? undefined : positional[place]);
    if (!scale || isRandom(text.slice(scale.start, scale.end), random)) continue;
    const end = given[given.length - 1].end + 1;
    const own = { start: scale.start, end: scale.end };
    return [{ name, text: text.slice(start, end), scale: own, isRate: keyword === "lam" }];
  }
  return [];
}

interface Argument {
  readonly keyword: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The arguments of the bracket that opens at a place; none where it does not close on its line. */
function argumentsOf(text: string, open: number): Argument[] {
  const found: Argument[] = [];
  let [depth, start, quote] = [0, open + 1, ""];
  for (let i = open; i < text.length && text[i] !== "\n"; i++) {
    const c = text[i];
    if (quote !== "") quote = c === quote ? "" : quote;
    else if (c === '"' || c === "'") quote = c;
    else if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) depth--;
    if (quote !== "" || !(depth === 0 || depth === 1 && c === ",")) continue;
    found.push(argumentAt(text, start, i));
    if (depth === 0) return found;
    start = i + 1;
  }
  return [];
}

function argumentAt(text: string, start: number, end: number): Argument {
  const [lead, keyword] = /^\s*(?:(\w+) *=(?!=) *)?/.exec(text.slice(start, end))!;
  return { keyword, start: start + lead.length, end };
}

function isRandom(expression: string, random: ReadonlySet<string>): boolean {
  return [...expression.matchAll(/[A-Za-z_]\w*/g)].some(([name]) => random.has(name));
}
