/** Evaluation where objects cannot be counted, while training goes on: estimates of the policy's own. */
import {
  type Estimate,
  type ImportanceEstimates,
  importanceEstimates,
} from "../../src/gfn/evaluation/importance_estimates.ts";
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import type { Quantities, Quantity } from "../evaluation/measure.ts";
import type { TrainedPolicy } from "../ports/values.ts";
import type { SamplingParams } from "./params.ts";
import { type Rewarded, RewardsAsked } from "./rewards_asked.ts";

/** Estimates of one policy; log Z, its sample size and the ELBO gap are there in any case. */
export type Estimates = Quantities & { readonly elbo_gap: Quantity };

/** What the walks of a policy say of it where it has mass; what it never visits they do not see. */
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

/** What is known beside the policy's own walks. */
interface Beside {
  /** Walks. */
  readonly n: number;
  /** The learner's log Z. */
  readonly learned: number | undefined;
  /** Whether explorers that never saw the policy agree with it. */
  readonly agree: boolean;
  /** log Z by objects that were drawn without asking the policy. */
  readonly logZ?: Quantity;
  /** KL(target‖policy) by such objects. */
  readonly klTargetPolicy?: Pick<Quantity, "value" | "mcse" | "interval">;
}

/**
 * Estimates from the policy's own walks. What they miss makes log Z and the ELBO gap larger, by
 * nobody knows how much: only where others `agree`, or tell log Z, do their intervals end; and only
 * where they agree is there an EUBO gap.
 */
export function ownEstimates(
  estimates: ImportanceEstimates,
  { n, learned, agree, logZ: other, klTargetPolicy }: Beside,
): Estimates {
  const method = "importance sampling";
  const open = agree || other ? undefined : "above";
  const logZ = other ?? quantityOf(estimates.logZ, { n, method }, open);
  const { value, mcse } = estimates.elbo;
  const gap = other
    ? { value: other.value - value, mcse: Math.hypot(other.mcse, mcse) }
    : estimates.elboGap;
  const error = learned === undefined
    ? undefined
    : { value: learned - logZ.value, mcse: logZ.mcse };
  const how = { n: logZ.n ?? n, method: logZ.method ?? method };
  const eubo = klTargetPolicy ? how : { n, method };
  return {
    log_z: logZ,
    ess: { value: estimates.ess, mcse: 0, n, method },
    elbo_gap: quantityOf(gap, { n, method }, open),
    ...(agree ? { eubo_gap: { ...klTargetPolicy ?? estimates.euboGap, ...eubo } } : {}),
    ...(error && { log_z_error: quantityOf(error, how, open && "below") }),
  };
}

/** An estimate whose interval may not end on one side. */
function quantityOf(
  { value, mcse }: Estimate,
  how: Pick<Quantity, "n" | "method">,
  open: "above" | "below" | undefined,
): Quantity {
  const low = open === "below" ? -Infinity : value - Z_95 * mcse;
  const high = open === "above" ? Infinity : value + Z_95 * mcse;
  return { value, mcse, ...how, interval: [low, high] };
}

/** The 97.5 % quantile of the standard normal distribution. */
const Z_95 = 1.959964;
