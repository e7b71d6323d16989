/** Exact evaluation: every object of a finite environment scored once, and what follows from it. */
import { exp, log } from "../math/elementary.ts";
import { makeBatch } from "./batch.ts";
import { divergences, effectiveNumber } from "./divergences.ts";
import type { Divergences } from "./divergences.ts";
import type { Environment, TerminalObject } from "./environment.ts";
import { logSumExp } from "../math/log_sum_exp.ts";
import type { Policy } from "./policy.ts";
import { prefixName, PrefixTree } from "./prefix_tree.ts";

/** A target distribution π(x) = R(x) / Z over all objects of an environment. */
export interface EnumeratedTarget {
  /** What was enumerated. */
  readonly environment: Environment;
  /** Every terminal object, once. */
  readonly objects: readonly TerminalObject[];
  /** `[objects]`. */
  readonly logReward: Float64Array;
  /** log Σ R(x). */
  readonly logZ: number;
  /** `[objects]`: log π(x); sums to 1. */
  readonly logTarget: Float64Array;
  /** Of the prefixes of all objects. */
  readonly tree: PrefixTree;
}

/**
 * The target that these log rewards define.
 *
 * @param objects All of them, as `environment.enumerate()` gives them.
 * @param logReward `[objects]`, finite.
 */
export function enumeratedTarget(
  environment: Environment,
  objects: readonly TerminalObject[],
  logReward: Float64Array,
): EnumeratedTarget {
  const logZ = logSumExp(logReward);
  const logTarget = logReward.map((x) => x - logZ);
  const tree = new PrefixTree(objects.map((object) => object.actions));
  return { environment, objects, logReward, logZ, logTarget, tree };
}

/** Objects per call of `policy.score`, which bounds memory. */
const CHUNK = 1024;

/** `[objects]`: log P(x) under a policy; exact, because each object has one trajectory. */
export async function logPolicy(policy: Policy, target: EnumeratedTarget): Promise<Float64Array> {
  const { environment, objects } = target;
  const result = new Float64Array(objects.length);
  for (let begin = 0; begin < objects.length; begin += CHUNK) {
    const batch = makeBatch(environment, objects.slice(begin, begin + CHUNK));
    const { logPf } = await policy.score(batch, { grad: false });
    for (let b = 0; b < batch.B; b++) {
      let sum = 0;
      for (let t = 0; t < batch.lengths[b]; t++) sum += logPf[b * batch.T + t];
      result[begin + b] = sum;
    }
  }
  return result;
}

/** `[objects]`: log probability when every legal action is equally likely. */
export function logUniform({ environment, objects }: EnumeratedTarget): Float64Array {
  return Float64Array.from(objects, ({ actions }) => {
    let [state, sum] = [environment.initialState(), 0];
    for (const action of actions) {
      sum -= log(environment.legalActions(state).reduce((n, legal) => n + legal, 0));
      if (action !== environment.exitAction) state = environment.step(state, action);
    }
    return sum;
  });
}

/** `[objects]`: log probability under the environment's own weights. */
export function logPriorOf({ objects }: EnumeratedTarget): Float64Array {
  return Float64Array.from(objects, (object) => object.logPrior);
}

/** A state and what the choice made there adds to the two divergences, in nats. */
export interface PrefixShare {
  /** Actions from the initial state. */
  readonly prefix: readonly number[];
  /** Names of its actions. */
  readonly name: string;
  /** Share of KL(target‖policy). */
  readonly klTargetPolicy: number;
  /** Share of KL(policy‖target). */
  readonly klPolicyTarget: number;
}

/** How one distribution over the objects compares with the target. */
export interface ExactEvaluation extends Divergences {
  /** exp(entropy) of the policy. */
  readonly effectiveNumber: number;
  /** States in falling order of their share of KL(target‖policy). */
  readonly prefixes: readonly PrefixShare[];
}

/**
 * Divergences of a distribution from the target and where in the tree they arise. The shares of
 * KL(target‖policy) sum to it up to −log(1 − lost mass), those of the other likewise.
 *
 * @param logP `[objects]`: log probabilities, as {@linkcode logPolicy} gives them.
 * @param top How many prefixes to name.
 */
export function evaluateExactly(
  target: EnumeratedTarget,
  logP: Float64Array,
  top = 10,
): ExactEvaluation {
  const { tree, logTarget, environment } = target;
  const forward = tree.attribute(logTarget, logP);
  const reverse = tree.attribute(logP, logTarget);
  const worst = [...forward.keys()].filter((node) => forward[node] !== 0)
    .sort((a, b) => forward[b] - forward[a] || a - b).slice(0, top);
  const prefixes = worst.map((node) => {
    const prefix = tree.prefix(node);
    const name = prefixName(environment, prefix);
    return { prefix, name, klTargetPolicy: forward[node], klPolicyTarget: reverse[node] };
  });
  return {
    ...divergences(logTarget, logP),
    effectiveNumber: effectiveNumber(logP),
    prefixes,
  };
}

/** For each feature, in order of name, the probability that an object has it. */
export function inclusionProbabilities(
  objects: readonly TerminalObject[],
  logP: Float64Array,
): ReadonlyMap<string, number> {
  const names = [...new Set(objects.flatMap((object) => object.features))].sort();
  const sums = new Map(names.map((name) => [name, 0]));
  objects.forEach(({ features }, x) => {
    for (const name of new Set(features)) sums.set(name, sums.get(name)! + exp(logP[x]));
  });
  return sums;
}
