/** Strings built from both ends (Shen et al. 2023, QM9-str): few objects, many paths to each. */
import { z } from "../../base/zod.ts";
import { RandomStream } from "../../base/random.ts";
import { log } from "../../numerics/math/mod.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import type { Environment, StateFeatures } from "./environment.ts";
import { SpecChecks } from "./checks.ts";
import { graphEnvironment } from "./graph.ts";
import { placeOf, wordAt } from "./string_table.ts";
import { maskOf } from "./tree.ts";

const parameters = z.strictObject({
  blocks: z.int().min(2).max(26).default(11).describe("number of different blocks"),
  length: z.int().min(2).max(12).default(5).describe("blocks of a string"),
  exponent: z.number().positive().default(5).describe("sharpness of the reward"),
  floor: z.number().positive().default(0.001).describe(
    "smallest score; lower ones are raised to it",
  ),
  seed: z.int().min(0).default(0).describe("draws the scores of pairs"),
});

/** Parameters of the strings. */
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
  /** Measured scores y instead, `[blocks^length]`, in the order of the alphabet. */
  readonly scores?: readonly number[];
}

/** The size of QM9-str: 11 blocks, 5 places, 161,051 strings. */
export const defaultStrings: StringsSpec = parameters.parse({});

/**
 * Strings of `length` blocks, built by appending or prepending one block at a time; the first
 * block is appended, so each string has 2^(length − 1) paths. Two steps into one string of equal
 * blocks (a, then a before or behind it) are counted apart. The exit is legal at full length.
 *
 *     R(x) = 100 max(y(x), floor)^exponent,   y(x) = mean over neighbours of w(x_i, x_{i+1})
 *
 * with pair scores w uniform in (0, 1), drawn by `seed`. Size, paths and the shape of the reward are
 * those of QM9-str (Shen et al. 2023, arXiv 2305.07170); its measured gaps are replaced by pair scores,
 * so that nothing has to be fetched; `scores` takes measured ones. The prior is uniform over
 * strings.
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
  const masks = masksOf(blocks);
  const reward = rewards(spec);
  const logPrior = 0 - length * log(blocks);
  return graphEnvironment<string>({
    kind: "strings",
    spec,
    actionNames: [...letters.map((x) => `… ${x}`), ...letters.map((x) => `${x} …`), "exit"],
    backwardNames: ["drop the last", "drop the first"],
    maxActions: length + 1,
    count: blocks ** length,
    initial: "",
    legal: ({ length: n }) => n === 0 ? masks.first : n === length ? masks.full : masks.open,
    legalBack: (word) => masks.back[Math.min(2, word.length)],
    after: (word, a) => a < blocks ? word + letters[a] : letters[a - blocks] + word,
    before: (word, backwardAction) =>
      backwardAction === 0
        ? { state: word.slice(0, -1), action: blockAt(word, word.length - 1) }
        : { state: word.slice(1), action: blocks + blockAt(word, 0) },
    undoing: (action) => action < blocks ? 0 : 1,
    key: (word) => word,
    features: oneHot(blocks, length),
    object: (word) => {
      return {
        text: word,
        actions: [...word].map((_, at) => blockAt(word, at)),
        features: [
          ...new Set(word),
        ],
      };
    },
    logReward: reward,
    objectLogPrior: () => logPrior,
    *objects() {
      for (let i = 0; i < blocks ** length; i++) yield wordAt(i, blocks, length);
    },
  });
}

const blockAt = (word: string, at: number): number => word.charCodeAt(at) - 65;

/** Masks of legal actions at first, in between, at full length; and backwards, by the length so far. */
function masksOf(blocks: number) {
  const size = 2 * blocks + 1;
  return {
    first: maskOf(size, Array(blocks).keys()),
    open: maskOf(size, Array(2 * blocks).keys()),
    full: maskOf(size, [2 * blocks]),
    back: [maskOf(2, []), maskOf(2, [0]), maskOf(2, [0, 1])],
  };
}

/** One number per place and block, and one for a place that is empty yet. */
function oneHot(blocks: number, length: number): StateFeatures<string> {
  return {
    size: length * (blocks + 1),
    encode: (word, out, offset) => {
      for (let at = 0; at < length; at++) {
        const one = at < word.length ? blockAt(word, at) : blocks;
        out[offset + at * (blocks + 1) + one] = 1;
      }
    },
  };
}

/** log R of full strings. */
function rewards(spec: StringsSpec): (word: string) => number {
  const { blocks, exponent, floor, scores } = spec;
  const logScale = log(100);
  const score = scores ? (word: string) => scores[placeOf(word, blocks)] : pairScore(spec);
  return (word) => logScale + exponent * log(Math.max(score(word), floor));
}

/** The mean of random scores of neighbouring blocks. */
function pairScore({ blocks, length, seed }: StringsSpec): (word: string) => number {
  const random = new RandomStream("pair scores", seed);
  const pairs = Float64Array.from({ length: blocks * blocks }, () => random.uniform());
  return (word) => {
    let sum = 0;
    for (let at = 1; at < length; at++) {
      sum += pairs[blockAt(word, at - 1) * blocks + blockAt(word, at)];
    }
    return sum / (length - 1);
  };
}

function check({ blocks, length, exponent, floor, seed, scores }: StringsSpec): void {
  const checks = new SpecChecks("strings");
  checks.integer("blocks", blocks, 2, 26);
  checks.integer("length", length, 2, 12);
  checks.positive("exponent", exponent);
  checks.positive("floor", floor);
  checks.integer("seed", seed, 0, 2 ** 31);
  const given = `${scores?.length} scores for ${blocks ** length} strings`;
  checks.require(!scores || scores.length === blocks ** length, given, "give every string one");
  checks.done();
}

/** The environment of strings, as pipelines make it. */
export const strings: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "strings",
  description: "Strings built from both ends, the size of QM9-str (after Shen et al. 2023).",
  called: "the strings",
  parameters,
  make: stringsEnvironment,
});
