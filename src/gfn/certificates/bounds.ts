/** Bounds that need no trust in the policy: from every reward ever asked for, and from its trajectories. */
import { type KnownObject, logRatio } from "./known_object.ts";
import { exp, logSumExp } from "../../numerics/math/mod.ts";
import type { Estimate } from "../evaluation/importance_estimates.ts";
import { lowerBoundOfMean } from "./betting_bound.ts";
import { type Proof, provedLogZ } from "./proved_log_z.ts";

/** A lower bound and its evidence. */
export interface LowerBound {
  /** The quantity is at least this. */
  readonly value: number;
  /** False: it follows from the scored rewards alone. True: it holds with probability 0.95. */
  readonly sampled: boolean;
}

/** Bounds on a policy: some are certain, the others hold at a confidence of 95 % all together. */
export interface Bounds {
  /** log Σ R over every object that was scored: at most log Z. */
  readonly logZ: number;
  /** Lower bound of log Z that includes mass proved by the policy's own trajectories, at a confidence. */
  readonly logZSampled: number;
  /** Lower bound of TV; 0 where the policy's mass on an object is not known exactly. */
  readonly totalVariation: LowerBound;
  /** Ê_P[log P / R] + log Z_S: at most KL(P‖π), up to the error of the mean. */
  readonly klPolicyTarget?: Estimate;
}

/** The two bounds of a mean may each be wrong in so many cases; those of log Z in 0.036 in sum. */
const alphaOfMean = 0.007;

/**
 * With S all scored objects, Z ≥ Z_S = Σ_S R, and for every set A of objects TV ≥ P(A) − R(A) / Z_S:
 * the best A within S holds the objects with P > R / Z_S. Where P is spread over more objects than
 * were scored, Z is bounded by the rewards that explorers found plus the policy's estimate of the
 * rest, E_P[R / P; not found], and TV = E_P[(1 − R / (Z P))₊] by a mean over trajectories.
 *
 * @param logRest log of the sum of rewards of other scored objects, whose mass was not computed.
 */
export function boundsOf(
  proof: Proof,
  logRest = -Infinity,
): Bounds {
  const { known, drawn, part = 1 } = proof;
  const logRewards = known.values().map(({ logReward }) => logReward);
  const logZ = logSumExp([-Infinity, logRest, ...logRewards]);
  const all = [...known.values()];
  if (drawn.length === 0 || all.some(({ logP }) => logP === undefined)) {
    return { logZ, logZSampled: logZ, totalVariation: { value: 0, sampled: false } };
  }
  const logZSampled = Math.max(logZ, provedLogZ(proof));
  const certain = excess(all, logZ);
  const sampled = Math.max(
    excess(all, logZSampled),
    meanExcess(proof, logZSampled, alphaOfMean * part),
  );
  const totalVariation = sampled > certain
    ? { value: sampled, sampled: true }
    : { value: certain, sampled: false };
  return { logZ, logZSampled, totalVariation, klPolicyTarget: divergence(known, drawn, logZ) };
}

/** Σ (P − R / Z)₊ over scored objects. */
function excess(all: readonly KnownObject[], logZ: number): number {
  return all.reduce((sum, { logReward, logP }) => {
    return sum + Math.max(0, exp(logP!) - exp(logReward - logZ));
  }, 0);
}

/**
 * A lower bound of E_P[(1 − R / (Z P))₊], the total variation from a target of this log Z: by the
 * trajectories alone, or exactly on objects found before them and by trajectories on the others.
 */
function meanExcess({ known, drawn }: Proof, logZ: number, alpha: number): number {
  const shareOf = (one: KnownObject) => Math.max(0, 1 - exp(logRatio(one) - logZ));
  const walked = drawn.map((text) => known.get(text)!);
  const found = [...known.values()].filter(({ before }) => before);
  return Math.max(
    lowerBoundOfMean(walked.map(shareOf), alpha),
    excess(found, logZ) +
      lowerBoundOfMean(walked.map((one) => one.before ? 0 : shareOf(one)), alpha),
  );
}

function divergence(
  known: ReadonlyMap<string, KnownObject>,
  drawn: readonly string[],
  logZ: number,
): Estimate {
  const values = drawn.map((text) => logZ - logRatio(known.get(text)!));
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const n = values.length;
  return { value: mean, mcse: n > 1 ? Math.sqrt(squares / (n - 1) / n) : Infinity };
}
