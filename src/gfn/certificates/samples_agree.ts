/** Holds samples of a policy against its log probabilities: both have to be of one distribution. */
import { inputError } from "../../base/diagnostic.ts";
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import type { Actions, TerminalObject } from "../environments/environment.ts";

/** An object, by its actions. */
interface Judged {
  readonly actions: Actions;
  /** log P of it. */
  readonly logP: number;
}

/** Highest probability of refusing an honest policy. */
const level = 1e-6;
/** Levels of log P at which objects are counted. */
const parts = 10;
/** Nats by which log probabilities must differ to count as different. */
const apart = 1e-5;

/**
 * Refuses a policy whose samples do not follow its log probabilities. Of two halves the first defines a
 * set, whose probability is a sum, and the second is counted in it; where all objects are listed their
 * probabilities have to add up to 1, and each choice at each place is counted, too, as are the likeliest objects
 * that hold a tenth, two tenths … of them. Counts are held by Chernoff's bound, all together at 10⁻⁶.
 *
 * @param listed Log P of all objects, where they can be enumerated.
 * @throws InputError `certificate/samples-disagree`, `certificate/not-normalised`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { refuseDisagreement } from "./samples_agree.ts";
 * const samples = Array.from({ length: 100 }, () => ({ actions: [0, 2], logP: Math.log(0.5) }));
 * assert.throws(() => refuseDisagreement(samples), /100.0 % of 50 samples .* log_prob gives 50.0 %/);
 * ```
 */
export function refuseDisagreement(
  samples: readonly Judged[],
  listed?: { readonly objects: readonly TerminalObject[]; readonly logP: readonly number[] },
): void {
  const impossible = samples.find(({ logP }) => logP === -Infinity);
  if (impossible) throw disagree(`a sample ${namesOf(impossible.actions)} has log_prob −∞`);
  const half = samples.length >> 1;
  const first = new Map(samples.slice(0, half).map((one) => [`${one.actions}`, one.logP]));
  const rest = samples.slice(half);
  const seen = exp(logSumExp([-Infinity, ...first.values()]));
  if (seen > 1 + 1e-6) throw notNormalised(`the ${first.size} objects that were drawn`, seen);
  const recurring = rest.filter(({ actions }) => first.has(`${actions}`)).length;
  const marginals = listed ? marginalsOf(listed) : new Map<string, number>();
  const levels = listed ? levelsOf(listed.logP) : [];
  const most = log(2 * (1 + marginals.size + levels.length) / level);
  const hold = (count: number, of: number, p: number, where: string) => {
    if (of * divergence(count / of, p) > most) throw disagree(said(count, of, p, where));
  };
  const counts = sumsByChoice(listed ? samples : [], () => 1);
  for (const [key, p] of marginals) {
    const [place, choice] = key.split(" ");
    hold(counts.get(key) ?? 0, samples.length, p, `have ${choice} at place ${place}`);
  }
  for (const { least, p } of levels) {
    const likely = samples.filter(({ logP }) => logP >= least).length;
    hold(likely, samples.length, p, `have a log_prob of ${least.toPrecision(4)} or more`);
  }
  hold(recurring, rest.length, seen, "are among the objects that were drawn before");
}

/**
 * Refuses log probabilities of distinct objects that sum to more than 1: a policy could claim mass both
 * on the finds of a search and on its own samples.
 *
 * @throws InputError `certificate/not-normalised`.
 */
export function refuseExcess(logP: readonly number[]): void {
  const total = exp(logSumExp([-Infinity, ...logP]));
  if (total > 1 + 1e-3) throw notNormalised(`${logP.length} objects that were asked for`, total);
}

/** Sets of the likeliest objects, by their least log P, and their P: the product of the marginals has others. */
function levelsOf(logP: readonly number[]): { readonly least: number; readonly p: number }[] {
  const falling = logP.filter((one) => one > -Infinity).sort((a, b) => b - a);
  const levels: { least: number; p: number }[] = [];
  let p = 0;
  for (const [i, one] of falling.entries()) {
    p += exp(one);
    const isEnd = i + 1 === falling.length || one - falling[i + 1] > apart;
    if (isEnd && p >= (levels.length + 1) / parts) levels.push({ least: one - apart / 2, p });
  }
  return levels;
}

/** P of each action at each place, by "place action". */
function marginalsOf(
  { objects, logP }: {
    readonly objects: readonly TerminalObject[];
    readonly logP: readonly number[];
  },
): ReadonlyMap<string, number> {
  const total = exp(logSumExp([-Infinity, ...logP]));
  if (Math.abs(total - 1) > 1e-3) throw notNormalised(`all ${objects.length} objects`, total);
  return sumsByChoice(objects, (i) => exp(logP[i]));
}

/** Weights of trajectories summed over each action at each place, by "place action". */
function sumsByChoice(
  ways: readonly { readonly actions: Actions }[],
  weight: (way: number) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  ways.forEach(({ actions }, i) => {
    const own = weight(i);
    actions.forEach((action, place) => {
      const key = `${place} ${action}`;
      sums.set(key, (sums.get(key) ?? 0) + own);
    });
  });
  return sums;
}

/** KL(q‖p) of two coins; 0 within the rounding error of p. */
function divergence(q: number, p: number): number {
  const inside = Math.min(1 - 1e-12, Math.max(1e-12, p));
  const term = (a: number, b: number) => a === 0 ? 0 : a * log(a / b);
  return term(q, inside) + term(1 - q, 1 - inside);
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const said = (count: number, of: number, p: number, where: string) =>
  `${percent(count / of)} of ${of} samples ${where}, to which log_prob gives ${percent(p)}`;

const namesOf = (actions: Actions) => `[${actions.join(", ")}]`;

function disagree(what: string) {
  const message = `Cannot certify a policy whose samples are not of its log_prob: ${what}`;
  const hint = "give log probabilities of objects of the very policy that is sampled, at its " +
    "temperature and without exploration";
  return inputError("certificate/samples-disagree", message, undefined, hint);
}

function notNormalised(what: string, total: number) {
  const message = `Cannot certify a policy whose log_prob is not normalised: ${what} have ` +
    `${total.toPrecision(4)} together`;
  const hint = "give log probabilities in nats, of whole objects: a sum over all ways to each";
  return inputError("certificate/not-normalised", message, undefined, hint);
}
