/** Metropolis–Hastings on a surrogate: samples of its posterior mean, without asking rewards. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../numerics/math/mod.ts";
import type { BroadWalks } from "../certificates/broad_walks.ts";
import { propose, reached, type Walk } from "../certificates/moves.ts";
import type { TerminalObject } from "../environments/environment.ts";
import type { RewardSurrogate } from "../evaluation/surrogate/reward_surrogate.ts";

/** Starts, steps and randomness of chains. */
interface SurrogateChainOptions {
  /** One for each chain. */
  readonly starts: readonly Walk[];
  /** Proposals of each. */
  readonly steps: number;
  readonly random: RandomStream;
}

/** Where a chain is. */
interface SurrogateState extends Walk {
  readonly object: TerminalObject;
  /** The surrogate's log reward of it. */
  readonly logReward: number;
  readonly logPb: number;
}

/**
 * The states of all chains after each step: all chains propose, then the surrogate is asked once. The
 * stationary distribution of the objects is that of the surrogate, renormalised.
 */
export function* surrogateChains(
  base: BroadWalks,
  surrogate: RewardSurrogate,
  { starts, steps, random }: SurrogateChainOptions,
): Generator<readonly SurrogateState[]> {
  const { environment } = base;
  const judged = (walks: readonly Walk[]) => {
    const ends = walks.map((walk) => reached(environment, walk));
    const logRewards = surrogate.logRewards(ends.map(({ object }) => object));
    return ends.map((end, k) => ({ ...end, logReward: logRewards[k] }));
  };
  let states: readonly SurrogateState[] = judged(starts);
  yield states;
  for (let step = 0; step < steps; step++) {
    const proposals = states.map((state) => propose(base, state, random));
    const made = proposals.flatMap((proposal) => proposal ? [proposal.walk] : []);
    const ends = judged(made);
    states = states.map((state, k) => {
      const proposal = proposals[k];
      const end = proposal && ends[made.indexOf(proposal.walk)];
      if (!end) return state;
      const logRatio = end.logReward + end.logPb - state.logReward - state.logPb;
      return random.uniform() < exp(Math.min(0, logRatio + proposal.logRatio)) ? end : state;
    });
    yield states;
  }
}
