/** Bounds of log Z from both sides, where the target itself can be sampled. */
import type { RandomStream } from "../../base/random.ts";
import { exp, indexAbove, logSumExp } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { anotherWay, endOfWay, offPolicyTrajectories } from "../policies/given_ways.ts";
import type { Policy } from "../policies/policy.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import type { Estimate } from "./importance_estimates.ts";

/** Exact samples from R / Z: the actions of each, exit included. */
export type TargetSampler = (random: RandomStream) => readonly number[];

/** Estimates from trajectories of both kinds; all in nats. */
export interface Bidirectional {
  /** Mean of log R + log P_B − log P_F over trajectories of the policy: at most log Z. */
  readonly elbo: Estimate;
  /** The same mean over exact samples of the target, with backward trajectories: at least log Z. */
  readonly eubo: Estimate;
  /** Their difference, KL(policy‖target) + KL(target‖policy) over trajectories: bounds each of them. */
  readonly jeffreys: Estimate;
}

/**
 * A sampler of the target: the environment's own, or one by a list.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { targetSampler } from "./bidirectional.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * assert(targetSampler(environment, 100));
 * assert.equal(targetSampler(environment, 5), undefined); // more than five objects
 * ```
 *
 * @param most Objects up to which a list is made.
 * @returns undefined where there is neither.
 */
export function targetSampler(environment: Environment, most: number): TargetSampler | undefined {
  if (environment.drawTarget) return (random) => environment.drawTarget!(random);
  if (!environment.logReward || !(environment.count! <= most)) return undefined;
  const objects = [...environment.enumerate()];
  return drawnByList(objects);
}

function drawnByList(objects: readonly TerminalObject[]): TargetSampler {
  const logRewards = Float64Array.from(objects, ({ logReward }) => logReward!);
  const logZ = logSumExp(logRewards);
  const upTo = new Float64Array(objects.length);
  let sum = 0;
  logRewards.forEach((one, i) => upTo[i] = sum += exp(one - logZ));
  return (random) => objects[indexAbove(upTo, random.uniform() * sum)].actions;
}

/**
 * Bounds log Z by forward trajectories of the policy and backward ones of exact target samples (Grosse,
 * Ghahramani and Adams 2015, for annealed importance sampling; here the proposal is the policy). The
 * backward half is the forward metric of Blessing et al. (2024), which sees modes that the policy misses.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { bidirectional, targetSampler } from "./bidirectional.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed");
 * const draw = targetSampler(environment, 100)!;
 * const random = new RandomStream("walks");
 * const { elbo, eubo } = await bidirectional(policy, environment, draw, { samples: 200, random });
 * assert(elbo.value < Math.log(10) + 0.1 && eubo.value > Math.log(10) - 0.1); // log Z = log 10
 * ```
 *
 * @param samples Of either kind, at least 2.
 */
export async function bidirectional(
  policy: Pick<Policy, "sample" | "score">,
  environment: Environment,
  draw: TargetSampler,
  { samples, random }: { readonly samples: number; readonly random: RandomStream },
): Promise<Bidirectional> {
  const walk = { count: samples, random, epsilon: 0, temperature: 1 };
  const forward = await policy.sample(environment, walk);
  const ways = Array.from(
    { length: samples },
    () => anotherWay(environment, draw(random), random),
  );
  const backward = await offPolicyTrajectories(policy, environment, ways);
  const elbo = meanOf(logRatios(environment, forward));
  const eubo = meanOf(logRatios(environment, backward));
  const jeffreys = {
    value: eubo.value - elbo.value,
    mcse: Math.sqrt(elbo.mcse ** 2 + eubo.mcse ** 2),
  };
  return { elbo, eubo, jeffreys };
}

function logRatios(environment: Environment, walks: readonly Trajectory[]): number[] {
  return walks.map(({ actions, logPf, logPb }) => {
    const end = endOfWay(environment, actions);
    return environment.logReward!(end) + logPb - logPf;
  });
}

function meanOf(values: readonly number[]): Estimate {
  const n = values.length;
  const value = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - value) * (x - value), 0);
  return { value, mcse: Math.sqrt(squares / (n - 1) / n) };
}
