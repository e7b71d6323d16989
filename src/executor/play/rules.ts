/** Rules between inputs: `immediate <= delayed`, `p + q <= 1`. */
import { nearest } from "../../base/nearest.ts";

/** A rule that was read. */
export interface Rule {
  readonly text: string;
  /** Whether values obey it. */
  holds(values: Readonly<Record<string, number>>): boolean;
}

/** Signs that compare, the longer first. */
const signs = /<=|>=|<|>/;

/**
 * Reads a rule.
 *
 * @returns the rule, or why it is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readRule } from "./rules.ts";
 * const rule = readRule("p + q <= 1", ["p", "q"]);
 * assert(typeof rule === "object" && rule.holds({ p: 0.2, q: 0.8 }) && !rule.holds({ p: 0.5, q: 0.6 }));
 * assert.equal(readRule("p + share <= 1", ["p", "q"]), 'it has "share", which is no input: inputs are p, q');
 * ```
 */
export function readRule(text: string, inputs: readonly string[]): Rule | string {
  const sides = text.split(signs);
  const sign = signs.exec(text)?.[0];
  if (sides.length !== 2 || !sign) return "wanted two sums and one of <=, >=, <, > between them";
  const [left, right] = sides.map((side) => readSum(side, inputs));
  if (typeof left === "string") return left;
  if (typeof right === "string") return right;
  return {
    text,
    holds: (values) => compare(left(values), sign, right(values)),
  };
}

type Sum = (values: Readonly<Record<string, number>>) => number;

function readSum(text: string, inputs: readonly string[]): Sum | string {
  const terms = text.split("+").map((term) => term.trim());
  for (const term of terms) {
    if (inputs.includes(term) || (term !== "" && Number.isFinite(Number(term)))) continue;
    const near = nearest(term, inputs);
    const meant = near ? `did you mean "${near}"?` : `inputs are ${inputs.join(", ")}`;
    return `it has "${term}", which is no input: ${meant}`;
  }
  return (values) => terms.reduce((sum, term) => sum + (values[term] ?? Number(term)), 0);
}

/** Sums of decimals such as 0.1 + 0.2 may miss a bound by a rounding. */
const slack = 1e-9;

function compare(left: number, sign: string, right: number): boolean {
  switch (sign) {
    case "<=":
      return left <= right + slack;
    case ">=":
      return left >= right - slack;
    case "<":
      return left < right;
    default:
      return left > right;
  }
}
