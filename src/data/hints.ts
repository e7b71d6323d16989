/** Hints on the meaning of a column that its numbers do not show: questions to the user, never assumptions. */
import { shellWords } from "../base/shell_words.ts";
import { exp } from "../numerics/math/mod.ts";
import { maybeMissing } from "./missing_words.ts";

/** Different numbers below which a column is taken to measure something. */
const fewestNamed = 5;

/**
 * Whole numbers of which equal ones stand together, several times each: they may name persons, plots
 * or batches that were measured repeatedly.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { hintOfRepeated } from "./hints.ts";
 * const persons = [301, 302, 303, 304, 305].flatMap((person) => [person, person, person]);
 * assert.match(hintOfRepeated("person", persons)!, /--group person$/);
 * assert.equal(hintOfRepeated("day", persons.map((_, row) => row % 3)), undefined);
 * ```
 */
export function hintOfRepeated(name: string, values: readonly number[]): string | undefined {
  const starts = values.filter((value, row) => row === 0 || value !== values[row - 1]);
  const rows = Map.groupBy(values, (value) => value);
  const isNamed = rows.size >= fewestNamed && starts.length === rows.size &&
    values.every(Number.isInteger) && [...rows.values()].every(({ length }) => length > 1);
  return isNamed
    ? "equal numbers stand together: if they name what was measured repeatedly, " +
      shellWords(["--group", name])
    : undefined;
}

/** Asks whether whole numbers are names: a slope through codes is meaningless. */
export function hintOfCodes(name: string, codes?: readonly number[]): string | undefined {
  const remark = remarkOnCodes(name, codes);
  return remark && `${remark.found}: ${remark.remedy}`;
}

/** The same as a finding and its remedy. */
export function remarkOnCodes(
  name: string,
  codes?: readonly number[],
): { readonly found: string; readonly remedy: string } | undefined {
  return codes && {
    found: `the values ${codes.join(", ")} are read as amounts`,
    remedy: `if they are codes, write factor(${name}) in the formula, or ` +
      shellWords(["--category", name]),
  };
}

/** Number of levels from which a column of words is more often a group. */
const manyLevels = 6;

/**
 * Asks of words whether two of them are one, or stand for a missing value, and of many levels whether
 * they are a factor or a group.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { hintOfLevels } from "./hints.ts";
 * assert.match(hintOfLevels({ name: "sex", levels: ["F", "M", "m"] }).hint!, /^levels "M" and "m"/);
 * assert.match(hintOfLevels({ name: "sex", levels: ["F", "M", "unknown"] }).hint!, /--na unknown$/);
 * ```
 */
export function hintOfLevels(
  { name, levels = [], ordered }: {
    readonly name: string;
    readonly levels?: readonly string[];
    readonly ordered?: true;
  },
): { readonly hint?: string } {
  const one = [...Map.groupBy(levels, plainWord).values()].find(({ length }) => length > 1);
  if (one) {
    const shown = one.map((level) => `"${level}"`).join(" and ");
    return {
      hint: `levels ${shown} differ in case or blanks alone: write them alike if they are one`,
    };
  }
  const missing = levels.filter(maybeMissing);
  if (missing.length > 0 && levels.length - missing.length > 1) {
    const said = shellWords(["--na", missing.join(",")]);
    return {
      hint: `level "${missing[0]}" is one of its own: if it stands for a missing value, ${said}`,
    };
  }
  if (levels.length < manyLevels || ordered) return {};
  const hint =
    `${levels.length} levels: ${name} in the formula gives each an effect of its own; if they are a ` +
    `sample of plots or persons, write (1 | ${name})`;
  return { hint };
}

function plainWord(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]+/g, "");
}

/** Names of how long, or on how much, was counted. */
const amounts =
  /^(hours?|days?|nights?|minutes?|effort|exposure|duration|area|volume|distance|population)\b/i;

/**
 * Numbers above 0 beside counts, called like a time or an area: counts grow with them in proportion.
 *
 * @param values of the column.
 */
export function hintOfExposure(name: string, values: readonly number[]): string | undefined {
  if (!amounts.test(name) || values.some((value) => !(value > 0))) return undefined;
  return "if it is the exposure of the counts (time, area): offset(log(…)) in the formula, without " +
    "brackets";
}

/** Whole numbers up to which counts are not asked about, nor where there is a 0. */
const smallCount = 20;

const percents = /(^|[_. ])(pct|perc|percent|percentage|prozent)($|[_. ])|%/i;

/** Largest whole number of which a scale of ratings has most often steps. */
const mostSteps = 10;

/** Least zeros expected of counts of this mean, so that their absence is evidence. */
const fewestZeros = 3;

/** Whether counts may be steps of a scale: small ones, of which none is 0 though some should be, or that vary too little. */
function maybeSteps(values: readonly number[], least: number, most: number): boolean {
  if (most > mostSteps || most - least < 2) return false;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) /
    values.length;
  return least > 0 && values.length * exp(-mean) >= fewestZeros || variance < mean / 2;
}

/** The reading of a response, where families follow from it and a reader of the file may know better. */
export function hintOfResponse(
  name: string,
  { type, step, shape, values }: {
    readonly type: string;
    readonly step: number | undefined;
    readonly shape: "shares" | "long_tail" | "zeros_and_long_tail" | undefined;
    readonly values: readonly number[];
  },
): string | undefined {
  const [least, most] = [Math.min, Math.max].map((end) => values.reduce((a, b) => end(a, b)));
  const held = `whole numbers from ${least} to ${most}`;
  if (type === "count" && maybeSteps(values, least, most)) {
    const truncated = least > 0
      ? `, if rows of 0 could not be seen, ${name} | trunc(lb = 1) ~ …`
      : "";
    return `${held}, read as counts: if they are steps of a scale, say --space ordinal${truncated}`;
  }
  if (type === "count" && least > 0 && most >= smallCount) {
    return `${held}, read as counts: if it is measured (metres, seconds, money), say --families normal`;
  }
  if (type === "real" && step === 1) {
    return `${held}, read as measurements to 1: if it counts something, say --families poisson,` +
      "negative_binomial";
  }
  const isPercent = type === "real" && least >= 0 && most > 1 && most <= 100 && percents.test(name);
  if (isPercent) {
    return "shares in per cent: as shares between 0 and 1 their family is beta, of whole trials " +
      "y | trials(n)";
  }
  if (shape === "shares") return "shares between 0 and 1: the family is beta";
  if (shape === "zeros_and_long_tail") {
    return "zeros, and a long tail above 0: families are hurdle_log_normal and hurdle_gamma; else say " +
      "--families normal";
  }
  return shape === "long_tail"
    ? `above 0 with a long tail: families are log_normal and gamma, effects are of the logarithm; else ` +
      `say --families normal, or ask [${name} | log(${name})] ~ …`
    : undefined;
}
