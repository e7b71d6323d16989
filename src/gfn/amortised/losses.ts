/** Losses of log flows against log rewards of the programs of one data set that were scored. */
import type { LossName } from "./loss_names.ts";
import { exp, logSumExp } from "../../numerics/math/mod.ts";

/** A loss and its gradient in the log flows. */
interface FlowLoss {
  readonly loss: number;
  readonly force: Float64Array;
}

/**
 * `cross_entropy`: KL(target‖policy), both among the scored programs alone; where all were scored it
 * is exact. `variance`: variance of log R − log F (Richter et al. 2020), beyond `reach`
 * nats linear, so that programs of tiny reward do not outweigh all others.
 */
export function flowLoss(name: LossName, flows: Float64Array, rewards: Float64Array): FlowLoss {
  return name === "cross_entropy" ? crossEntropy(flows, rewards) : variance(flows, rewards);
}

function crossEntropy(flows: Float64Array, rewards: Float64Array): FlowLoss {
  const [policy, target] = [shares(flows), shares(rewards)];
  const [logP, logT] = [logSumExp(flows), logSumExp(rewards)];
  let loss = 0;
  target.forEach((share, m) => {
    if (share > 0) loss += share * (rewards[m] - logT - (flows[m] - logP));
  });
  return { loss, force: policy.map((share, m) => share - target[m]) };
}

/** Nats beyond which a residual counts linearly. */
const reach = 4;

function variance(flows: Float64Array, rewards: Float64Array): FlowLoss {
  const count = flows.length;
  const gaps = flows.map((one, m) => one - rewards[m]);
  const mean = gaps.reduce((sum, one) => sum + one, 0) / count;
  const centred = gaps.map((one) => one - mean);
  const slopes = centred.map((one) => Math.max(-reach, Math.min(reach, one)));
  const loss = centred.reduce((sum, one, m) => {
    return sum + slopes[m] * (one - slopes[m] / 2);
  }, 0) / count;
  const drift = slopes.reduce((sum, one) => sum + one, 0) / count;
  return { loss, force: slopes.map((one) => (one - drift) / count) };
}

/** Softmax. */
function shares(logs: ArrayLike<number>): Float64Array {
  const total = logSumExp(Float64Array.from(logs));
  return Float64Array.from(logs, (one) => exp(one - total));
}
