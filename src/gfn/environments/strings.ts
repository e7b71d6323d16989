/** Strings built from both ends (Shen et al. 2023, QM9-str): few objects, many ways to each. */
import { digestOf } from "../../base/digest.ts";
import { RandomStream } from "../../base/random.ts";
import { log } from "../../math/elementary.ts";
import type { Environment, TerminalObject } from "../environment.ts";
import { requireEnumerable, SpecChecks } from "./checks.ts";
import { maskOf } from "./tree.ts";
import { uniformLogPrior } from "./uniform_prior.ts";

/** What spans the strings. */
export interface StringsSpec {
  /** Number of different blocks, 2 to 26. */
  readonly blocks: number;
  /** Blocks of a string, 2 to 12. */
  readonly length: number;
  /** R = 100 max(y, floor)^exponent; above 0. */
  readonly exponent: number;
  /** Least score that counts, above 0. */
  readonly floor: number;
  /** Draws the scores of pairs. */
  readonly seed: number;
}

/** The size of QM9-str: 11 blocks, 5 places, 161,051 strings. */
export const defaultStrings: StringsSpec = {
  blocks: 11,
  length: 5,
  exponent: 5,
  floor: 0.001,
  seed: 0,
};

/**
 * Strings of `length` blocks, built by appending or prepending one block at a time; the first
 * block is appended, so each string has 2^(length − 1) ways. Two ways into one string of equal
 * blocks (a, then a before or behind it) are two steps. The exit is legal at full length.
 *
 *     R(x) = 100 max(y(x), floor)^exponent,   y(x) = mean over neighbours of w(x_i, x_{i+1})
 *
 * with pair scores w uniform in (0, 1), drawn by `seed`. Size, ways and the shape of the reward are
 * those of QM9-str (Shen et al. 2023, arXiv 2305.07170); its measured gaps are replaced by pair scores,
 * so that nothing has to be fetched. The prior is uniform over strings.
 *
 * @throws InputError with every finding on the spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defaultStrings, stringsEnvironment } from "./strings.ts";
 * const environment = stringsEnvironment({ ...defaultStrings, blocks: 3, length: 2 });
 * assert.equal([...environment.enumerate()].length, 9);
 * const ab = environment.step(environment.step(environment.initialState(), 1), 3);
 * assert.equal(environment.terminal(ab).text, "AB");
 * ```
 */
export function stringsEnvironment(spec: StringsSpec): Environment<string> {
  check(spec);
  const { blocks, length } = spec;
  const letters = Array.from({ length: blocks }, (_, i) => String.fromCharCode(65 + i));
  const exitAction = 2 * blocks;
  const [first, open, full] = [
    maskOf(exitAction + 1, letters.keys()),
    maskOf(exitAction + 1, Array(exitAction).keys()),
    maskOf(exitAction + 1, [exitAction]),
  ];
  const waysBack = [maskOf(2, []), maskOf(2, [0]), maskOf(2, [0, 1])];
  const legal = (word: string) => word.length === 0 ? first : word.length === length ? full : open;
  const legalBack = (word: string) => waysBack[Math.min(2, word.length)];
  const count = blocks ** length;
  const logPrior = 0 - length * log(blocks);
  const reward = rewards(spec);
  const block = (word: string, at: number) => word.charCodeAt(at) - 65;
  const logReward = (word: string) => {
    if (word.length !== length) throw new Error("internal: exit is illegal");
    return reward(word);
  };
  const terminal = (word: string): TerminalObject => {
    const actions = [...[...word].map((_, at) => block(word, at)), exitAction];
    const features = [...new Set(word)];
    return { text: word, logPrior, actions, features, logReward: logReward(word) };
  };
  return {
    kind: "strings",
    digest: digestOf({ kind: "strings", spec }),
    spec,
    actionNames: [...letters.map((x) => `… ${x}`), ...letters.map((x) => `${x} …`), "exit"],
    exitAction,
    maxActions: length + 1,
    count,
    initialState: () => "",
    legalActions: legal,
    step: (word, action) => {
      if (action === exitAction || legal(word)[action] !== 1) throw illegal(action);
      return action < blocks ? word + letters[action] : letters[action - blocks] + word;
    },
    logPrior: (word) => uniformLogPrior(legal(word)),
    terminal,
    *enumerate() {
      requireEnumerable("strings", count);
      for (let i = 0; i < count; i++) yield terminal(wordOf(i, letters, length));
    },
    backward: {
      actionNames: ["drop the last", "drop the first"],
      legalActions: legalBack,
      previous: (word, action) => {
        if (legalBack(word)[action] !== 1) throw illegal(action);
        return action === 0
          ? { state: word.slice(0, -1), action: block(word, word.length - 1) }
          : { state: word.slice(1), action: blocks + block(word, 0) };
      },
      undoing: (_word, action) => action < blocks ? 0 : 1,
    },
    stateKey: (word) => word,
    features: {
      size: length * (blocks + 1),
      encode: (word, out, offset) => {
        for (let at = 0; at < length; at++) {
          const one = at < word.length ? block(word, at) : blocks;
          out[offset + at * (blocks + 1) + one] = 1;
        }
      },
    },
    logReward,
  };
}

const illegal = (action: number) => new Error(`internal: action ${action} is illegal`);

/** The i-th string in the order of the alphabet. */
function wordOf(i: number, letters: readonly string[], length: number): string {
  let word = "";
  for (let at = 0; at < length; at++) {
    word = letters[i % letters.length] + word;
    i = Math.floor(i / letters.length);
  }
  return word;
}

function rewards({ blocks, length, exponent, floor, seed }: StringsSpec) {
  const random = new RandomStream("pair scores", seed);
  const scores = Float64Array.from({ length: blocks * blocks }, () => random.uniform());
  const logScale = log(100);
  return (word: string): number => {
    let sum = 0;
    for (let at = 1; at < length; at++) {
      sum += scores[(word.charCodeAt(at - 1) - 65) * blocks + word.charCodeAt(at) - 65];
    }
    return logScale + exponent * log(Math.max(sum / (length - 1), floor));
  };
}

function check({ blocks, length, exponent, floor, seed }: StringsSpec): void {
  const checks = new SpecChecks("strings");
  checks.integer("blocks", blocks, 2, 26);
  checks.integer("length", length, 2, 12);
  checks.positive("exponent", exponent);
  checks.positive("floor", floor);
  checks.integer("seed", seed, 0, 2 ** 31);
  checks.done();
}
