/** Bounds on the holes that lead back to themselves, in words. */
import { compileGrammar } from "../compile.ts";
import type { GrammarSpec } from "../spec.ts";
import { Rooms } from "./rooms.ts";
import { Sizes } from "./sizes.ts";

/**
 * A line for each recursive hole: how many fillings it has, and how much of the prior that its
 * weights would give to derivations of any length is theirs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { describeRecursion } from "./describe.ts";
 * const production = (name: string, text: string) => ({
 *   name, weight: 1, text, requires: [], requiresAny: [], excludes: [],
 * });
 * const [line] = describeRecursion({
 *   format: 1, name: "a", template: "{x}", exit: 1, clauses: [], depth: 2,
 *   holes: [{
 *     name: "x", type: "expression",
 *     productions: [production("one", "1"), production("minus", "({x} - {x})")],
 *   }],
 * });
 * assert.equal(line, 'hole "x": 2 fillings, 62.5 % of what its weights give to any length');
 * ```
 */
export function describeRecursion(spec: GrammarSpec): string[] {
  const rooms = new Rooms(compileGrammar(spec));
  const sizes = new Sizes(rooms);
  return rooms.grammar.holes.flatMap(({ name }, hole) => {
    if (!rooms.nested[hole].isRecursive) return [];
    const place = rooms.entry(hole);
    const share = Number((100 * sizes.kept(place)).toPrecision(3));
    const count = sizes.count(place);
    const fillings = count < 2 ** 53 ? count.toLocaleString("en") : count.toPrecision(3);
    return [
      `hole "${name}": ${fillings} fillings, ${share} % of what its weights give to any length`,
    ];
  });
}
