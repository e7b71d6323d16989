/** What plain search reaches with as many distinct evaluations as the policy's training had. */
import { inputError } from "../base/diagnostic.ts";
import type { BaselineResult } from "../gfn/baselines/budget.ts";
import { metropolisHastings } from "../gfn/baselines/metropolis_hastings.ts";
import { WalkTarget } from "../gfn/baselines/rewarded_walk.ts";
import { sequentialMonteCarlo } from "../gfn/baselines/sequential_monte_carlo.ts";
import { divergences } from "../gfn/divergences.ts";
import { log } from "../math/elementary.ts";
import type { StageContext } from "../runner/stage.ts";
import type { ScoredTarget } from "./enumerated.ts";
import { type Measures, repeated } from "./measure.ts";
import type { TrainedPolicy } from "./values.ts";

/** Particles of one set of sequential Monte Carlo. */
const PARTICLES = 64;

/** Walks that a baseline may make per trajectory of the policy's training. */
const WALKS_PER_TRAJECTORY = 4;

const searches = {
  metropolis_hastings: metropolisHastings,
  sequential_monte_carlo: sequentialMonteCarlo,
} as const;

/**
 * TV, KL(search‖target) and JSD of the empirical distributions of each search, with a suffix.
 * KL(target‖search) is infinite as soon as one object was not visited, so it is left out.
 */
export function baselineMeasures(
  context: StageContext,
  target: ScoredTarget,
  { distinctEvaluations, trajectories }: TrainedPolicy,
  { repetitions, budget: asked }: { readonly repetitions: number; readonly budget?: number },
): Measures {
  const budget = asked ?? distinctEvaluations;
  if (repetitions === 0) return {};
  if (asked !== undefined && asked < PARTICLES) throw tooSmall(asked);
  if (budget < PARTICLES) {
    context.log(`no baselines: ${budget} distinct evaluations fill no set of ${PARTICLES}`);
    return {};
  }
  const walked = new WalkTarget(target);
  const common = { objects: target.objects.length, budget, particles: PARTICLES };
  const walks = WALKS_PER_TRAJECTORY * Math.max(trajectories, budget);
  const measures: Measures = {};
  for (const [name, search] of Object.entries(searches)) {
    const runs = Array.from({ length: repetitions }, (_, i) => {
      const random = context.random(`baseline ${name} ${i}`);
      return search(walked, { ...common, walks, random });
    });
    Object.assign(measures, summary(name, target, runs));
  }
  return measures;
}

function summary(name: string, { logTarget }: ScoredTarget, runs: readonly BaselineResult[]) {
  const finished = runs.filter(({ probability }) => probability.some((p) => p > 0));
  if (finished.length === 0) return {};
  const found = finished.map(({ probability }) =>
    divergences(logTarget, probability.map((p) => p > 0 ? log(p) : -Infinity))
  );
  const spent = finished.map((one) => one.distinctEvaluations);
  const over = (values: readonly number[]) => repeated(values, "repeated search");
  return {
    [`tv_${name}`]: over(found.map((one) => one.totalVariation)),
    [`kl_policy_target_${name}`]: over(found.map((one) => one.klPolicyTarget)),
    [`jsd_${name}`]: over(found.map((one) => one.jensenShannon)),
    [`distinct_${name}`]: over(spent),
  };
}

function tooSmall(budget: number): Error {
  const message = `Cannot run the baselines with a budget of ${budget} distinct evaluations`;
  const hint = `at least ${PARTICLES}, one set of particles; or baseline_repetitions = 0`;
  return inputError("evaluate/budget", message, undefined, hint);
}
