/** Attempts by texts and answers of policies: patterns that never end, and certificates by lies. */
import { RandomStream } from "../../src/base/random.ts";
import { wholePattern } from "../../src/base/whole_pattern.ts";
import { certifyByLines } from "../../src/cli/foreign_policy.ts";
import type { Door } from "./attack.ts";

function matched(source: string, text: string): string {
  const { size, match } = wholePattern(source);
  const { isMatch, steps } = match(text);
  const bounded = steps <= size * ([...text].length + 1) ? "bounded" : "UNBOUNDED";
  return `${isMatch ? "a match" : "no match"}, ${bounded}`;
}

/** Verdict on a policy over bits, all of equal reward unless told, that answers by these functions. */
async function certified(
  logProb: (bits: readonly number[]) => number | null,
  draw: (k: number) => readonly number[],
  { bits = 4, logReward = (_: readonly number[]): number => 0 } = {},
): Promise<string> {
  const choices = Array(bits).fill(2);
  const queue = [JSON.stringify({ choices, samples: 400, seed: "doors", budget: 200 })];
  let verdict = "";
  const lines = (async function* () {
    while (queue.length > 0) yield queue.shift()!;
  })();
  await certifyByLines(lines, (line) => {
    const { ask, objects, count, certificate } = JSON.parse(line);
    if (certificate) verdict = certificate.verdict;
    else if (ask === "sample") {
      queue.push(JSON.stringify({ objects: Array.from({ length: count }, (_, k) => draw(k)) }));
    } else {
      const values = objects.map(ask === "log_prob" ? logProb : logReward);
      queue.push(JSON.stringify({ values }));
    }
  });
  return verdict;
}

const bitsOf = (k: number) => [k & 1, (k >> 1) & 1, (k >> 2) & 1, (k >> 3) & 1];
const even = () => -4 * Math.LN2;
const half = ([first]: readonly number[]) => first === 0 ? -3 * Math.LN2 : null;

/** Six pairs of bits that are alike in four of five; each bit alone is a coin. */
const inPairs = (bits: readonly number[]) =>
  bits.reduce((sum, bit, i) => i % 2 ? sum + Math.log(bit === bits[i - 1] ? 0.4 : 0.1) : sum, 0);
const coins = new RandomStream("coins");
const twelveCoins = () => Array.from({ length: 12 }, () => coins.below(2));
const twelveInPairs = () =>
  Array.from({ length: 6 }, () => [coins.below(2), coins.uniform() < 0.8 ? 0 : 1])
    .flatMap(([first, differs]) => [first, first ^ differs]);

/** Sixteen bits of which all or none are 1; a policy that knows one of the two, and what answers suit a search. */
const eitherEnd = (bits: readonly number[]) => 4 * Math.abs(bits.reduce((a, b) => a + b) - 8) - 32;
const suitable = (bits: readonly number[]) => bits.includes(1) ? eitherEnd(bits) - Math.LN2 : 0;

/** Attempts by an author of policies. */
export const policies: Door = {
  door: "tokens, certify --stdio: patterns, and answers of policies",
  idea: "texts that make a pattern backtrack without end, and policies with false identities",
  attacks: [
    {
      name: "a text that a pattern of nested repeats would try for ever",
      tried: () => matched("(a+)+b", "a".repeat(20_000)),
      holds: /^no match, bounded$/,
    },
    {
      name: "a text that alternatives which are alike would try for ever",
      tried: () => matched("(a|a|aa)*b", "a".repeat(20_000)),
      holds: /^no match, bounded$/,
    },
    {
      name: "a text that fifty optional letters would try for ever",
      tried: () => matched("a?".repeat(50) + "a".repeat(50), "a".repeat(50)),
      holds: /^a match, bounded$/,
    },
    {
      name: "a pattern that refers back to a group",
      tried: () => matched("(a*)\\1b", "a"),
      holds: /^refused: pattern\/unbounded$/,
    },
    {
      name: "a pattern of 10^11 repeats of nothing",
      tried: () => matched("(((){5000}){5000}){5000}a", "a"),
      holds: /^a match, bounded$/,
    },
    {
      name: "a pattern of 10^9 states",
      tried: () => matched("((a{1000}){1000}){1000}", "a"),
      holds: /^refused: pattern\/large$/,
    },
    {
      name: "an honest policy, which must pass",
      tried: () => certified(even, bitsOf),
      holds: /^exact$/,
    },
    {
      name: "samples of a collapsed policy by the log probabilities of an honest one",
      tried: () => certified(even, (k) => [0, ...bitsOf(k).slice(1)]),
      holds: /^refused: certificate\/samples-disagree$/,
    },
    {
      name: "samples of an honest policy by the log probabilities of a collapsed one",
      tried: () => certified(half, bitsOf),
      holds: /^refused: certificate\/samples-disagree$/,
    },
    {
      name: "an honest policy whose bits hang together, which must pass",
      tried: () => certified(inPairs, twelveInPairs, { bits: 12, logReward: inPairs }),
      holds: /^(consistent|exact)$/,
    },
    {
      name: "samples of the marginals by the log probabilities of the whole",
      tried: () => certified(inPairs, twelveCoins, { bits: 12, logReward: inPairs }),
      holds: /^refused: certificate\/samples-disagree$/,
    },
    {
      name: "log probabilities that follow what the search asks for",
      tried: () => certified(suitable, () => Array(16).fill(0), { bits: 16, logReward: eitherEnd }),
      holds: /^refused: certificate\/not-normalised$/,
    },
    {
      name: "log probabilities that add up to a half",
      tried: () => certified(() => -5 * Math.LN2, bitsOf),
      holds: /^refused: certificate\/not-normalised$/,
    },
    {
      name: "objects that are none",
      tried: () => certified(even, () => [0, 0, 0, 7]),
      holds: /^refused: certify\/line$/,
    },
  ],
};
