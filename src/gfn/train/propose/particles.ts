/** Particles: trajectories that are resampled by their weights, cut, and completed again. */
import type { RandomStream } from "../../../base/random.ts";
import { exp, logSumExp } from "../../../numerics/math/mod.ts";
import type { BroadWalks } from "../../certificates/broad_walks.ts";
import { broadWalk, propose, reached, type Walk, walkOf } from "../../certificates/moves.ts";
import type { TerminalObject } from "../../environments/environment.ts";

/** Number of particles, annealing exponent, randomness and rewards. */
interface ParticleOptions {
  /** Particles that move in one step. */
  readonly count: number;
  /** Reward exponent of this step, in (0, 1]: particles are annealed. */
  readonly exponent: number;
  readonly random: RandomStream;
  /** Log rewards of objects. */
  readonly rewards: (objects: readonly TerminalObject[]) => Promise<ArrayLike<number>>;
}

interface Particle {
  readonly walk: Walk;
  readonly logReward: number;
  readonly logPb: number;
}

/**
 * A population that is annealed from broad walks to the target in the course of training, a step at
 * a time (Del Moral, Doucet and Jasra 2006): resampled by R^(β − β′), then every particle is moved
 * once by Metropolis–Hastings. All proposals, accepted or not, are trajectories to learn from.
 */
export class Particles {
  #particles: Particle[] = [];
  #exponent = 0;

  /** Moves all, and returns the actions of the proposed trajectories. */
  async step(
    base: BroadWalks,
    { count, exponent, random, rewards }: ParticleOptions,
  ): Promise<readonly (readonly number[])[]> {
    const judged = async (walks: readonly Walk[]): Promise<Particle[]> => {
      const ends = walks.map((walk) => reached(base.environment, walk));
      const values = await rewards(ends.map(({ object }) => object));
      return walks.map((walk, k) => ({ walk, logReward: values[k], logPb: ends[k].logPb }));
    };
    if (this.#particles.length === 0) {
      this.#particles = await judged(Array.from({ length: count }, () => broadWalk(base, random)));
      return this.#particles.map(({ walk }) => walk.actions);
    }
    const step = Math.max(0, exponent - this.#exponent);
    this.#exponent = Math.max(exponent, this.#exponent);
    if (step > 0) this.#particles = resampled(this.#particles, step, random);
    const proposals = this.#particles.map(({ walk }) => propose(base, walk, random));
    const made = await judged(proposals.flatMap((one) => one ? [one.walk] : []));
    const byWalk = new Map(made.map((one) => [one.walk, one]));
    this.#particles = this.#particles.map((particle, k) => {
      const next = proposals[k] && byWalk.get(proposals[k].walk);
      if (!next) return particle;
      const ratio = this.#exponent * (next.logReward - particle.logReward) +
        next.logPb - particle.logPb + proposals[k]!.logRatio;
      return random.uniform() < exp(Math.min(0, ratio)) ? next : particle;
    });
    return made.map(({ walk }) => walk.actions);
  }

  /** State for a checkpoint. */
  save(): unknown {
    return {
      exponent: this.#exponent,
      ways: this.#particles.map(({ walk, logReward, logPb }) => [walk.actions, logReward, logPb]),
    };
  }

  /** Restores the state of `save`. */
  load({ environment }: BroadWalks, saved: unknown): void {
    const { exponent, ways } = saved as {
      readonly exponent: number;
      readonly ways: readonly [number[], number, number][];
    };
    this.#exponent = exponent;
    this.#particles = ways.map(([actions, logReward, logPb]) => {
      return { walk: walkOf(environment, actions)!, logReward, logPb };
    });
  }
}

/** Systematic resampling by R to a power. */
function resampled(particles: readonly Particle[], power: number, random: RandomStream) {
  const logs = particles.map(({ logReward }) => power * logReward);
  const total = logSumExp(logs);
  if (total === -Infinity) return [...particles];
  const u = random.uniform();
  const drawn: Particle[] = [];
  let sum = 0;
  particles.forEach((particle, k) => {
    sum += particles.length * exp(logs[k] - total);
    while (drawn.length < particles.length && drawn.length + u < sum) drawn.push(particle);
  });
  while (drawn.length < particles.length) drawn.push(particles[particles.length - 1]); // rounding
  return drawn;
}
