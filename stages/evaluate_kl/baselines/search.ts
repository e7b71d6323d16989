/** Baselines by plain search, with as many distinct evaluations as the policy's training had. */
import { inputError } from "../../../src/base/diagnostic.ts";
import {
  type BaselineResult,
  beamSearch,
  divergences,
  knownRewards,
  metropolisHastings,
  sequentialMonteCarlo,
  WalkTarget,
} from "../../../src/gfn/evaluation/mod.ts";
import { log } from "../../../src/numerics/math/mod.ts";
import type { StageContext } from "../../../src/pipeline/contract/mod.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import { type Measure, measuresOf, repeated } from "../../evaluation/measure.ts";
import { searchSubject } from "../../evaluation/subjects.ts";
import type { TrainedPolicy } from "../../ports/values.ts";

/** Particles of one set of sequential Monte Carlo. */
const particles = 64;

/** Trajectories that a baseline may sample per trajectory of the policy's training. */
const walksPerTrajectory = 4;

const searches = {
  metropolis_hastings: metropolisHastings,
  sequential_monte_carlo: sequentialMonteCarlo,
  beam_search: beamSearch,
} as const;

/** Searches whose distribution is that of their visits; others have none but their known rewards. */
const visiting: readonly string[] = ["metropolis_hastings", "sequential_monte_carlo"];

/**
 * TV, KL(search‖target) and JSD of the empirical distributions of each search, and of the rewards
 * that it asked for, renormalised: as a histogram of visits a search is judged without them. A beam has
 * no visits to count, only the latter.
 * KL(target‖search) is infinite as soon as one object was not visited, so it is left out.
 */
export function searchMeasures(
  context: StageContext,
  target: ScoredTarget,
  { distinctEvaluations, trajectories }: TrainedPolicy,
  { repetitions, budget: asked }: { readonly repetitions: number; readonly budget?: number },
): Measure[] {
  const budget = asked ?? distinctEvaluations;
  if (repetitions === 0) return [];
  if (asked !== undefined && asked < particles) throw tooSmall(asked);
  if (budget < particles) {
    context.log(`no baselines: ${budget} distinct evaluations fill no set of ${particles}`);
    return [];
  }
  const walked = new WalkTarget(target);
  const common = { objects: target.objects.length, budget, particles: particles };
  const walks = walksPerTrajectory * Math.max(trajectories, budget);
  return Object.entries(searches).flatMap(([name, search]) => {
    const runs = Array.from({ length: repetitions }, (_, i) => {
      const random = context.random(`baseline ${name} ${i}`);
      return search(walked, { ...common, walks, random });
    });
    return summary(name, target, runs);
  });
}

function summary(
  name: string,
  { logTarget, logReward }: ScoredTarget,
  runs: readonly BaselineResult[],
): Measure[] {
  const finished = runs.filter(({ probability }) => probability.some((p) => p > 0));
  if (finished.length === 0) return [];
  const found = finished.map(({ probability }) =>
    divergences(logTarget, probability.map((p) => p > 0 ? log(p) : -Infinity))
  );
  const isVisiting = visiting.includes(name);
  const spent = finished.map((one) => one.distinctEvaluations);
  const over = (values: readonly number[]) => repeated(values, "repeated search");
  const known = finished.map(({ asked }) => divergences(logTarget, knownRewards(asked, logReward)));
  return [
    [name, found] as const,
    ...(isVisiting ? [[`${name}_known`, known] as const] : []),
  ].flatMap(([subject, ofWhich]) =>
    measuresOf(searchSubject(subject), {
      tv: over(ofWhich.map((one) => one.totalVariation)),
      kl_policy_target: over(ofWhich.map((one) => one.klPolicyTarget)),
      jsd: over(ofWhich.map((one) => one.jensenShannon)),
      distinct: over(spent),
    })
  );
}

function tooSmall(budget: number): Error {
  const message = `Cannot run the baselines with a budget of ${budget} distinct evaluations`;
  const hint = `at least ${particles}, one set of particles; or baseline_repetitions = 0`;
  return inputError("evaluate/budget", message, undefined, hint);
}
