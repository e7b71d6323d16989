/** Exact evaluation: divergences from every object of a finite environment, each scored once. */
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import { makeBatch } from "../trajectories/batch.ts";
import { divergences, effectiveNumber } from "./divergences.ts";
import type { Divergences } from "./divergences.ts";
import {
  type Actions,
  calledOf,
  type Environment,
  type Prompt,
  type TerminalObject,
} from "../environments/environment.ts";
import { inputError } from "../../base/diagnostic.ts";
import { legalCount, legalIn } from "../environments/legal_actions.ts";
import { firstWayTo } from "./cover.ts";
import { checkLogRewards } from "./log_rewards.ts";
import { type PolicyFlow, policyFlow, terminalLogProbability, uniformFlow } from "./policy_flow.ts";
import { type ThoughtfulMass, thoughtfulMass } from "./thoughtful_mass.ts";
import { trajectoryGaps } from "./trajectory_gaps.ts";
import type { Policy } from "../policies/policy.ts";
import { prefixName, PrefixTree } from "../environments/prefix_tree.ts";
import { type StateGraph, stateGraph } from "../environments/state_graph.ts";

/** The states of a graph in which objects end. Trees have a {@linkcode PrefixTree} instead. */
export interface ObjectGraph {
  /** Every state and step. */
  readonly graph: StateGraph<unknown>;
  /** `[objects]`: the state in which each of them ends. */
  readonly states: Int32Array;
}

/** A target distribution π(x) = R(x) / Z over all objects of an environment. */
export interface EnumeratedTarget {
  /** Environment of the objects. */
  readonly environment: Environment;
  /** Every terminal object, once. */
  readonly objects: readonly TerminalObject[];
  /** `[objects]`. */
  readonly logReward: Float64Array;
  /** log Σ R(x). */
  readonly logZ: number;
  /** `[objects]`: log π(x); sums to 1. */
  readonly logTarget: Float64Array;
  /** Tree of the prefixes of all objects; empty on graphs with several paths to a state. */
  readonly tree: PrefixTree;
  /** Present where several paths lead to one state. */
  readonly ways?: ObjectGraph;
}

/**
 * The target that these log rewards define.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { enumeratedTarget } from "./exact.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const objects = [...environment.enumerate()];
 * const target = enumeratedTarget(environment, objects, new Float64Array(objects.length));
 * assert(Math.abs(target.logZ - Math.log(10)) < 1e-12);
 * ```
 *
 * @param objects All of them, as `environment.enumerate()` gives them.
 * @param logReward `[objects]`; −Infinity is a reward of 0.
 * @throws InputError if a log reward is NaN or +Infinity, or all rewards are 0.
 */
export function enumeratedTarget(
  environment: Environment,
  objects: readonly TerminalObject[],
  logReward: Float64Array,
): EnumeratedTarget {
  checkLogRewards(objects, logReward);
  const logZ = logSumExp(logReward);
  const logTarget = logReward.map((x) => x - logZ);
  const ways = environment.backward && objectGraph(environment, objects);
  const tree = new PrefixTree(ways ? [] : objects.map((object) => object.actions));
  return { environment, objects, logReward, logZ, logTarget, tree, ...(ways && { ways }) };
}

/**
 * The target that other log rewards `[objects]` define on the same objects. @throws InputError.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "./own_target.ts";
 * import { withLogRewards } from "./exact.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 })); // ten, equally likely
 * const other = withLogRewards(target, Float64Array.from({ length: 10 }, (_, x) => x === 0 ? 0 : -Infinity));
 * assert.equal(other.logZ, 0);
 * ```
 */
export function withLogRewards(
  target: EnumeratedTarget,
  logReward: Float64Array,
): EnumeratedTarget {
  checkLogRewards(target.objects, logReward);
  const logZ = logSumExp(logReward);
  return { ...target, logReward, logZ, logTarget: logReward.map((x) => x - logZ) };
}

function objectGraph(environment: Environment, objects: readonly TerminalObject[]): ObjectGraph {
  const graph = stateGraph(environment);
  const states = Int32Array.from(objects, ({ actions }) => endOf(graph, actions));
  return { graph, states };
}

/** The number of the state in which a sequence of actions exits. */
function endOf({ environment, index }: StateGraph<unknown>, actions: Actions): number {
  let state = environment.initialState();
  for (const action of actions.slice(0, -1)) state = environment.step(state, action);
  return index.get(environment.stateKey!(state))!;
}

/** Objects per call of `policy.score`, which bounds memory. */
const chunkSize = 1024;

/** Mass of a policy on objects; `flow` where several paths lead to one state. */
export interface PolicyMass {
  /** `[objects]`: log P(x), exact. */
  readonly logP: Float64Array;
  /** Probabilities of the policy in every state. */
  readonly flow?: PolicyFlow;
  /** Where thoughts stand before objects: the estimated mass, and the number of thoughts behind it. */
  readonly thoughts?: ThoughtfulMass;
}

/**
 * The mass of a policy on every object: over its one path on trees, over all paths on graphs, over all
 * thoughts where these stand before objects, or some drawn from the policy.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "./own_target.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { policyMass } from "./exact.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 })); // ten, equally likely
 * const policy = await createPolicy({ kind: "table" }, target.environment, "seed");
 * const { logP } = await policyMass(policy, target);
 * assert(Math.abs(logP.reduce((sum, one) => sum + Math.exp(one), 0) - 1) < 1e-6);
 * ```
 *
 * @param prompt Prompt that the objects answer, if any.
 * @throws InputError if there is a prompt, and several paths lead to one state.
 */
export async function policyMass(
  policy: Policy,
  target: EnumeratedTarget,
  prompt?: Prompt,
): Promise<PolicyMass> {
  const { ways, environment } = target;
  if (environment.thoughts) {
    const thoughts = await thoughtfulMass(policy, target, prompt);
    return { logP: thoughts.logP, thoughts };
  }
  if (!ways) return { logP: await logPolicyOnTree(policy, target, prompt) };
  if (prompt) throw askedOnGraph(target.environment);
  return massOf(ways, await policyFlow(policy, ways.graph));
}

function massOf({ states }: ObjectGraph, flow: PolicyFlow): PolicyMass {
  const logP = terminalLogProbability(flow);
  return { logP: Float64Array.from(states, (state) => logP[state]), flow };
}

function askedOnGraph(environment: Environment) {
  const message = `Cannot evaluate answers of the ${calledOf(environment)}: several ways lead to ` +
    "one of its states";
  const hint = "lift it to tokens, of which each object has one list, or leave out prompts";
  return inputError("evaluate/prompts", message, undefined, hint);
}

async function logPolicyOnTree(
  policy: Policy,
  target: EnumeratedTarget,
  prompt?: Prompt,
): Promise<Float64Array> {
  const { environment, objects } = target;
  const result = new Float64Array(objects.length);
  const chunk = policy.sharesBeginnings ? objects.length : chunkSize;
  for (let begin = 0; begin < objects.length; begin += chunk) {
    const part = objects.slice(begin, begin + chunk);
    const walks = prompt ? part.map(({ actions }) => ({ actions, prompt })) : part;
    const batch = makeBatch(environment, walks);
    const { logPf } = await policy.score(batch, { grad: false });
    for (let b = 0; b < batch.B; b++) {
      let sum = 0;
      for (let t = 0; t < batch.lengths[b]; t++) sum += logPf[b * batch.T + t];
      result[begin + b] = sum;
    }
  }
  return result;
}

/**
 * `[objects]`: log probability when every legal action is equally likely.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "./own_target.ts";
 * import { logUniform } from "./exact.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 })); // ten, equally likely
 * const mass = logUniform(target).reduce((sum, one) => sum + Math.exp(one), 0);
 * assert(Math.abs(mass - 1) < 1e-12);
 * ```
 */
export function logUniform({ environment, objects, ways }: EnumeratedTarget): Float64Array {
  if (ways) return massOf(ways, uniformFlow(ways.graph)).logP;
  return Float64Array.from(objects, ({ actions }) => {
    const thought = environment.thoughts?.length(actions) ?? 0;
    let [state, sum] = [environment.initialState(), 0];
    for (const [t, action] of actions.entries()) {
      const count = legalCount(legalIn(environment, state), environment.actionNames.length);
      if (t >= thought) sum -= log(count);
      if (action !== environment.exitAction) state = environment.step(state, action);
    }
    return sum;
  });
}

/**
 * `[objects]`: log probability under the environment's own weights.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "./own_target.ts";
 * import { logPriorOf } from "./exact.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 })); // ten, equally likely
 * assert.equal(logPriorOf(target).length, 10);
 * ```
 */
export function logPriorOf({ objects }: EnumeratedTarget): Float64Array {
  return Float64Array.from(objects, (object) => object.logPrior);
}

/** A state, and the contributions of the choice in it to the two divergences, in nats. */
export interface PrefixShare {
  /** Actions from the initial state. */
  readonly prefix: readonly number[];
  /** Names of its actions; on graphs the name of the state. */
  readonly name: string;
  /** Share of KL(target‖policy). */
  readonly klTargetPolicy: number;
  /** Share of KL(policy‖target). */
  readonly klPolicyTarget: number;
}

/** Divergences of one distribution over the objects from the target. */
export interface ExactEvaluation extends Divergences {
  /** exp(entropy) of the policy. */
  readonly effectiveNumber: number;
  /** log Z − E_{P_F}[log R + log P_B − log P_F] ≥ KL(policy‖target); equal on trees. */
  readonly elboGap?: number;
  /** E_{π P_B}[log R + log P_B − log P_F] − log Z ≥ KL(target‖policy); equal on trees. */
  readonly euboGap?: number;
  /** Where thoughts stand before objects: the estimates behind the divergences. */
  readonly thoughts?: ThoughtfulMass;
  /** States in falling order of their share of KL(target‖policy), or of the EUBO gap on graphs. */
  readonly prefixes: readonly PrefixShare[];
}

/**
 * Divergences of a distribution from the target and where they arise. On trees the shares of
 * KL(target‖policy) sum to it up to −log(1 − lost mass), those of the other likewise; on graphs
 * they sum to the two gaps, and are known only where the flow is.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "./own_target.ts";
 * import { evaluateExactly } from "./exact.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 })); // ten, equally likely
 * const half = Float64Array.from(target.objects, (_, x) => x < 5 ? Math.log(0.2) : -Infinity);
 * assert(Math.abs(evaluateExactly(target, half).totalVariation - 0.5) < 1e-12);
 * ```
 *
 * @param mass Result of {@linkcode policyMass}, or `[objects]` log probabilities alone.
 * @param top Number of states to name.
 */
export function evaluateExactly(
  target: EnumeratedTarget,
  mass: PolicyMass | Float64Array,
  top = 10,
): ExactEvaluation {
  const { logP, flow, thoughts }: PolicyMass = mass instanceof Float64Array ? { logP: mass } : mass;
  const common = {
    ...divergences(target.logTarget, logP),
    effectiveNumber: effectiveNumber(logP),
    ...(thoughts && { thoughts }),
  };
  if (!target.ways) {
    const prefixes = sharesOnTree(target, logP, top);
    const { klPolicyTarget: elboGap, klTargetPolicy: euboGap } = common;
    return { ...common, elboGap, euboGap, prefixes };
  }
  return { ...common, ...(flow ? onGraph(target.ways, target, flow, top) : { prefixes: [] }) };
}

function sharesOnTree(
  { tree, logTarget, environment }: EnumeratedTarget,
  logP: Float64Array,
  top: number,
): PrefixShare[] {
  const forward = tree.attribute(logTarget, logP);
  const reverse = tree.attribute(logP, logTarget);
  return largest(forward, top).map((node) => {
    const prefix = tree.prefix(node);
    const name = prefixName(environment, prefix);
    return { prefix, name, klTargetPolicy: forward[node], klPolicyTarget: reverse[node] };
  });
}

function onGraph(
  { graph, states }: ObjectGraph,
  { logTarget }: EnumeratedTarget,
  flow: PolicyFlow,
  top: number,
) {
  const ends = new Float64Array(graph.keys.length).fill(-Infinity);
  states.forEach((state, x) => ends[state] = logTarget[x]);
  const { elboGap, euboGap, elboShares, euboShares } = trajectoryGaps(flow, ends);
  const prefixes = largest(euboShares, top).map((state) => ({
    prefix: firstWayTo(graph, state),
    name: graph.terminable[state]
      ? graph.environment.terminal(graph.states[state]).text
      : prefixName(graph.environment, firstWayTo(graph, state)),
    klTargetPolicy: euboShares[state],
    klPolicyTarget: elboShares[state],
  }));
  return { elboGap, euboGap, prefixes };
}

/** Indices of the largest shares that are not 0. */
function largest(shares: Float64Array, top: number): number[] {
  return [...shares.keys()].filter((node) => shares[node] !== 0)
    .sort((a, b) => shares[b] - shares[a] || a - b).slice(0, top);
}

/**
 * For each feature, in order of name, the probability that an object has it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { inclusionProbabilities } from "./exact.ts";
 * const environment = environmentNamed("regressions", { terms: 4 });
 * const objects = [...environment.enumerate()];
 * const even = new Float64Array(objects.length).fill(-Math.log(objects.length));
 * const [[, probability]] = inclusionProbabilities(objects, even);
 * assert(Math.abs(probability - 0.5) < 1e-12);
 * ```
 */
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
