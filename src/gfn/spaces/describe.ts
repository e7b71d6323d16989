/** A space of models in words and numbers, before anything is scored. */
import type { GrammarSpec, HoleSpec } from "../grammar/spec.ts";

/**
 * Numbers of programs and questions with more than one answer, then a line for each question: its
 * answers with their prior probabilities, those of interactions where they may be in; last the nuisance choices.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { describeSpace } from "./describe.ts";
 * const production = (name: string, answer: string) => ({
 *   name,
 *   answer,
 *   weight: 1,
 *   text: "pass",
 *   requires: [],
 *   requiresAny: [],
 *   excludes: [],
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
  const asked = holes.filter(({ nuisance }) => !nuisance);
  const averaged = holes.filter(({ nuisance }) => nuisance);
  const open = asked.filter((hole) => byAnswer(hole).size > 1).length;
  const questions = `${open} question${open === 1 ? "" : "s"}`;
  return [
    `${count} program${programs === 1 ? "" : "s"} over ${questions}`,
    ...asked.map((hole) => `${hole.question ?? hole.name}: ${answersOf(hole)}`),
    ...averaged.map(({ name, productions }) =>
      `averaged over: ${name} ${productions.map(({ text }) => text).join(", ")}`
    ),
  ];
}

/** Productions by the answer that they give. */
function byAnswer({ productions }: HoleSpec) {
  return Map.groupBy(productions, ({ answer, class: own, name }) => answer ?? own ?? name);
}

/** Answers with their priors; productions of one answer are added up. */
function answersOf(hole: HoleSpec): string {
  const total = hole.productions.reduce((sum, { weight }) => sum + weight, 0);
  return [...byAnswer(hole)].map(([answer, same]) => {
    const prior = same.reduce((sum, { weight }) => sum + weight, 0) / total;
    const isBound = same.every(({ requires, requiresAny }) =>
      requires.length + requiresAny.length > 0
    );
    const shown = Number(prior.toPrecision(3));
    return `${answer} ${shown}${isBound ? " where its margins are in" : ""}`;
  }).join(", ");
}
