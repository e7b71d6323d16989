/** Checks an objective: its gradient, its optimum on a tree and on a graph, and its direction. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import type { Environment } from "../environments/environment.ts";
import { hypergridEnvironment } from "../environments/hypergrid.ts";
import { makeEnvironment } from "../environments/make_environment.ts";
import type { StateGraph } from "../environments/state_graph.ts";
import {
  type Objective,
  type ObjectiveResult,
  parametersOf,
  readsOf,
} from "../objectives/objective.ts";
import type { Settings } from "../settings/read_settings.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import { type OptimalFlow, optimalFlow, optimalScores } from "./optimal_flow.ts";

/** Options of the check of an objective. */
export interface CheckObjectiveOptions {
  /** Parameters of the objective; defaults where left out. */
  readonly parameters?: Settings;
  /**
   * A small environment in which several paths lead to a state; 3 × 3 cells if left out, null for an
   * objective that is for trees alone.
   */
  readonly graph?: Environment | null;
}

/** Words of two letters at most, the empty one among them, each with another reward. */
const words = makeEnvironment<string>("words", {
  actionNames: ["a", "b", "exit"],
  exitAction: 2,
  maxActions: 3,
  initialState: () => "",
  legalActions: ({ length }) => length < 2 ? Uint8Array.of(1, 1, 1) : Uint8Array.of(0, 0, 1),
  step: (word, action) => word + "ab"[action],
  objectOf: (word) => word || "nothing",
  logReward: (word) => ["", "a", "b", "aa", "ab", "ba", "bb"].indexOf(word) * 0.7 - 2,
});

/** Code, fault and remedy of a finding. */
type Finding = readonly [code: string, what: string, hint: string];

/**
 * Checks properties that a falling loss does not show, in milliseconds:
 *
 * - the gradient is that of the loss, by central differences, in every score that it names;
 * - at the optimum, where P ∝ R, there is no loss and no gradient: on a tree, and on a graph where
 *   several paths lead to a state, under a uniform log P_B and under one that is learned. An objective
 *   that forgets log P_B is right on trees and samples another distribution on graphs, at a loss of 0;
 * - a step moves probability from objects that have too much to those that have too little.
 *
 * The optimum is not checked of objectives whose `movesOptimum` says that theirs is elsewhere, that
 * read no rewards, or are `onPolicy`; a learned log P_B only of those that move `backward`.
 *
 * @throws InputError with every finding.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectiveNamed } from "../objectives/built_in_objectives.ts";
 * import { checkObjective } from "./check_objective.ts";
 * const balance = objectiveNamed("trajectory_balance");
 * checkObjective(balance);
 * const forgets = {
 *   ...balance,
 *   name: "forgets",
 *   evaluate: ((scores, batch, state) =>
 *     balance.evaluate(scores, { ...batch, logPb: batch.logPb.map(() => 0) }, state)) as
 *       typeof balance.evaluate,
 * };
 * assert.throws(() => checkObjective(forgets), /forgets.*log P_B/);
 * ```
 */
export function checkObjective(objective: Objective, options: CheckObjectiveOptions = {}): void {
  const parameters = parametersOf(objective, options.parameters ?? {});
  const graph = options.graph === undefined ? grid() : options.graph;
  const findings = [
    ...differences(objective, parameters, graph),
    ...atTheOptimum(objective, parameters, graph),
    ...direction(objective, parameters),
  ];
  if (findings.length === 0) return;
  throw new InputError(findings.map(([code, what, hint]): Diagnostic => ({
    code: `objective/${code}`,
    severity: "error",
    message: `Cannot use the objective "${objective.name}": ${what}`,
    hint,
  })));
}

const grid = () =>
  hypergridEnvironment({ ndim: 2, height: 3, r0: 0.1, r1: 0.5, r2: 2 }) as Environment;

/** All paths to all objects, with the rewards along them. */
function allWays(environment: Environment): Batch {
  const ways: number[][] = [];
  const visit = (state: unknown, actions: readonly number[]) => {
    environment.legalActions(state).forEach((legal, action) => {
      if (legal === 0) return;
      const way = [...actions, action];
      if (action === environment.exitAction) ways.push(way);
      else visit(environment.step(state, action), way);
    });
  };
  visit(environment.initialState(), []);
  return makeBatch(environment, ways.map((actions) => ({ actions })));
}

const scoreKeys = ["logPf", "logExit", "logFlow", "logPb"] as const;

/** Whether its gradient is the derivative of its loss; of an estimate by the score function it is not. */
const isDerivative = ({ onPolicy, stepsPerBatch }: Objective) => !onPolicy || stepsPerBatch;

function differences(
  objective: Objective,
  parameters: Settings,
  graph: Environment | null,
): Finding[] {
  if (!isDerivative(objective)) return [];
  for (const environment of [words, ...graph ? [graph] : []]) {
    const batch = allWays(environment);
    const scores = meaningless(batch);
    const state = { logZ: 0.7, parameters, first: scores };
    const given = evaluated(objective, scores, batch, state);
    if (!given) continue; // it refuses such environments
    const { gradients } = given;
    const loss = (moved: Partial<Scores>, logZ = state.logZ) =>
      objective.evaluate({ ...scores, ...moved }, batch, { ...state, logZ }).loss;
    for (const key of scoreKeys) {
      const values = scores[key];
      for (let at = 0; values && at < values.length; at += 1 + (at % 3)) {
        if (!isRead(key, batch, at) || (key === "logPb" && objective.ownBackward)) continue;
        const by = (h: number) => loss({ [key]: values.with(at, values[at] + h) });
        const wanted = (by(step) - by(-step)) / (2 * step);
        const slope = gradients[key]?.[at] ?? 0;
        if (!isNear(slope, wanted)) return [wrongSlope(`gradients.${key}[${at}]`, slope, wanted)];
      }
    }
    if (objective.onPolicy) continue; // log Z is part of advantages, which are constants
    const wanted = (loss({}, 0.7 + step) - loss({}, 0.7 - step)) / (2 * step);
    if (!isNear(gradients.logZ, wanted)) {
      return [wrongSlope("gradients.logZ", gradients.logZ, wanted)];
    }
  }
  return [];
}

/** Step of central differences. */
const step = 1e-5;

/** Exits have no log P_B, and padding is not read. */
function isRead(key: (typeof scoreKeys)[number], batch: Batch, at: number): boolean {
  if (batch.states.index[at] < 0) return false;
  if (key === "logExit") return batch.terminable[at] === 1;
  return key !== "logPb" || batch.actions[at] !== batch.environment.exitAction;
}

function isNear(slope: number, wanted: number): boolean {
  return Math.abs(slope - wanted) < 1e-6 * Math.max(1, Math.abs(wanted));
}

function wrongSlope(name: string, slope: number, wanted: number): Finding {
  return [
    "gradient",
    `${name} is ${shown(slope)}, and the loss changes by ${shown(wanted)}`,
    "gradients are derivatives of the loss that is returned, a mean over trajectories" +
    (name.includes("logPb") ? "; fill gradients.logPb where scores.logPb is there" : ""),
  ];
}

/** Evaluates an objective on scores; undefined where it refuses the environment. */
function evaluated(
  objective: Objective,
  scores: Scores,
  batch: Batch,
  state: Parameters<Objective["evaluate"]>[2],
): ObjectiveResult | undefined {
  try {
    return objective.evaluate(scores, batch, state);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function meaningless(batch: Batch): Scores {
  const random = new RandomStream("check objective");
  const draw = () =>
    Float64Array.from({ length: batch.B * batch.T }, () => 2 * random.uniform() - 1);
  const scores = { logPf: draw(), logExit: draw(), logFlow: draw(), handle: 0 };
  return batch.backward ? { ...scores, logPb: draw() } : scores;
}

function atTheOptimum(
  objective: Objective,
  parameters: Settings,
  graph: Environment | null,
): Finding[] {
  const isElsewhere = objective.onPolicy || objective.movesOptimum?.(parameters) !== undefined;
  if (isElsewhere || readsOf(objective, parameters) === "none") return [];
  const onTree = lossAtRest(objective, parameters, optimalFlow(words), false);
  if (!isRest(onTree)) {
    return [[
      "optimum",
      `on a tree its loss is ${shown(onTree!)} where P is proportional to R`,
      "let it be 0 there; where its optimum is elsewhere, say so by movesOptimum",
    ]];
  }
  if (!graph) return [];
  // The prior takes the place of P_B in some (Venkatraman et al. 2024).
  const plain = [undefined, priorPb].map((logPb) =>
    lossAtRest(objective, parameters, optimalFlow(graph, { logPb }), false)
  );
  if (!plain.some(isRest)) {
    return [[
      "backward",
      `where several ways lead to a state its loss is ${shown(plain[0]!)} at P ∝ R: it forgets ` +
      "log P_B, and samples another distribution",
      "subtract scores.logPb ?? batch.logPb of every step before the exit",
    ]];
  }
  if (!objective.moves.includes("backward")) return [];
  const learned = lossAtRest(objective, parameters, optimalFlow(graph, { logPb: uneven }), true);
  return isRest(learned) ? [] : [[
    "learned-backward",
    `its loss is ${shown(learned!)} at P ∝ R under a learned log P_B`,
    'read scores.logPb ?? batch.logPb and fill gradients.logPb, or leave "backward" out of moves',
  ]];
}

/** Refusals are no fault. */
function isRest(loss: number | undefined): boolean {
  return loss === undefined || Math.abs(loss) < 1e-10;
}

/**
 * The loss, or the largest slope, at the optimum; undefined where the objective refuses the
 * environment. The flow head is log F − log Z, that less the reward of stopping, or log F: the least.
 */
function lossAtRest(
  objective: Objective,
  parameters: Settings,
  flow: OptimalFlow,
  learned: boolean,
): number | undefined {
  const batch = allWays(flow.graph.environment);
  const scores = optimalScores(flow, batch, learned);
  const [logZ] = flow.logFlow;
  const heads = [
    scores.logFlow,
    scores.logFlow.map((one, at) => one - (batch.terminable[at] ? batch.logReward[at] : 0)),
    lessPriors(scores.logFlow, batch),
    scores.logFlow.map((one) => one + logZ),
  ];
  const losses = heads.map((logFlow) => {
    const given = evaluated(objective, { ...scores, logFlow }, batch, {
      logZ,
      parameters,
      fraction: 0.999, // as at the end of training
    });
    if (!given) return undefined;
    const slopes = [
      ...partsOf(given.gradients, objective).flatMap((part) => [...part]),
      given.gradients.logZ,
    ];
    return slopes.reduce((most, one) => Math.max(most, Math.abs(one)), Math.abs(given.loss));
  });
  return losses.reduce((least, one) => {
    return least === undefined || one === undefined ? undefined : Math.min(least, one);
  });
}

/** Flows as a head learns them, less the log prior of the actions so far. */
function lessPriors(logFlow: Float64Array, batch: Batch): Float64Array {
  let sum = 0;
  return logFlow.map((one, at) => {
    if (at % batch.T === 0) sum = 0;
    const less = one - sum;
    sum += batch.logPrior[at];
    return less;
  });
}

/** A loss of its own for log P_B has gradient 0 only on average over the policy's own trajectories. */
function partsOf(
  { logPf, logExit, logFlow, logPb }: ScoreGradients,
  { ownBackward = false }: Objective,
): Float64Array[] {
  return [logPf, logExit, logFlow, ...logPb && !ownBackward ? [logPb] : []];
}

/** The backward policy that the prior over actions implies. */
function priorPb(graph: StateGraph<unknown>): Float64Array {
  const { states, firstStep, action, from, to, environment } = graph;
  const visits = new Float64Array(states.length);
  visits[0] = 1;
  states.forEach((state, i) => {
    const prior = environment.logPrior(state);
    for (let k = firstStep[i]; k < firstStep[i + 1]; k++) {
      visits[to[k]] += visits[i] * exp(prior[action[k]]);
    }
  });
  const weights = Float64Array.from(to, (_, k) => {
    return log(visits[from[k]]) + environment.logPrior(states[from[k]])[action[k]];
  });
  return normalised(graph, weights);
}

/** A backward policy that is not uniform. */
function uneven(graph: StateGraph<unknown>): Float64Array {
  const random = new RandomStream("uneven way back");
  return normalised(graph, Float64Array.from(graph.to, () => 2 * random.uniform()));
}

function normalised({ states, to }: StateGraph<unknown>, weights: Float64Array): Float64Array {
  const into: number[][] = states.map(() => []);
  to.forEach((child, k) => into[child].push(weights[k]));
  const totals = into.map((values) => logSumExp(values));
  return weights.map((value, k) => value - totals[to[k]]);
}

/** Checks that a step moves probability from objects that have too much to those that have too little. */
function direction(objective: Objective, parameters: Settings): Finding[] {
  if (readsOf(objective, parameters) === "none") return [];
  const batch = allWays(words);
  const flow = optimalFlow(words);
  const scores = optimalScores(flow, batch);
  const start = (action: number) => {
    for (let b = 0; b < batch.B; b++) if (batch.actions[b * batch.T] === action) return b * batch.T;
    return 0;
  };
  const [poor, rich] = [start(0), start(1)];
  const rows = Array.from({ length: batch.B }, (_, b) => b * batch.T);
  const [low, high] = [scores.logPf[poor], scores.logPf[rich]];
  for (const at of rows) {
    if (batch.actions[at] === 0) scores.logPf[at] = high;
    if (batch.actions[at] === 1) scores.logPf[at] = low;
  }
  const given = evaluated(objective, scores, batch, { logZ: flow.logFlow[0], parameters });
  if (!given) return [];
  const gains = (action: number) =>
    rows.filter((at) => batch.actions[at] === action)
      .reduce((sum, at) => sum - given.gradients.logPf[at], 0);
  return gains(1) > gains(0) ? [] : [[
    "direction",
    "a step gives more to what has too much probability than to what has too little",
    "turn the sign of gradients.logPf, or that of the reward",
  ]];
}

function shown(value: number): string {
  return Number.isFinite(value) ? value.toPrecision(3) : `${value}`;
}
