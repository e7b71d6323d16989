/** The mass of a policy on objects behind thoughts: summed over all of them, or over its own. */
import { RandomStream } from "../../base/random.ts";
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import type { Actions, Environment, Prompt, TerminalObject } from "../environments/environment.ts";
import type { Policy } from "../policies/policy.ts";
import { makeBatch } from "../trajectories/batch.ts";
import { type Divergences, divergences } from "./divergences.ts";

/** Divergences that thoughts bound. */
export type ThoughtfulBounds = Pick<
  Divergences,
  "totalVariation" | "klTargetPolicy" | "klPolicyTarget"
>;

/** A policy's mass over thoughts. */
export interface ThoughtfulMass {
  /**
   * `[objects]`: log P(x), or that of the mixture of P(x | thought) over some thoughts of the policy.
   * Its expectation is P, and divergences are convex: those of the mixture are upper bounds of the
   * policy's, in expectation.
   */
  readonly logP: Float64Array;
  /** Number of thoughts that were scored. */
  readonly count: number;
  /** Whether these are all. */
  readonly isExact: boolean;
  /** Lower bounds in expectation; undefined where the mass is exact. */
  readonly lower?: ThoughtfulBounds;
  /** Standard errors of both bounds, for the thoughts are a sample; undefined where these are all. */
  readonly errors?: { readonly upper: ThoughtfulBounds; readonly lower: ThoughtfulBounds };
}

/** The target of divergences: objects behind thoughts, and log π(x) of each. */
interface ThoughtfulTarget {
  readonly environment: Environment;
  readonly objects: readonly Pick<TerminalObject, "actions">[];
  readonly logTarget: ArrayLike<number>;
}

/** Thoughts up to which all are listed. */
const mostListed = 1024;

/** Thoughts of the policy that represent all where these are more. */
const defaultCount = 64;

/** Trajectories per call of `policy.score`, which bounds memory. */
const chunkSize = 4096;

/**
 * Sums over all thoughts where there are at most 1,024; else the mixture over thoughts that the policy
 * writes, in two halves of which each bounds divergences from below by the tangent at the other:
 * a convex function lies above its tangent, and the expectation of a half is P.
 *
 * @param count Thoughts of the policy, at least 2.
 * @param seed Names the random numbers that draw them.
 */
export async function thoughtfulMass(
  policy: Pick<Policy, "sample" | "score">,
  { environment, objects, logTarget }: ThoughtfulTarget,
  prompt?: Prompt,
  { count = defaultCount, seed = "thoughts" }: { readonly count?: number; readonly seed?: string } =
    {},
): Promise<ThoughtfulMass> {
  const { thoughts: part } = environment;
  const own = objects.map(({ actions }) => actions.slice(part!.length(actions)));
  const all = part!.list(mostListed);
  if (all) {
    const rows = await logOf(policy, environment, { thoughts: all, objects: own, prompt }, "joint");
    return { logP: mixed(rows, 0), count: all.length, isExact: true };
  }
  const random = new RandomStream(seed, environment.digest, prompt?.id ?? "");
  const thoughts = await drawThoughts(policy, environment, { count, random, prompt });
  const known = { thoughts, objects: own, prompt };
  const rows = await logOf(policy, environment, known, "behind");
  const { lower, errors } = boundsOf(logTarget, rows);
  return { logP: mixed(rows, log(rows.length)), count, isExact: false, lower, errors };
}

/**
 * Bounds by the rows of thoughts, and their standard errors by the jackknife (Efron 1979):
 * bounds without each thought in turn.
 */
function boundsOf(logTarget: ArrayLike<number>, rows: readonly Float64Array[]) {
  const half = Math.floor(rows.length / 2);
  const lowerOf = (left: readonly Float64Array[], right: readonly Float64Array[]) => {
    const [one, other] = [left, right].map((part) => mixed(part, log(part.length)));
    const [first, second] = [tangents(logTarget, one, other), tangents(logTarget, other, one)];
    return ofEach((name) => (first[name] + second[name]) / 2);
  };
  const [left, right] = [rows.slice(0, half), rows.slice(half)];
  const without = rows.map((row) => {
    const others = (part: readonly Float64Array[]) => part.filter((one) => one !== row);
    return {
      upper: divergences(logTarget, mixed(others(rows), log(rows.length - 1))),
      lower: half > 1 ? lowerOf(others(left), others(right)) : undefined,
    };
  });
  const errors = {
    upper: ofEach((name) => jackknife(without.map(({ upper }) => upper[name]))),
    lower: ofEach((name) => jackknife(without.map(({ lower }) => lower?.[name] ?? NaN))),
  };
  return { lower: lowerOf(left, right), errors };
}

function ofEach(value: (name: keyof ThoughtfulBounds) => number): ThoughtfulBounds {
  return {
    totalVariation: value("totalVariation"),
    klTargetPolicy: value("klTargetPolicy"),
    klPolicyTarget: value("klPolicyTarget"),
  };
}

/** Infinite where leaving out one thought leaves an object without any. */
function jackknife(values: readonly number[]): number {
  const count = values.length;
  const mean = values.reduce((sum, one) => sum + one, 0) / count;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares * (count - 1) / count);
  return Number.isFinite(error) ? error : Infinity;
}

/** Thoughts that the policy writes; undefined for one that never closed. */
export async function drawThoughts(
  policy: Pick<Policy, "sample">,
  environment: Environment,
  { count, random, prompt }: {
    readonly count: number;
    readonly random: RandomStream;
    readonly prompt?: Prompt | undefined;
  },
): Promise<(Actions | undefined)[]> {
  const walks = await policy.sample(environment, {
    count,
    random,
    epsilon: 0,
    temperature: 1,
    ...(prompt && { prompts: new Array<Prompt>(count).fill(prompt) }),
  });
  return walks.map(({ actions }) => {
    const length = environment.thoughts!.length(actions);
    return length > 0 ? actions.slice(0, length) : undefined;
  });
}

interface ThoughtsAndObjects {
  readonly thoughts: readonly (Actions | undefined)[];
  readonly objects: readonly Actions[];
  readonly prompt?: Prompt | undefined;
}

/**
 * `[thoughts][objects]`: log P of thought and object, or of the object behind the thought; nothing
 * stands behind a thought that never closed.
 */
async function logOf(
  policy: Pick<Policy, "score">,
  environment: Environment,
  { thoughts, objects, prompt }: ThoughtsAndObjects,
  what: "joint" | "behind",
): Promise<Float64Array[]> {
  const rows = thoughts.map(() => new Float64Array(objects.length).fill(-Infinity));
  const perCall = Math.max(1, Math.floor(chunkSize / objects.length));
  for (let begin = 0; begin < thoughts.length; begin += perCall) {
    const part = thoughts.slice(begin, begin + perCall);
    const walks = part.flatMap((thought) =>
      thought ? objects.map((one) => ({ actions: [...thought, ...one], from: thought.length })) : []
    );
    if (walks.length === 0) continue;
    const asked = walks.map(({ actions }) => ({ actions, ...(prompt && { prompt }) }));
    const batch = makeBatch(environment, asked);
    const { logPf } = await policy.score(batch, { grad: false });
    let b = 0;
    part.forEach((thought, k) => {
      if (!thought) return;
      for (let x = 0; x < objects.length; x++, b++) {
        const from = what === "joint" ? 0 : walks[b].from;
        const row = logPf.subarray(b * batch.T + from, b * batch.T + batch.lengths[b]);
        rows[begin + k][x] = row.reduce((sum, one) => sum + one, 0);
      }
    });
  }
  return rows;
}

/** `[objects]`: log Σ over thoughts, less `logCount`. */
function mixed(rows: readonly Float64Array[], logCount: number): Float64Array {
  return Float64Array.from(rows[0], (_, x) => logSumExp(rows.map((row) => row[x])) - logCount);
}

/** Divergences of P from π by their tangents at c, given an unbiased estimate of P. */
function tangents(
  logTarget: ArrayLike<number>,
  logC: Float64Array,
  logUnbiased: Float64Array,
): ThoughtfulBounds {
  let [distance, forward, reverse] = [0, 0, 0];
  for (let x = 0; x < logTarget.length; x++) {
    const [logPi, pi, c, q] = [
      logTarget[x],
      exp(logTarget[x]),
      exp(logC[x]),
      exp(logUnbiased[x]),
    ];
    distance += (c >= pi ? 1 : -1) * (q - pi);
    if (pi > 0) forward += pi * (logPi - logC[x] + 1 - exp(logUnbiased[x] - logC[x]));
    if (c > 0 || q > 0) reverse += q * (logC[x] + 1 - logPi) - c;
  }
  return { totalVariation: distance / 2, klTargetPolicy: forward, klPolicyTarget: reverse };
}
