/** Evaluation where objects cannot be counted: estimates from samples, each with an interval. */
import { subSupportDistance } from "../../src/gfn/evaluation/sub_supports.ts";
import {
  type Estimate,
  importanceEstimates,
} from "../../src/gfn/evaluation/importance_estimates.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import type { Trajectory } from "../../src/gfn/trajectories/trajectory.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import { ownLogRewards } from "../../src/gfn/evaluation/own_target.ts";
import { judgeObjects } from "../common/judge_objects.ts";
import { executeAll } from "../evaluation/enumerated.ts";
import type { SamplingParams } from "./params.ts";
import type { Quantities, Quantity } from "../evaluation/measure.ts";
import type { Target, TrainedPolicy } from "../ports/values.ts";

/** Where the rewards come from. */
interface Rewarded {
  readonly environment: Environment;
  readonly target?: Target;
}

/** Estimates of one policy; the gaps and log Z are there in any case. */
type Estimates = Quantities & { readonly elbo_gap: Quantity };

/**
 * log Z with its effective sample size, both gaps, and on trees, where log P of a given object is
 * exact, the divergence on random sub-supports of objects from the policy and from uniform choice.
 */
export async function evaluateBySampling(
  context: StageContext,
  { policy, logZ }: TrainedPolicy,
  rewarded: Rewarded,
  params: SamplingParams,
): Promise<Estimates> {
  const { environment } = rewarded;
  const { samples } = params;
  const options = { epsilon: 0, temperature: 1, random: context.random("evaluation samples") };
  const drawn = await policy.sample(environment, { ...options, count: samples });
  const reward = await logRewards(context, rewarded, drawn);
  const zeta = drawn.map((one) => reward.get(one.text)! + one.logPb - one.logPf);
  const estimates = importanceEstimates(zeta);
  const how = { n: samples, method: "importance sampling" };
  const weighted = {
    log_z: { ...estimates.logZ, ...how },
    ess: { value: estimates.ess, mcse: 0, ...how },
    elbo_gap: { ...estimates.elboGap, ...how },
    eubo_gap: { ...estimates.euboGap, ...how },
    ...(logZ === undefined ? {} : { log_z_error: errorOf(logZ, estimates.logZ, how) }),
  };
  if (environment.backward) return weighted;
  const uniform = await policy.sample(environment, { ...options, count: samples, epsilon: 1 });
  const all = distinct([...drawn, ...uniform]);
  return {
    ...weighted,
    tv_sub_support: await onSubSupports(context, policy, rewarded, all, params),
  };
}

/** The mean divergence on random sets of objects, each normalised by itself. */
async function onSubSupports(
  context: StageContext,
  policy: Policy,
  rewarded: Rewarded,
  found: readonly Trajectory[],
  { sub_supports: count, sub_support_size: size }: SamplingParams,
): Promise<Quantity> {
  const rewards = await logRewards(context, rewarded, found);
  const distance = subSupportDistance(
    found.map((one) => rewards.get(one.text)!),
    await logProbabilities(policy, rewarded.environment, found),
    { count, size, random: context.random("sub-supports") },
  );
  return { ...distance, n: count, method: `exact on sub-supports of ${size}` };
}

function errorOf(
  logZ: number,
  { value, mcse }: Estimate,
  how: Pick<Quantity, "n" | "method">,
): Quantity {
  return { value: logZ - value, mcse, ...how };
}

function distinct(trajectories: readonly Trajectory[]): Trajectory[] {
  return [...new Map(trajectories.map((one) => [one.text, one])).values()];
}

/** Log rewards of the objects of trajectories, by text. */
async function logRewards(
  context: StageContext,
  { environment, target }: Rewarded,
  trajectories: readonly Trajectory[],
): Promise<ReadonlyMap<string, number>> {
  const objects = distinct(trajectories).map((one) => objectOf(environment, one));
  const texts = objects.map((object) => object.text);
  if (!target) {
    const own = ownLogRewards(environment, objects);
    return new Map(texts.map((text, i) => [text, own[i]]));
  }
  const executions = target.dataset && await executeAll(context, target, objects);
  const judgements = await judgeObjects(context, target, objects, executions);
  return new Map(texts.map((text, i) => [text, judgements[i].logReward]));
}

function objectOf(environment: Environment, { actions }: Trajectory): TerminalObject {
  let state = environment.initialState();
  for (const action of actions.slice(0, -1)) state = environment.step(state, action);
  return environment.terminal(state);
}

async function logProbabilities(
  policy: Policy,
  environment: Environment,
  trajectories: readonly Trajectory[],
): Promise<number[]> {
  const batch = makeBatch(environment, trajectories);
  const { logPf } = await policy.score(batch, { grad: false });
  return trajectories.map((_, b) =>
    logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b]).reduce((sum, x) => sum + x, 0)
  );
}
