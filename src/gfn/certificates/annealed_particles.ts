/** Sequential Monte Carlo from the prior: particles are annealed from broad walks to the target. */
import type { RandomStream } from "../../base/random.ts";
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import type { BroadWalks } from "./broad_walks.ts";
import type { Exploration, ExplorerOptions, WeightedObject } from "./exploration.ts";
import { broadWalk, propose, weighed, type WeighedWalk } from "./moves.ts";
import { Allowance, type ScoredObjects } from "./scored_objects.ts";

interface Particle {
  readonly walk: WeighedWalk;
  readonly logReward: number;
  /** Index of the initial trajectory of its lineage. */
  readonly line: number;
}

/** An estimate of log Z, samples of the target, and the line of each. */
interface Island {
  readonly logZ: number;
  readonly samples: readonly WeightedObject[];
  readonly lines: readonly number[];
}

/** Particles of one island. */
const islandParticles = 24;

/** Share of the particles that the effective sample size of a step of annealing is. */
const kept = 0.5;

/** Islands at most. */
const mostIslands = 32;

/**
 * Islands of an annealed sequential Monte Carlo sampler (Del Moral, Doucet and Jasra 2006): the
 * bridge is q₀^(1 − β) (R P_B)^β with q₀ the broad walks, β rises so that half of the particles stay
 * effective, and after each step every particle makes one reversible move. The mean of the islands'
 * estimates of Z is unbiased but for the choice of β; their spread is its error.
 */
export async function annealedParticles(
  base: BroadWalks,
  scored: ScoredObjects,
  { limit, random }: ExplorerOptions,
): Promise<Exploration> {
  const allowance = new Allowance(limit);
  const islands: Island[] = [];
  for (let island = 0; limit > 0 && island < mostIslands; island++) {
    const done = await runIsland(base, scored, allowance, random);
    if (!done) break;
    islands.push(done);
    if (allowance.left <= 0) break;
  }
  return {
    name: "sequential_monte_carlo",
    consultsPolicy: false,
    samples: true,
    evaluations: allowance.evaluations,
    found: allowance.found,
    priorDraws: allowance.priorDraws,
    groups: islands.map(({ samples }) => samples),
    effective: effectiveLines(islands),
    ...(islands.length > 1 ? { logZ: meanOfIslands(islands.map(({ logZ }) => logZ)) } : {}),
  };
}

/**
 * Effective number of independent samples: particles with one ancestor count once, and
 * islands are weighted by their estimates of Z, (Σ w)² / Σ w² (Kong 1992).
 */
function effectiveLines(
  islands: readonly Island[],
): number {
  const most = islands.reduce((a, { logZ }) => Math.max(a, logZ), -Infinity);
  let [sum, squares] = [0, 0];
  for (const { logZ, lines } of islands) {
    for (const same of Map.groupBy(lines, (line) => line).values()) {
      const weight = exp(logZ - most) * same.length / lines.length;
      sum += weight;
      squares += weight * weight;
    }
  }
  return squares > 0 ? sum * sum / squares : 0;
}

/** log of the mean of e^logZ and its error by the delta method. */
function meanOfIslands(logs: readonly number[]) {
  const value = logSumExp(logs) - log(logs.length);
  const squares = logs.reduce((sum, one) => sum + (exp(one - value) - 1) ** 2, 0);
  return { value, mcse: Math.sqrt(squares / (logs.length - 1) / logs.length) };
}

async function runIsland(
  base: BroadWalks,
  scored: ScoredObjects,
  allowance: Allowance,
  random: RandomStream,
): Promise<Island | undefined> {
  const walks = Array.from(
    { length: islandParticles },
    () => weighed(base, broadWalk(base, random)),
  );
  allowance.countPrior(walks, allowance.left);
  let set = await particlesOf(scored, allowance, walks);
  let [beta, logZ] = [0, 0];
  while (set && beta < 1) {
    const slopes = set.map(slope);
    if (slopes.every((one) => one === -Infinity)) return undefined;
    const next = nextBeta(slopes, beta);
    const weights = slopes.map((one) => (next - beta) * one);
    logZ += logSumExp(weights) - log(islandParticles);
    set = resample(set, weights, random);
    beta = next;
    set = await move(base, scored, allowance, { set, beta, random });
  }
  if (!set) return undefined;
  const each = logZ - log(islandParticles);
  return {
    logZ,
    samples: set.map(({ walk }) => ({ text: walk.object.text, logWeight: each })),
    lines: set.map(({ line }) => line),
  };
}

/** log R P_B − log q₀: how the log weight grows with β. */
function slope({ walk, logReward }: Particle): number {
  return logReward + walk.logPb - walk.logBase;
}

async function particlesOf(
  scored: ScoredObjects,
  allowance: Allowance,
  walks: readonly WeighedWalk[],
): Promise<Particle[] | undefined> {
  const rewards = await scored.ask(walks.map(({ object }) => object), allowance);
  if (rewards.includes(undefined)) return undefined;
  return walks.map((walk, i) => ({ walk, logReward: rewards[i]!, line: i }));
}

/** The largest β up to 1 at which enough particles stay effective; by bisection. */
function nextBeta(slopes: readonly number[], beta: number): number {
  const enough = (to: number) => {
    const logs = slopes.map((one) => (to - beta) * one);
    return exp(2 * logSumExp(logs) - logSumExp(logs.map((one) => 2 * one))) >= kept * logs.length;
  };
  if (enough(1)) return 1;
  let [low, high] = [beta, 1];
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    if (enough(middle)) low = middle;
    else high = middle;
  }
  return Math.max(low, beta + 1e-6);
}

/** Systematic: one uniform number, equally spaced places. */
function resample<T>(set: readonly T[], logWeights: readonly number[], random: RandomStream): T[] {
  const total = logSumExp(logWeights);
  const u = random.uniform();
  const drawn: T[] = [];
  let cumulative = 0;
  set.forEach((one, i) => {
    cumulative += exp(logWeights[i] - total) * set.length;
    while (drawn.length < set.length && drawn.length + u < cumulative) drawn.push(one);
  });
  while (drawn.length < set.length) drawn.push(set[set.length - 1]); // rounding
  return drawn;
}

/** One move of every particle that leaves q₀^(1 − β) (R P_B)^β as it is. */
async function move(
  base: BroadWalks,
  scored: ScoredObjects,
  allowance: Allowance,
  { set, beta, random }: {
    readonly set: readonly Particle[];
    readonly beta: number;
    readonly random: RandomStream;
  },
): Promise<Particle[] | undefined> {
  const proposals = set.map(({ walk }) => {
    const proposal = propose(base, walk, random);
    return proposal && { walk: weighed(base, proposal.walk), logRatio: proposal.logRatio };
  });
  const made = proposals.filter((one) => one !== undefined);
  const particles = await particlesOf(scored, allowance, made.map(({ walk }) => walk));
  if (!particles) return undefined;
  const logDensity = ({ walk, logReward }: Particle) =>
    (1 - beta) * walk.logBase + beta * (logReward + walk.logPb);
  let i = 0;
  return set.map((current, k) => {
    const proposal = proposals[k];
    if (!proposal) return current;
    const next = { ...particles[i++], line: current.line };
    const logAccept = logDensity(next) - logDensity(current) + proposal.logRatio;
    return random.uniform() < exp(Math.min(0, logAccept)) ? next : current;
  });
}
