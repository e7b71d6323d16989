/** Policies that are made, not trained: any weights of the objects, so that the truth is known. */
import { keyAfter, type TerminalObject } from "../../../src/gfn/environments/environment.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { actionAt, legalCount, legalIn } from "../../../src/gfn/environments/legal_actions.ts";
import { divergences } from "../../../src/gfn/evaluation/divergences.ts";
import type { EnumeratedTarget } from "../../../src/gfn/evaluation/exact.ts";
import { optimalFlow } from "../../../src/gfn/evaluation/optimal_flow.ts";
import { ownTarget } from "../../../src/gfn/evaluation/own_target.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { drawPlace } from "../../../src/gfn/policies/behaviour.ts";
import type { CertifiedPolicy } from "../../../src/gfn/certificates/policy_mass.ts";
import type { Policy } from "../../../src/gfn/policies/policy.ts";
import type { Trajectory } from "../../../src/gfn/trajectories/trajectory.ts";

/** A policy and what is true of it. */
export interface Planted {
  readonly policy: CertifiedPolicy & Pick<Policy, "saveParts">;
  readonly totalVariation: number;
  readonly klTargetPolicy: number;
  readonly klPolicyTarget: number;
  readonly logZ: number;
}

const targets = new WeakMap<Environment, EnumeratedTarget>();

/** The target of an environment, counted once. */
export function countedTarget(environment: Environment): EnumeratedTarget {
  const target = targets.get(environment) ?? ownTarget(environment);
  targets.set(environment, target);
  return target;
}

/**
 * The policy whose objects are as e^logWeight, exactly: it walks by the flow that these weights and
 * a uniform P_B define.
 *
 * @param logWeight Of an object; below −700 of the largest it counts as 0.
 */
export function plantedPolicy(
  environment: Environment,
  logWeight: (object: TerminalObject) => number,
): Planted {
  const weightOf = new Map<string, number>();
  const target = countedTarget(environment);
  for (const object of target.objects) weightOf.set(object.text, logWeight(object));
  const logReward = (object: TerminalObject) => weightOf.get(object.text)!;
  const { graph, logPb, logFlow, logReward: ends } = optimalFlow(environment, { logReward });
  /** Log P_F of the legal actions of a state, in their order. */
  const rowOf = (state: unknown, key: string): Float64Array => {
    const at = graph.index.get(key)!;
    const legal = legalIn(environment, state);
    const count = legalCount(legal, environment.actionNames.length);
    const logs = new Float64Array(count);
    const known = new Map<number, number>();
    for (let step = graph.firstStep[at]; step < graph.firstStep[at + 1]; step++) {
      known.set(graph.action[step], logFlow[graph.to[step]] + logPb[step] - logFlow[at]);
    }
    const dead = logFlow[at] === -Infinity;
    for (let k = 0; k < count; k++) {
      const action = actionAt(legal, k);
      const way = action === environment.exitAction ? ends[at] - logFlow[at] : known.get(action)!;
      logs[k] = dead ? -Math.log(count) : way;
    }
    return logs;
  };
  const keyOf = (state: unknown, actions: readonly number[]) =>
    environment.stateKey?.(state) ?? actions.reduce((key, action) => keyAfter(key, action), "");
  const policy: Planted["policy"] = {
    saveParts: async function* () {
      yield new TextEncoder().encode(JSON.stringify([...weightOf]));
    },
    sample: (_, { count, random, epsilon, temperature, given }) =>
      Promise.resolve(Array.from({ length: count }, (_, i): Trajectory => {
        let [state, logPf, logPbSum] = [environment.initialState(), 0, 0];
        const actions: number[] = [];
        for (;;) {
          const logs = rowOf(state, keyOf(state, actions));
          const legal = legalIn(environment, state);
          const asked = given?.[i]?.[actions.length];
          const places = Array.from(logs.keys());
          const place = asked === undefined
            ? drawPlace(logs, { epsilon, temperature }, random)
            : places.find((k) => actionAt(legal, k) === asked)!;
          const action = actionAt(legal, place);
          logPf += logs[place];
          actions.push(action);
          if (action === environment.exitAction) break;
          state = environment.step(state, action);
          const mask = environment.backward?.legalActions(state);
          if (mask) logPbSum -= Math.log(mask.reduce((sum, one) => sum + one, 0));
        }
        const { text, logPrior } = environment.terminal(state);
        return { actions, logPf, logPb: logPbSum, logPrior, text };
      })),
    score: (batch) => {
      const logPf = new Float64Array(batch.B * batch.T);
      for (let at = 0; at < logPf.length; at++) {
        const state = batch.states.index[at];
        if (state < 0) continue;
        const graphState = graph.states[graph.index.get(batch.states.keys[state])!];
        const logs = rowOf(graphState, batch.states.keys[state]);
        const legal = batch.states.legal[state];
        const place = legal === "all" ? batch.actions[at] : legal.indexOf(batch.actions[at]);
        logPf[at] = logs[place];
      }
      const zeros = new Float64Array(logPf.length);
      return Promise.resolve({ logPf, logExit: zeros, logFlow: zeros, handle: 0 });
    },
    logProbabilities: (batch) =>
      Promise.resolve(batch.states.keys.map((key) => {
        return rowOf(graph.states[graph.index.get(key)!], key);
      })),
  };
  const logs = target.objects.map(({ text }) => weightOf.get(text)!);
  const total = logSumExp(logs);
  const found = divergences(target.logTarget, logs.map((one) => one - total));
  const { totalVariation, klTargetPolicy, klPolicyTarget } = found;
  return { policy, totalVariation, klTargetPolicy, klPolicyTarget, logZ: target.logZ };
}
