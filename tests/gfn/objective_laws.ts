/** Laws that every objective keeps, whatever its formula: what a registry is held against. */
import assert from "node:assert/strict";
import { z } from "../../src/base/zod.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { optimalFlow, optimalScores } from "../../src/gfn/evaluation/optimal_flow.ts";
import { type Objective, parametersOf, readsOf } from "../../src/gfn/objectives/objective.ts";
import type { Settings } from "../../src/gfn/settings/read_settings.ts";
import type { Batch, ScoreGradients, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { manyWays, meaninglessScores, terminableTree } from "./objective_cases.ts";
import { wholeTree } from "./tree_batch.ts";
import { TreeEnvironment } from "./tree_environment.ts";

/** Its parameters as they are by default, and with every other choice that a name makes. */
export function parameterCases(objective: Objective): Settings[] {
  const { properties = {} } = z.toJSONSchema(objective.parameters ?? z.object({}));
  const changes = Object.entries(properties).flatMap(([key, schema]) =>
    ((schema as { readonly enum?: readonly string[] }).enum ?? []).map((one) => ({ [key]: one }))
  );
  return [{}, ...changes].map((given) => parametersOf(objective, given));
}

/** Whether its gradient is the derivative of its loss; of an estimate by the score function it is not. */
const isDerivative = ({ onPolicy, stepsPerBatch }: Objective) => !onPolicy || stepsPerBatch;

/** The gradient is that of central differences, in every score and in log Z. */
export function checkDifferences(objective: Objective, parameters: Settings): void {
  if (!isDerivative(objective)) return;
  const tree = wholeTree(terminableTree());
  const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 0.1, r1: 0.5, r2: 2 });
  for (const batch of [tree, manyWays(grid as Environment, 1)]) {
    if (parameters.partial_reward === "prior" && batch !== tree) continue; // it is for trees
    const scores = meaninglessScores(batch, objective.name);
    const state = { logZ: 0.7, parameters, first: scores };
    const { gradients } = objective.evaluate(scores, batch, state);
    const loss = (key: keyof Scores, at: number, by: number) => {
      const moved = (scores[key] as Float64Array).with(at, (scores[key] as Float64Array)[at] + by);
      return objective.evaluate({ ...scores, [key]: moved }, batch, state).loss;
    };
    for (const key of ["logPf", "logExit", "logFlow", "logPb"] as const) {
      gradients[key]?.forEach((slope, at) => {
        if (key === "logPb" && batch.actions[at] === batch.environment.exitAction) return;
        near(slope, (loss(key, at, 1e-5) - loss(key, at, -1e-5)) / 2e-5, `${key}[${at}]`);
      });
    }
    if (objective.onPolicy) continue; // log Z is part of advantages, which are constants
    const ofLogZ = (logZ: number) => objective.evaluate(scores, batch, { ...state, logZ }).loss;
    near(gradients.logZ, (ofLogZ(0.7 + 1e-5) - ofLogZ(0.7 - 1e-5)) / 2e-5, "log Z");
  }
}

function near(slope: number, wanted: number, name: string): void {
  assert.ok(Math.abs(slope - wanted) < 1e-6, `gradient of ${name}: ${slope}, difference ${wanted}`);
}

/** Three leaves below a root that may stop as well, so that every objective can be used. */
const star = () =>
  new TreeEnvironment({
    logReward: 0,
    children: { 1: { logReward: -2 }, 2: { logReward: 1 }, 3: { logReward: 3 } },
  }, 3);

/** A step against the gradient takes probability from what has too much, and gives it to what has too little. */
export function checkDirection(objective: Objective, parameters: Settings): void {
  const tree = star() as Environment;
  const batch = wholeTree(tree);
  const flow = optimalFlow(tree);
  const [least, most] = extremes(batch);
  const scores = optimalScores(flow, batch);
  lookForward(scores, batch, objective, parameters);
  // The policy prefers the least object as much as the target prefers the most.
  const [low, high] = [scores.logPf[least], scores.logPf[most]];
  scores.logPf[least] = high;
  scores.logPf[most] = low;
  const state = { logZ: flow.logFlow[0], parameters };
  const { gradients } = objective.evaluate(scores, batch, state);
  const wants = (at: number) => -gradients.logPf[at];
  if (readsOf(objective, parameters) === "none") {
    return assert.ok(wants(least) > 0 && wants(most) > 0, "what is given gains probability");
  }
  assert.ok(wants(most) > wants(least), `${wants(most)} for the most, ${wants(least)} the least`);
}

/** Where the first actions of the leaves with the least and the most reward stand. */
function extremes({ B, T, logReward, lengths }: Batch): [number, number] {
  const rows = Array.from({ length: B }, (_, b) => b).filter((b) => lengths[b] > 1);
  const reward = (b: number) => logReward[b * T + lengths[b] - 1];
  const sorted = rows.sort((a, b) => reward(a) - reward(b));
  return [sorted[0] * T, sorted.at(-1)! * T];
}

/** A forward-looking head learns what the partial reward does not say yet. */
export function lookForward(
  { logFlow }: Scores,
  batch: Batch,
  { name }: Objective,
  { partial_reward }: Settings,
): void {
  if (!name.startsWith("forward_looking")) return;
  for (let at = 0, prior = 0; at < batch.B * batch.T; at++) {
    if (at % batch.T === 0) prior = 0;
    if (partial_reward === "prior") logFlow[at] -= prior;
    else if (batch.terminable[at] === 1) logFlow[at] -= batch.logReward[at];
    prior += batch.logPrior[at];
  }
}

/** An objective whose optimum is the target has no loss and no gradient there, on trees. */
export function checkRest(objective: Objective, parameters: Settings): void {
  if (objective.onPolicy || objective.movesOptimum?.(parameters)) return;
  if (readsOf(objective, parameters) === "none") return;
  const tree = terminableTree() as Environment;
  const batch = wholeTree(tree);
  const flow = optimalFlow(tree);
  const scores = optimalScores(flow, batch);
  lookForward(scores, batch, objective, parameters);
  const { loss, gradients } = objective.evaluate(scores, batch, {
    logZ: flow.logFlow[0],
    parameters,
  });
  assert.ok(Math.abs(loss) < 1e-12, `loss ${loss} at the optimum`);
  const all = [...partsOf(gradients).flatMap((part) => [...part]), gradients.logZ];
  for (const slope of all) assert.ok(Math.abs(slope) < 1e-11, `gradient ${slope} at the optimum`);
  const away = meaninglessScores(batch, objective.name);
  const { loss: lost } = objective.evaluate(away, batch, { logZ: 0.7, parameters });
  assert.ok(lost > 0.01, `loss ${lost} away from the optimum`);
}

function partsOf({ logPf, logExit, logFlow, logPb }: ScoreGradients): Float64Array[] {
  return [logPf, logExit, logFlow, ...logPb ? [logPb] : []];
}

/** All of them. */
export const objectiveLaws = { checkDifferences, checkDirection, checkRest } as const;
