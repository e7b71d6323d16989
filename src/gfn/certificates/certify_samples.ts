/** Certifies a policy from elsewhere: functions for its log probability, its samples, and log rewards. */
import { RandomStream } from "../../base/random.ts";
import { digestOf } from "../../base/digest.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { Actions, Environment, TerminalObject } from "../environments/environment.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { certify, type PolicyCertificate } from "./certify.ts";
import { explore } from "./explore.ts";
import { objectOf } from "./moves.ts";
import type { CertifiedPolicy } from "./policy_mass.ts";
import { Allowance } from "./scored_objects.ts";
import { refuseDisagreement, refuseExcess } from "./samples_agree.ts";

/** A policy that is known by its samples and log probabilities. */
export interface ForeignPolicy {
  /** `[ways]`: log P of each trajectory to an object, exit included; −Infinity where it is never drawn. */
  readonly logProb: (ways: readonly Actions[]) => ArrayLike<number> | Promise<ArrayLike<number>>;
  /** Draws so many trajectories from the policy, with the stream or its own randomness. */
  readonly sample: (
    count: number,
    random: RandomStream,
  ) => readonly Actions[] | Promise<readonly Actions[]>;
  /** `[objects]`: log R, −Infinity where it is 0. */
  readonly logReward: (
    objects: readonly TerminalObject[],
  ) => ArrayLike<number> | Promise<ArrayLike<number>>;
}

/** Cost of a certificate, and whose random numbers it has. */
export interface CertifySamplesOptions {
  /** Distinct rewards that it may ask for; 200 if left out. */
  readonly budget?: number;
  /** Samples of the policy; 1,000 if left out. */
  readonly samples?: number;
  /** All objects, where they can be enumerated. */
  readonly objects?: readonly TerminalObject[];
  /** The reader's own; drawn now if left out. */
  readonly seed?: string;
}

/**
 * Certifies any policy over the objects of a tree, as `evaluate_kl` certifies Sluice's own. Random numbers
 * follow from the policy's own first samples and the seed: it cannot be made for them. Where the samples
 * do not follow the log probabilities, the policy is refused.
 *
 * @throws InputError where several paths lead to a state: log P of an object is then no sum of steps;
 * where P of all listed objects do not add up to 1, or samples disagree with log P; and
 * where an answer is not one number for each object.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { certifySamples } from "./certify_samples.ts";
 * const numbers = environmentNamed("numbers", { max: 9, base: 10 });
 * // Ten numbers of equal reward, and a policy that knows five of them.
 * const ways = [...numbers.enumerate()].map(({ actions }) => actions);
 * const known = ways.slice(0, 5);
 * const { verdict, bounds } = await certifySamples(numbers, {
 *   logProb: (some) => some.map((way) => known.some((one) => `${one}` === `${way}`) ? -Math.log(5) : -Infinity),
 *   sample: (count, random) => Array.from({ length: count }, () => known[random.below(5)]),
 *   logReward: (objects) => objects.map(() => 0),
 * }, { seed: "a reader's" });
 * assert.equal(verdict, "bounded");
 * assert.ok(bounds.totalVariation.value > 0.4 && bounds.totalVariation.value < 0.5 + 1e-9);
 * ```
 */
export async function certifySamples(
  environment: Environment,
  given: ForeignPolicy,
  options: CertifySamplesOptions = {},
): Promise<PolicyCertificate & { readonly seed: string }> {
  if (environment.backward) throw severalWays(environment);
  const { budget = 200, samples = 1000, objects, seed = crypto.randomUUID() } = options;
  const foreign = checked(given);
  const first = await foreign.sample(50, new RandomStream("first samples", seed));
  // Six digits: the last bits of a logarithm differ from one library to the next.
  const logs = Array.from(await foreign.logProb(first), (one) => one.toPrecision(6));
  await holdTogether(foreign, { seed, samples, ...(objects && { objects }) });
  const judged = digestOf([environment.digest, first, logs, seed]);
  const asked = {
    environment,
    ask: async (some: readonly TerminalObject[]) => await foreign.logReward(some),
    budget,
    samples,
    ...(objects && { objects }),
    random: (name: string) => new RandomStream(name, judged),
  };
  const explored = await explore(asked);
  if (objects && objects.length <= budget) { // the rest is within reach, and then all is counted
    await explored.scored.ask(objects, new Allowance(budget));
  }
  const certificate = await certify(policyOf(environment, foreign), explored, asked);
  refuseExcess(foreign.stated());
  return { ...certificate, seed };
}

/** Samples against log probabilities, on draws of their own. */
async function holdTogether(
  { sample, logProb }: ForeignPolicy,
  { seed, samples, objects }: {
    seed: string;
    samples: number;
    objects?: readonly TerminalObject[];
  },
): Promise<void> {
  const ways = await sample(samples, new RandomStream("samples that are held", seed));
  const logs = await logProb(ways);
  const judged = ways.map((actions, i) => ({ actions, logP: logs[i] }));
  if (!objects) return refuseDisagreement(judged);
  const logP = Array.from(await logProb(objects.map(({ actions }) => actions)));
  refuseDisagreement(judged, { objects, logP });
}

/** The same policy, asked once for each trajectory, with checked and remembered answers. */
function checked(
  { logProb, sample, logReward }: ForeignPolicy,
): ForeignPolicy & { readonly stated: () => readonly number[] } {
  const known = new Map<string, number>();
  return {
    stated: () => [...known.values()],
    sample: async (count, random) => {
      const ways = await sample(count, random);
      if (ways.length !== count) throw wrongAnswer("sample", `${ways.length} of ${count} samples`);
      return ways;
    },
    logProb: async (ways) => {
      const keys = ways.map(String);
      const fresh = [...new Map(keys.map((key, i) => [key, ways[i]]))]
        .filter(([key]) => !known.has(key));
      if (fresh.length > 0) {
        const found = numbers("log_prob", await logProb(fresh.map(([, way]) => way)), fresh.length);
        fresh.forEach(([key], i) => known.set(key, found[i]));
      }
      return keys.map((key) => known.get(key)!);
    },
    logReward: async (objects) => numbers("log_reward", await logReward(objects), objects.length),
  };
}

function numbers(asked: string, values: ArrayLike<number>, count: number): number[] {
  const all = Array.from(values);
  if (all.length !== count) throw wrongAnswer(asked, `${all.length} values for ${count} objects`);
  const at = all.findIndex((one) =>
    typeof one !== "number" || Number.isNaN(one) || one === Infinity
  );
  if (at >= 0) throw wrongAnswer(asked, `${all[at]} for an object`);
  return all;
}

function wrongAnswer(asked: string, what: string) {
  const message = `Cannot certify a policy from elsewhere: ${asked} answered ${what}`;
  const hint =
    "answer one finite number or −∞ for each object, and as many samples as are asked for";
  return inputError("certificate/answer", message, undefined, hint);
}

/** The foreign policy as a certificate asks one; it passes over temperature, and beginnings that are given. */
function policyOf(environment: Environment, { logProb, sample }: ForeignPolicy): CertifiedPolicy {
  return {
    sample: async (_, { count, random }) => {
      const ways = await sample(count, random);
      const logs = await logProb(ways);
      return ways.map((actions, i): Trajectory => {
        const { text, logPrior } = objectOf(environment, actions);
        return { actions, logPf: logs[i], logPb: 0, logPrior, text };
      });
    },
    score: async (batch) => {
      const zeros = () => new Float64Array(batch.B * batch.T);
      const logPf = zeros();
      const ways = Array.from({ length: batch.B }, (_, b) => {
        return [...batch.actions.subarray(b * batch.T, b * batch.T + batch.lengths[b])];
      });
      const logs = await logProb(ways);
      ways.forEach((_, b) => logPf[b * batch.T] = logs[b]); // sums are all that is asked for
      return { logPf, logExit: zeros(), logFlow: zeros(), handle: 0 };
    },
    logProbabilities: () => {
      throw new Error("internal: on trees no caller asks for rows");
    },
  };
}

function severalWays({ kind }: Environment) {
  const message =
    `Cannot certify a policy from elsewhere on the ${kind} environment: several ways ` +
    "lead to a state, and log P of an object is a sum over all of them";
  const hint = "write the objects as a tree, in one order of their parts";
  return inputError("certificate/several-ways", message, undefined, hint);
}
