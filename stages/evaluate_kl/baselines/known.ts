/** Baselines without a policy: training's own rewards, and surrogates at equal evaluations. */
import {
  activeSurrogate,
  defaultSurrogate,
  evaluateExactly,
  knownRewards,
  type RewardSurrogate,
} from "../../../src/gfn/evaluation/mod.ts";
import { logSumExp } from "../../../src/numerics/math/mod.ts";
import type { StageContext } from "../../../src/pipeline/contract/mod.ts";
import { scoredObjects } from "../../common/scored_objects.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import { divergenceMeasures } from "../../evaluation/evaluation_rows.ts";
import { exactly, type Measure, measuresOf } from "../../evaluation/measure.ts";
import { searchSubject } from "../../evaluation/subjects.ts";
import type { ScoredSet, Surrogate, TrainedPolicy } from "../../ports/values.ts";

/** Divergences of the rewards that training asked for, renormalised; none where they are not wired. */
export function knownMeasures(target: ScoredTarget, scored: ScoredSet | undefined): Measure[] {
  if (!scored) return [];
  const texts = new Set(scoredObjects(target.environment, scored).map(({ object }) => object.text));
  const places = [...target.objects.keys()].filter((x) => texts.has(target.objects[x].text));
  const logP = knownRewards(places, target.logReward);
  return measured(target, "known_rewards", logP, places.length);
}

/** Measures that enumeration makes exact, and its cost: every object was scored. */
export function countingMeasures({ objects }: Pick<ScoredTarget, "objects">): Measure[] {
  const [nothing, distinct] = [exactly(0), exactly(objects.length)];
  const divergences = { tv: nothing, kl_target_policy: nothing, kl_policy_target: nothing };
  return measuresOf(searchSubject("counting"), { ...divergences, jsd: nothing, distinct });
}

/** Divergences of the surrogate that is wired; none where there is none. */
export function surrogateMeasures(
  target: ScoredTarget,
  given: Surrogate | undefined,
): Measure[] {
  if (!given) return [];
  return measured(target, "surrogate", logMassOf(given.surrogate, target), given.surrogate.size);
}

/** Divergences of a surrogate that chooses for itself, with as many evaluations as training had. */
export async function activeMeasures(
  context: StageContext,
  target: ScoredTarget,
  { distinctEvaluations }: TrainedPolicy,
  asked: number | undefined,
): Promise<Measure[]> {
  const { environment, objects, logReward } = target;
  const budget = Math.min(asked ?? distinctEvaluations, objects.length);
  if (budget < 1) return [];
  const places = new Map(objects.map(({ text }, x) => [text, x]));
  const surrogate = await activeSurrogate({
    ...defaultSurrogate,
    environment,
    objects,
    budget,
    first: 60,
    growth: 0.15,
    ask: (some) => Promise.resolve(some.map(({ text }) => logReward[places.get(text)!])),
    random: context.random("baseline active_surrogate"),
    onRound: ({ asked: spent }) => context.progress({ surrogate: `${spent}/${budget}` }),
  });
  return measured(target, "active_surrogate", logMassOf(surrogate, target), surrogate.size);
}

/** `[objects]`: log of the renormalised rewards of a surrogate. */
export function logMassOf(
  surrogate: RewardSurrogate,
  { objects }: Pick<ScoredTarget, "objects">,
): Float64Array {
  const logRewards = surrogate.logRewards(objects);
  const total = logSumExp(logRewards);
  return logRewards.map((one) => one - total);
}

function measured(target: ScoredTarget, name: string, logP: Float64Array, count: number) {
  const subject = searchSubject(name);
  return [
    ...divergenceMeasures(subject, evaluateExactly(target, logP)),
    ...measuresOf(subject, { distinct: exactly(count) }),
  ];
}
