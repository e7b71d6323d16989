/** Noise of the target: part of it is scored again with another seed of the engine. */
import { divergences } from "../../../src/gfn/evaluation/mod.ts";
import { exp, logSumExp } from "../../../src/numerics/math/mod.ts";
import type { StageContext } from "../../../src/pipeline/contract/mod.ts";
import { executeObjects } from "../../common/execute_objects.ts";
import { judgeObjects } from "../../common/judge_objects.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import type { TargetNoiseParams } from "../params.ts";
import { type Measure, measuresOf } from "../../evaluation/measure.ts";
import { targetNoiseSubject } from "../../evaluation/subjects.ts";
import type { ProgramTarget } from "../../ports/values.ts";

/**
 * TV and KL between the target and itself under another seed, which takes the policy's place, on
 * the likeliest programs that together hold `share` of it, both normalised there. No divergence
 * finer than this means anything.
 */
export async function targetNoise(
  context: StageContext,
  scored: ScoredTarget,
  target: ProgramTarget,
  { share, seed }: TargetNoiseParams,
): Promise<Measure[]> {
  const chosen = likeliest(scored.logTarget, share);
  const objects = chosen.map((x) => scored.objects[x]);
  const { schedule } = target;
  const reseeded = { ...target, schedule: { ...schedule, seed: schedule.seed + seed } };
  const executions = await executeObjects(context, reseeded, objects, "evaluation");
  const judged = await judgeObjects(context, target, objects, executions);
  const again = judged.map((one) => one.logReward);
  const first = chosen.map((x) => scored.logReward[x]);
  const { totalVariation, klTargetPolicy } = divergences(normalised(first), normalised(again));
  const differences = again.map((one, i) => one - first[i]);
  const how = { n: chosen.length, method: "second engine seed", mcse: 0 };
  return measuresOf(targetNoiseSubject, {
    tv: { value: totalVariation, ...how },
    kl_target_policy: { value: klTargetPolicy, ...how },
    log_reward_sd: { value: deviation(differences) / Math.SQRT2, ...how },
  });
}

/** Indices of the likeliest objects that hold `share` of the target, at least one. */
function likeliest(logTarget: Float64Array, share: number): number[] {
  const order = [...logTarget.keys()].sort((a, b) => logTarget[b] - logTarget[a] || a - b);
  let mass = 0;
  const end = order.findIndex((x) => (mass += exp(logTarget[x])) >= share);
  return end < 0 ? order : order.slice(0, end + 1);
}

function normalised(logs: readonly number[]): number[] {
  const total = logSumExp(logs);
  return logs.map((one) => one - total);
}

/** Standard deviation about the mean, which the normalisation takes away. */
function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / values.length);
}
