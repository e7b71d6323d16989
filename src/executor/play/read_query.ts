/** Reads what an agent asks: a row of inputs, or the reason why it is refused. */
import { nearest } from "../../base/nearest.ts";
import type { InputRow } from "./draw_rows.ts";
import { rulesOf } from "./draw_rows.ts";
import { type Experiment, type Input, inputsOf } from "./experiment.ts";

/** A query that was read, or why it is refused: a refusal costs nothing. */
type ReadQuery =
  | { readonly kind: "row"; readonly row: InputRow }
  | { readonly kind: "refused"; readonly reason: string };

/** Letters of a query: more are no row of inputs. */
const mostLetters = 4096;

/**
 * Reads a query: an object with a value for each input that is asked. Numbers in text are read as numbers; with units or
 * words about them they are refused.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readQuery } from "./read_query.ts";
 * import { readExperiment } from "./read_experiment.ts";
 * const experiment = readExperiment(
 *   `format = 1
 * name = "line"
 * program = "…"
 * response = { name = "y", type = "real" }
 * inputs.x = { type = "real", low = 0, high = 5 }
 * story = "A line."
 * plain_story = "A line."
 * words = "at {x} it is {y}"
 * `,
 *   "line.toml",
 * );
 * assert.deepEqual(readQuery({ x: "0.5" }, experiment), { kind: "row", row: { x: 0.5 } });
 * const refused = readQuery({ x: "3 years" }, experiment);
 * assert(refused.kind === "refused" && /wanted a number/.test(refused.reason));
 * ```
 */
export function readQuery(query: unknown, experiment: Experiment): ReadQuery {
  if (JSON.stringify(query)?.length > mostLetters) {
    return refused(`a query has at most ${mostLetters} letters`);
  }
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    return refused(`found ${shown(query)}, wanted an object such as ${exampleOf(experiment)}`);
  }
  const inputs = inputsOf(experiment);
  const asked = [...inputs].filter(([, input]) => !isEach(input)).map(([name]) => name);
  for (const key of Object.keys(query)) {
    if (asked.includes(key)) continue;
    const near = nearest(key, asked);
    return refused(
      `"${key.slice(0, 40)}" is no input: ${
        near ? `did you mean "${near}"?` : `inputs are ${asked.join(", ")}`
      }`,
    );
  }
  const row: Record<string, number> = {};
  for (const name of asked) {
    const value = (query as Record<string, unknown>)[name];
    if (value === undefined) return refused(`it lacks "${name}"`);
    const found = readValue(value, inputs.get(name)!);
    if (typeof found === "string") return refused(`${name} is ${shown(value)}: ${found}`);
    row[name] = found;
  }
  for (const rule of rulesOf(experiment)) {
    if (!rule.holds(row)) return refused(`it breaks the rule ${rule.text}`);
  }
  return { kind: "row", row };
}

/** Whether a query is answered at every value of an input. */
export function isEach(input: Input): boolean {
  return input.type !== "real" && input.each;
}

/** A whole number in text: "3" or "3.5", and nothing about it. */
const numeral = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/;

/** The number that a value is; undefined if it is none. "0.31" is a number, "3 years" and "between 3 and 4" are not. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || !numeral.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function readValue(value: unknown, input: Input): number | string {
  if (input.type === "category") {
    const code = input.levels.indexOf(`${value}`);
    return code >= 0 ? code : `wanted one of ${input.levels.join(", ")}`;
  }
  const number = readNumber(value);
  if (number === undefined) {
    return `wanted a number from ${input.low} to ${input.high}, without unit or words`;
  }
  if (input.type === "integer" && !Number.isInteger(number)) return "wanted a whole number";
  if (number < input.low || number > input.high) {
    return `wanted a number from ${input.low} to ${input.high}`;
  }
  return number;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? `${value}`;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function exampleOf(experiment: Experiment): string {
  const own = [...inputsOf(experiment)].filter(([, input]) => !isEach(input)).map((
    [name, input],
  ) => [name, input.type === "category" ? input.levels[0] : input.low]);
  return JSON.stringify(Object.fromEntries(own));
}

function refused(reason: string): ReadQuery {
  return { kind: "refused", reason };
}
