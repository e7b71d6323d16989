/** Bit sequences (Malkin et al. 2022): come near one of several hidden sequences. */
import { z } from "../../base/zod.ts";
import { RandomStream } from "../../base/random.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import { editDistanceFrom } from "./edit_distance.ts";
import type { Environment } from "./environment.ts";
import { requireEnumerable, SpecChecks } from "./checks.ts";
import { maskOf, treeEnvironment, type TreeState } from "./tree.ts";

const parameters = z.strictObject({
  n: z.int().positive().default(16).describe("bits of a sequence, a multiple of 8"),
  k: z.int().positive().default(1).describe("bits per action, a divisor of n"),
  beta: z.number().positive().default(2).describe("the log reward is −beta times the distance"),
  distance: z.enum(["hamming", "edit"]).default("hamming").describe("distance to the nearest mode"),
  modes: z.int().min(0).default(0).describe(
    "number of modes, drawn by `seed`; 0: every concatenation of motifs",
  ),
  seed: z.int().min(0).default(0).describe("draws the modes"),
});

/** Parameters of the bit sequences. */
export type BitSequenceSpec = z.output<typeof parameters>;

/** All 65,536 sequences of 16 bits, one bit per action, R = e^(−2d). */
export const defaultBitSequence: BitSequenceSpec = parameters.parse({});

/** The motifs of Malkin et al. 2022, appendix. */
const motifs = ["00000000", "11111111", "11110000", "00001111", "00111100"] as const;
const motifBits = 8;

/** Modes beyond which a list of all concatenations is not made. */
const maxModes = 5 ** 6;

/**
 * Sequences of n bits, appended k at a time, so that the environment is a tree of n / k choices
 * among 2^k words, followed by the exit.
 *
 *     log R(x) = −β min_m d(x, m)
 *
 * with d the Hamming or the edit (Levenshtein) distance to a mode m, a concatenation of the motifs
 * 00000000, 11111111, 11110000, 00001111 and 00111100 (Malkin et al. 2022, arXiv 2201.13259, who
 * take n = 120, β = 1, the edit distance and 60 modes). Distances are integers, so
 * rewards are exact. The prior is uniform.
 *
 * @throws InputError with every finding on the spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logSumExp } from "../../numerics/math/log_sum_exp.ts";
 * import { bitSequenceEnvironment, defaultBitSequence } from "./bit_sequence.ts";
 * const environment = bitSequenceEnvironment({ ...defaultBitSequence, n: 8 });
 * const logZ = logSumExp([...environment.enumerate()].map((object) => object.logReward!));
 * assert.equal(logZ.toFixed(4), "2.5176");
 * ```
 */
export function bitSequenceEnvironment(
  spec: BitSequenceSpec,
): Environment<TreeState<string>> {
  check(spec);
  const { n, k, beta } = spec;
  const words = Array.from({ length: 2 ** k }, (_, i) => i.toString(2).padStart(k, "0"));
  const open = maskOf(words.length + 1, words.keys());
  const full = maskOf(words.length + 1, [words.length]);
  const distance = distanceToModes(spec);
  return treeEnvironment<string>({
    kind: "bit_sequence",
    spec,
    actionNames: [...words, "exit"],
    maxActions: n / k + 1,
    count: 2 ** n,
    initial: "",
    after: (bits, action) => bits + words[action],
    legal: (bits) => bits.length === n ? full : open,
    object: (bits) => ({ text: bits, features: distance(bits) === 0 ? ["mode"] : [] }),
    logReward: (bits) => 0 - beta * distance(bits),
    requireEnumerable: () => requireEnumerable("bit_sequence", 2 ** n),
  });
}

/** min_m d(x, m). Where all concatenations are modes, the Hamming distance splits by motif. */
function distanceToModes(spec: BitSequenceSpec): (bits: string) => number {
  const { n, distance, modes } = spec;
  if (distance === "hamming" && modes === 0) {
    return (bits) => {
      let sum = 0;
      for (let at = 0; at < n; at += motifBits) {
        sum += nearest(motifs, bits.slice(at, at + motifBits), hamming);
      }
      return sum;
    };
  }
  const known = bitSequenceModes(spec);
  if (distance === "hamming") return (bits) => nearest(known, bits, hamming);
  const distances = known.map(editDistanceFrom);
  return remembered((bits) => distances.reduce((least, from) => Math.min(least, from(bits)), n));
}

/** Texts whose distance is remembered: an object is asked for several times in a step. */
const mostRemembered = 2 ** 16;

function remembered(distance: (bits: string) => number): (bits: string) => number {
  const known = new Map<string, number>();
  return (bits) => {
    const found = known.get(bits);
    if (found !== undefined) return found;
    if (known.size === mostRemembered) known.clear();
    const value = distance(bits);
    known.set(bits, value);
    return value;
  };
}

function nearest(
  modes: readonly string[],
  bits: string,
  distance: (a: string, b: string) => number,
): number {
  let least = Infinity;
  for (const mode of modes) least = Math.min(least, distance(bits, mode));
  return least;
}

function hamming(a: string, b: string): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) sum++;
  return sum;
}

/** The hidden sequences: all concatenations of motifs, or as many different ones as asked for. */
export function bitSequenceModes({ n, modes, seed }: BitSequenceSpec): readonly string[] {
  const places = n / motifBits;
  if (modes === 0) {
    let all = [""];
    for (let i = 0; i < places; i++) {
      all = all.flatMap((before) => motifs.map((motif) => before + motif));
    }
    return all;
  }
  const random = new RandomStream("bit sequence modes", seed);
  const drawn = new Set<string>();
  while (drawn.size < modes) {
    drawn.add(Array.from({ length: places }, () => motifs[random.below(motifs.length)]).join(""));
  }
  return [...drawn];
}

function check({ n, k, beta, distance, modes, seed }: BitSequenceSpec): void {
  const checks = new SpecChecks("bit_sequence");
  checks.integer("n", n, motifBits, 240);
  checks.require(n % motifBits === 0, `n is ${n}`, "write a multiple of 8: motifs have 8 bits");
  checks.integer("k", k, 1, 12);
  checks.require(n % k === 0, `k is ${k}`, `write a divisor of n, which is ${n}`);
  checks.positive("beta", beta);
  checks.choice("distance", distance, ["hamming", "edit"]);
  checks.integer("seed", seed, 0, 2 ** 31);
  const all = motifs.length ** (n / motifBits);
  checks.integer("modes", modes, 0, Math.min(all, maxModes));
  checks.require(
    modes > 0 || distance === "hamming" || all <= maxModes,
    `modes is 0, which is all ${all} concatenations`,
    `write at most ${maxModes}`,
  );
  checks.done();
}

/** The environment of bit sequences, as pipelines make it. */
export const bitSequence: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "bit_sequence",
  description: "Sequences of n bits, k at a time, near one of several modes (Malkin et al. 2022).",
  called: "the sequences",
  parameters,
  make: bitSequenceEnvironment,
});
