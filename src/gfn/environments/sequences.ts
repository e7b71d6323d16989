/** Sequences of choices: at each place one of so many, the same tree for policies of any trainer. */
import type { Environment } from "./environment.ts";
import { maskOf, treeEnvironment } from "./tree.ts";
import { SpecChecks } from "./checks.ts";

/** Numbers of choices that span the sequences. */
export interface SequencesSpec {
  /** `[most places]`: how many choices each place has, 1 to 10,000; at most 10,000 places. */
  readonly choices: readonly number[];
  /** Places after which a sequence may end; all of them if left out. */
  readonly least?: number;
}

/**
 * Sequences x₁ … xₙ with 0 ≤ xₖ < choices[k], of `least` to `choices.length` places: subsets of 14 columns
 * are `Array(14).fill(2)`, words of up to eight letters `Array(8).fill(26)` with `least: 1`. An object's
 * text is its numbers. They have no rewards of their own.
 *
 * @throws InputError with every finding on the spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sequencesEnvironment } from "./sequences.ts";
 * const environment = sequencesEnvironment({ choices: [2, 3], least: 1 });
 * assert.equal(environment.count, 2 + 2 * 3);
 * const [, second] = environment.enumerate();
 * assert.equal(second.text, "0 0");
 * assert.equal(second.logReward, undefined);
 * ```
 */
export function sequencesEnvironment(spec: SequencesSpec): Environment {
  const { choices, least = choices.length } = spec;
  check(choices, least);
  const most = Math.max(...choices);
  const actionNames = [...Array.from({ length: most }, (_, i) => `${i}`), "end"];
  const masks = masksOf(choices, least, most);
  return treeEnvironment<number>({
    kind: "sequences",
    spec,
    actionNames,
    maxActions: choices.length + 1,
    initial: 0,
    count: countOf(choices, least),
    after: (place) => place + 1,
    legal: (place) => masks[place],
    object: (_, actions) => ({ text: actions.join(" "), features: [] }),
  }) as Environment;
}

/** `[places + 1]`: masks of legal actions; equal places share an array. */
function masksOf(choices: readonly number[], least: number, most: number): readonly Uint8Array[] {
  const made = new Map<string, Uint8Array>();
  return [...choices, 0].map((count, place) => {
    const key = `${count} ${place >= least}`;
    const end = place >= least ? [most] : [];
    const mask = made.get(key) ?? maskOf(most + 1, [...Array(count).keys(), ...end]);
    made.set(key, mask);
    return mask;
  });
}

/** Infinity beyond the range of doubles. */
function countOf(choices: readonly number[], least: number): number {
  let [product, sum] = [1, least === 0 ? 1 : 0];
  choices.forEach((count, k) => {
    product *= count;
    if (k + 1 >= least) sum += product;
  });
  return sum;
}

function check(choices: readonly number[], least: number): void {
  const checks = new SpecChecks("sequences");
  checks.integer("the number of places", choices.length, 1, 10_000);
  choices.forEach((count, k) => checks.integer(`choices[${k}]`, count, 1, 10_000));
  checks.integer("least", least, 0, choices.length);
  checks.done();
}
