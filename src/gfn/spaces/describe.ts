/** A space of models in words and numbers, before anything is scored. */
import type { GrammarSpec } from "../grammar/spec.ts";

/**
 * How many programs over how many questions, then a line for each question: its answers with their
 * prior probabilities, those of interactions where they may be in.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { describeSpace } from "./describe.ts";
 * const production = (name: string, answer: string) => ({
 *   ...{ name, answer, weight: 1, text: "pass", requires: [], requiresAny: [], excludes: [] },
 * });
 * const productions = [production("no_x", "out"), production("x", "in")];
 * const hole = { name: "q_x", type: "statements" as const, question: "x", productions };
 * const spec = { format: 1, name: "a", template: "{q_x}", exit: 1, clauses: [], holes: [hole] };
 * assert.deepEqual(describeSpace({ ...spec, format: 1 }, 2), [
 *   "2 programs over 1 question",
 *   "x: out 0.5, in 0.5",
 * ]);
 * ```
 */
export function describeSpace({ holes }: GrammarSpec, programs: number): string[] {
  const count = programs < 2 ** 53 ? programs.toLocaleString("en") : programs.toPrecision(3);
  const questions = `${holes.length} question${holes.length === 1 ? "" : "s"}`;
  const lines = holes.map(({ name, question, productions }) => {
    const total = productions.reduce((sum, { weight }) => sum + weight, 0);
    const answers = productions.map(({ name, answer, weight, requires, requiresAny }) => {
      const isBound = requires.length + requiresAny.length > 0;
      const prior = Number((weight / total).toPrecision(3));
      return `${answer ?? name} ${prior}${isBound ? " where its margins are in" : ""}`;
    });
    return `${question ?? name}: ${answers.join(", ")}`;
  });
  return [`${count} programs over ${questions}`, ...lines];
}
