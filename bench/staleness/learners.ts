/** Columns of the comparison: an objective, and the policy whose log P_F it pays and clips by. */
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import type { Objective } from "../../src/gfn/objectives/objective.ts";
import type { Scores } from "../../src/gfn/trajectories/trajectory.ts";

/** One column of the comparison. */
export interface Learner {
  /** As lines and tables call it. */
  readonly name: string;
  readonly objective: string;
  readonly parameters: { readonly kl?: number };
  /** Whether returns and ratios have log P_F of the policy that walked, as it was then. */
  readonly byWalker: boolean;
}

const learner = (objective: string, kl?: number, byWalker = false): Learner => {
  const how = [...kl === undefined ? [] : [`kl = ${kl}`], ...byWalker ? ["by the walker"] : []];
  const name = [objective, ...how].join(", ");
  return { name, objective, parameters: kl === undefined ? {} : { kl }, byWalker };
};

/**
 * Balance; policy gradients as they are published, with returns and ratios by the policy that walked
 * (Schulman et al. 2017, equation 6; Shao et al. 2024, equation 3); and as `learn` has them, with
 * those of the policy that learns.
 */
export const learners: readonly Learner[] = [
  learner("trajectory_balance"),
  learner("log_partition_variance"),
  ...["reinforce", "grpo", "ppo"].map((name) => learner(name, 1, true)),
  ...["reinforce", "grpo", "ppo"].map((name) => learner(name, 1)),
];

/** Those that a language model is tuned by: it has no flow, and so no critic. */
export const tuners: readonly Learner[] = [
  learner("trajectory_balance"),
  learner("log_partition_variance"),
  learner("reinforce", 1, true),
  learner("grpo", 1, true),
  learner("grpo", 1),
  learner("grpo", 0, true),
];

/** The objective of a learner. @param walked Scores of the batch by the policy that sampled it. */
export function objectiveOf({ objective: name, byWalker }: Learner, walked: () => Scores) {
  const objective = objectiveNamed(name);
  if (!byWalker) return objective;
  return { ...objective, evaluate: name === "reinforce" ? paidThen : clippedThen };

  /** Its advantages and its gradient do not look at the same scores: those of the walker pay. */
  function paidThen(...[scores, batch, state]: Parameters<Objective["evaluate"]>) {
    const { logPb, handle } = scores;
    return objective.evaluate({ ...walked(), ...(logPb && { logPb }), handle }, batch, state);
  }

  /** Steps are counted from the walker's policy, not from that of the first step on the batch. */
  function clippedThen(...[scores, batch, state]: Parameters<Objective["evaluate"]>) {
    return objective.evaluate(scores, batch, { ...state, first: walked() });
  }
}
