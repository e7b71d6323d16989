/** Evaluation where objects cannot be counted, while training goes on: estimates of the policy's own. */
import {
  type Estimate,
  type ImportanceEstimates,
  importanceEstimates,
} from "../../src/gfn/evaluation/mod.ts";
import { log } from "../../src/numerics/math/mod.ts";
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Quantities, Quantity } from "../evaluation/measure.ts";
import type { TrainedPolicy } from "../ports/values.ts";
import type { SamplingParams } from "./params.ts";
import { type Rewarded, RewardsAsked } from "../common/rewards_asked.ts";

/** Estimates of one policy; log Z, its sample size and the ELBO gap are there in any case. */
export type Estimates = Quantities & { readonly elbo_gap: Quantity };

/** Estimates from trajectories of a policy, which cover only the region that it visits. */
export async function evaluateBySampling(
  context: StageContext,
  { policy, logZ }: TrainedPolicy,
  rewarded: Rewarded,
  { samples }: SamplingParams,
): Promise<Estimates> {
  const { environment } = rewarded;
  const options = { epsilon: 0, temperature: 1, random: context.random("evaluation samples") };
  const drawn = await policy.sample(environment, { ...options, count: samples });
  const objects = drawn.map(({ actions }) => objectOf(environment, actions));
  const rewards = await new RewardsAsked(context, rewarded).ofAll(objects);
  const zeta = drawn.map((one, i) => rewards[i] + one.logPb - one.logPf);
  return ownEstimates(importanceEstimates(zeta), { n: samples, learned: logZ, agree: false });
}

/** Facts beside the policy's own trajectories. */
interface Beside {
  /** Number of trajectories. */
  readonly n: number;
  /** The learner's log Z. */
  readonly learned: number | undefined;
  /** Whether independent searches agree with the policy. */
  readonly agree: boolean;
  /** Whether it is proved to be off, by objects that others found beside it. */
  readonly proved?: boolean;
  /** The share of the target that it may miss, by their estimate. */
  readonly missed?: number;
  /** log of all rewards that were asked for: log Z is no less. */
  readonly least?: number;
  /** log Z by objects that were drawn without asking the policy. */
  readonly logZ?: Quantity;
  /** KL(target‖policy) by such objects. */
  readonly klTargetPolicy?: Pick<Quantity, "value" | "mcse" | "interval">;
}

/**
 * Estimates from the policy's own trajectories. Mass that they miss makes log Z and the ELBO gap larger, by
 * an unknown amount. So their intervals have an upper end only where independent searches `agree`, farther
 * by the mass that these may have overlooked, or where it is `proved` what the policy misses and others
 * give log Z; an EUBO gap exists only where they agree, by samples of theirs. With fewer than {@linkcode
 * fewest} effective samples, only the rewards themselves prove a lower end.
 */
export function ownEstimates(
  estimates: ImportanceEstimates,
  { n, learned, agree, proved, missed = 0, least, logZ: other, klTargetPolicy }: Beside,
): Estimates {
  const method = "importance sampling";
  const beyond = agree || (proved && other) ? 0 : Infinity;
  const own = { n, method };
  const overlooked = beyond - log(1 - Math.min(missed, 0.99));
  const raised = (one: Estimate) => quantityOf(one, own, overlooked);
  const logZ = other
    ? raisedEnd(other, agree ? overlooked : beyond)
    : withoutLowerEnd(raised(estimates.logZ), estimates, least);
  const gap = other
    ? gapBelow(logZ, estimates.elbo, own)
    : withoutLowerEnd(raised(estimates.elboGap), estimates);
  const how = { n: logZ.n ?? n, method: logZ.method ?? method };
  return {
    log_z: logZ,
    ess: { value: estimates.ess, mcse: 0, n, method },
    elbo_gap: gap,
    ...(agree && klTargetPolicy ? { eubo_gap: { ...klTargetPolicy, ...how } } : {}),
    ...(learned === undefined ? {} : { log_z_error: errorOf(learned, logZ, how) }),
  };
}

/** The 97.5 % quantile of the standard normal distribution. */
const z95 = 1.959964;

/** The 97.5 % quantile of Student's distribution with seven degrees of freedom. */
const t7 = 2.364624;

/**
 * log Z by a listed sample, never below what is known. Its weights are few and skewed, so that the
 * interval is as wide as if there were eight of them.
 */
export function listedLogZ({ value, mcse }: Estimate, n: number, least: number): Quantity {
  const [raised, half] = [Math.max(value, least), t7 * mcse];
  const interval = [Math.max(value - half, least), raised + half] as const;
  return { value: raised, mcse, interval, n, method: "listed sample" };
}

/** The learner's log Z less the estimate. */
function errorOf(
  learned: number,
  { value, mcse, interval: [low, high] = [value, value] }: Quantity,
  how: Pick<Quantity, "n" | "method">,
): Quantity {
  return { value: learned - value, mcse, interval: [learned - high, learned - low], ...how };
}

/** log Z less the mean of log R − log P over trajectories; their errors are independent. */
function gapBelow(
  logZ: Quantity,
  { value, mcse }: Estimate,
  how: Pick<Quantity, "n" | "method">,
): Quantity {
  const [low, high] = logZ.interval!.map((end) => Math.abs(end - logZ.value));
  const gap = logZ.value - value;
  const interval = [
    gap - rootOfSquares(low, z95 * mcse),
    gap + rootOfSquares(high, z95 * mcse),
  ] as const;
  return { value: gap, mcse: rootOfSquares(logZ.mcse, mcse), interval, ...how };
}

/** Raises the upper end of a quantity's interval to at least so much above the estimate. */
function raisedEnd(quantity: Quantity, beyond: number): Quantity {
  const [low, high] = quantity.interval!;
  return { ...quantity, interval: [low, Math.max(high, quantity.value + beyond)] };
}

/** Effective samples below which the delta method gives no lower end. */
const fewest = 20;

/** Removes the lower end of few effective samples, except as far as it is proved. */
function withoutLowerEnd(
  quantity: Quantity,
  { ess }: ImportanceEstimates,
  least = -Infinity,
): Quantity {
  const [low, high] = quantity.interval!;
  const end = ess < fewest ? -Infinity : low;
  return { ...quantity, interval: [Math.max(end, least), high] };
}

/** An estimate whose interval ends so much farther up. */
function quantityOf(
  { value, mcse }: Estimate,
  how: Pick<Quantity, "n" | "method">,
  beyond: number,
): Quantity {
  const half = z95 * mcse;
  return { value, mcse, ...how, interval: [value - half, value + half + beyond] };
}

/** Length of a sum of two errors that know nothing of each other. */
function rootOfSquares(a: number, b: number): number {
  return Math.sqrt(a * a + b * b);
}
