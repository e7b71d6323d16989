/** Flow of a policy: its choices in every state of an environment, and the probability of coming there. */
import { log, logAddExp } from "../../numerics/math/mod.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { Environment } from "../environments/environment.ts";
import { placeIn } from "../environments/legal_actions.ts";
import type { Policy } from "../policies/policy.ts";
import type { StateGraph } from "../environments/state_graph.ts";
import { coveringTrajectories } from "./cover.ts";

/** A policy over a whole graph. It must be a function of the state, not of the path to it. */
export interface PolicyFlow {
  /** States and steps of the environment. */
  readonly graph: StateGraph<unknown>;
  /** `[steps]`: log P_F of each step. */
  readonly logStep: Float64Array;
  /** `[states]`: log P_F of the exit; −Infinity where it is illegal. */
  readonly logExit: Float64Array;
  /** `[states]`: log probability that a trajectory passes the state. */
  readonly logVisit: Float64Array;
}

/** States per call of the policy, roughly; bounds memory. */
const cells = 16_384;

/** Asks a policy about every state, and pushes its mass through the graph in f64. */
export async function policyFlow(
  policy: Pick<Policy, "logProbabilities">,
  graph: StateGraph<unknown>,
): Promise<PolicyFlow> {
  const { environment, keys, index } = graph;
  const logStep = new Float64Array(graph.action.length);
  const logExit = new Float64Array(keys.length).fill(-Infinity);
  const trajectories = coveringTrajectories(graph).map((actions) => ({ actions }));
  const rows = Math.max(1, Math.floor(cells / environment.maxActions));
  for (let begin = 0; begin < trajectories.length; begin += rows) {
    const batch = makeBatch(environment, trajectories.slice(begin, begin + rows));
    const logP = await policy.logProbabilities(batch);
    batch.states.keys.forEach((key, i) => {
      const state = index.get(key)!;
      const [row, legal] = [logP[i], batch.states.legal[i]];
      const exit = placeIn(legal, environment.exitAction);
      if (exit >= 0) logExit[state] = row[exit];
      for (let step = graph.firstStep[state]; step < graph.firstStep[state + 1]; step++) {
        logStep[step] = row[placeIn(legal, graph.action[step])];
      }
    });
  }
  return { graph, logStep, logExit, logVisit: pushForward(graph, logStep) };
}

/** The flow of the policy that finds every legal action equally likely. */
export function uniformFlow(graph: StateGraph<unknown>): PolicyFlow {
  return flowOf(graph, (environment, state) => {
    const mask = environment.legalActions(state);
    const each = -log(mask.reduce((sum, legal) => sum + legal, 0));
    return Float64Array.from(mask, (legal) => legal === 1 ? each : -Infinity);
  });
}

function flowOf(
  graph: StateGraph<unknown>,
  logProbabilities: (environment: Environment, state: unknown) => Float64Array,
): PolicyFlow {
  const { environment, states, firstStep, action } = graph;
  const logStep = new Float64Array(action.length);
  const logExit = new Float64Array(states.length);
  states.forEach((state, s) => {
    const logP = logProbabilities(environment, state);
    logExit[s] = logP[environment.exitAction];
    for (let step = firstStep[s]; step < firstStep[s + 1]; step++) {
      logStep[step] = logP[action[step]];
    }
  });
  return { graph, logStep, logExit, logVisit: pushForward(graph, logStep) };
}

/** `[states]`: log probability of passing each state, given log P_F of every step. */
function pushForward({ keys, from, to }: StateGraph<unknown>, logStep: Float64Array) {
  const logVisit = new Float64Array(keys.length).fill(-Infinity);
  logVisit[0] = 0;
  for (let step = 0; step < to.length; step++) {
    logVisit[to[step]] = logAddExp(logVisit[to[step]], logVisit[from[step]] + logStep[step]);
  }
  return logVisit;
}

/** `[states]`: log P of ending in each state; −Infinity where the exit is illegal. */
export function terminalLogProbability({ logVisit, logExit }: PolicyFlow): Float64Array {
  return logVisit.map((visit, s) => visit + logExit[s]);
}
