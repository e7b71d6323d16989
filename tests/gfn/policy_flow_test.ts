/** Mass pushed through graphs: against every single trajectory, at the optimum, and by state. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { coveringTrajectories } from "../../src/gfn/evaluation/cover.ts";
import {
  policyFlow,
  terminalLogProbability,
  uniformFlow,
} from "../../src/gfn/evaluation/policy_flow.ts";
import { trajectoryGaps } from "../../src/gfn/evaluation/trajectory_gaps.ts";
import { enumeratedTarget, evaluateExactly, logUniform } from "../../src/gfn/evaluation/exact.ts";
import { legalLogSoftmax } from "../../src/gfn/policies/legal_softmax.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { type StateGraph, stateGraph } from "../../src/gfn/environments/state_graph.ts";
import { mixedTree } from "./tree_environment.ts";

const close = (actual: number, expected: number, tolerance = 1e-10) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`);

const grid = () =>
  hypergridEnvironment({ ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 }) as Environment;

/** A policy that is a function of the state: logits are normal-ish numbers drawn from its name. */
function statePolicy(): Pick<Policy, "logProbabilities"> {
  return {
    logProbabilities: (batch) => {
      const { keys, legal } = batch.states;
      return Promise.resolve(keys.map((key, id) => {
        const random = new RandomStream("state policy", key);
        const logits = Float64Array.from({ length: batch.A }, () => 4 * random.uniform() - 2);
        return legalLogSoftmax(logits, legal[id], batch.A);
      }));
    },
  };
}

/** Every trajectory of a graph as the steps that it takes, with the state in which it exits. */
function* everyTrajectory<S>(
  graph: StateGraph<S>,
  state = 0,
  steps: readonly number[] = [],
): Generator<{ readonly steps: readonly number[]; readonly end: number }> {
  if (graph.terminable[state] === 1) yield { steps, end: state };
  for (let step = graph.firstStep[state]; step < graph.firstStep[state + 1]; step++) {
    yield* everyTrajectory(graph, graph.to[step], [...steps, step]);
  }
}

const sum = (values: Iterable<number>) => [...values].reduce((total, x) => total + x, 0);

for (const environment of [grid(), mixedTree() as Environment]) {
  Deno.test(`${environment.kind}: the covering trajectories pass every state`, () => {
    const graph = stateGraph(environment);
    const passed = new Set<string>();
    for (const actions of coveringTrajectories(graph)) {
      let [state, key] = [environment.initialState(), graph.keys[0]];
      for (const action of actions) {
        passed.add(key);
        assert.equal(environment.legalActions(state)[action], 1);
        if (action === environment.exitAction) break;
        state = environment.step(state, action);
        key = environment.stateKey?.(state) ?? (key === "" ? `${action}` : `${key},${action}`);
      }
    }
    assert.deepEqual([...passed].sort(), [...graph.keys].sort());
  });

  Deno.test(`${environment.kind}: pushed mass is the sum over all trajectories, and sums to 1`, async () => {
    const graph = stateGraph(environment);
    for (
      const flow of [
        await policyFlow(statePolicy(), graph),
        uniformFlow(graph),
      ]
    ) {
      const mass = new Float64Array(graph.keys.length);
      for (const { steps, end } of everyTrajectory(graph)) {
        mass[end] += Math.exp(sum(steps.map((step) => flow.logStep[step])) + flow.logExit[end]);
      }
      const pushed = terminalLogProbability(flow).map(Math.exp);
      pushed.forEach((p, state) => close(p, mass[state]));
      close(sum(pushed), 1);
    }
  });

  Deno.test(`${environment.kind}: both gaps are the sums over all trajectories that define them`, async () => {
    const graph = stateGraph(environment);
    const flow = await policyFlow(statePolicy(), graph);
    const random = new RandomStream("rewards");
    const ends = [...graph.terminable].map((may) => may ? random.uniform() : 0);
    const logTarget = Float64Array.from(ends, (one) => Math.log(one / sum(ends)));
    let [elbo, eubo] = [0, 0];
    for (const { steps, end } of everyTrajectory(graph)) {
      const logPf = sum(steps.map((step) => flow.logStep[step])) + flow.logExit[end];
      const logPerfect = logTarget[end] + sum(steps.map((step) => graph.logPb[step]));
      elbo += Math.exp(logPf) * (logPf - logPerfect);
      eubo += Math.exp(logPerfect) * (logPerfect - logPf);
    }
    const gaps = trajectoryGaps(flow, logTarget);
    close(gaps.elboGap, elbo);
    close(gaps.euboGap, eubo);
  });
}

function gridTarget() {
  const environment = grid();
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (object) => object.logReward!);
  return enumeratedTarget(environment, objects, logReward);
}

Deno.test("on a grid the gaps bound the divergences, and their shares by state sum to them", () => {
  const target = gridTarget();
  const { graph } = target.ways!;
  const flow = uniformFlow(graph);
  const result = evaluateExactly(target, { logP: logUniform(target), flow }, 1000);
  assert.ok(result.elboGap! >= result.klPolicyTarget && result.euboGap! >= result.klTargetPolicy);
  close(sum(result.prefixes.map((one) => one.klTargetPolicy)), result.euboGap!);
  close(sum(result.prefixes.map((one) => one.klPolicyTarget)), result.elboGap!);
  close(result.lostMass, 0);
});

Deno.test("on a tree the gaps are the divergences", async () => {
  const tree = mixedTree();
  const graph = stateGraph(tree as Environment);
  const target = enumeratedTarget(tree, [...tree.enumerate()], tree.logRewards());
  const ends = new Float64Array(graph.keys.length).fill(-Infinity);
  target.objects.forEach(({ actions }, x) =>
    ends[graph.index.get(actions.slice(0, -1).join())!] = target.logTarget[x]
  );
  const flow = await policyFlow(statePolicy(), graph);
  const pushed = terminalLogProbability(flow);
  const logP = Float64Array.from(
    target.objects,
    ({ actions }) => pushed[graph.index.get(actions.slice(0, -1).join())!],
  );
  const gaps = trajectoryGaps(flow, ends);
  const result = evaluateExactly(target, logP);
  close(gaps.euboGap, result.klTargetPolicy);
  close(gaps.elboGap, result.klPolicyTarget);
  close(result.elboGap!, result.klPolicyTarget);
});

Deno.test("rewards that define no target are refused, with the objects", () => {
  const environment = grid();
  const objects = [...environment.enumerate()];
  const rewards = (change: (x: number) => number) =>
    Float64Array.from(objects, (object, x) => change(x) ?? object.logReward);
  assert.throws(
    () => enumeratedTarget(environment, objects, rewards((x) => x === 5 ? NaN : 0)),
    /the log reward of "\(1, 1\)" is NaN/,
  );
  assert.throws(
    () => enumeratedTarget(environment, objects, rewards(() => Infinity)),
    /is Infinity/,
  );
  assert.throws(
    () => enumeratedTarget(environment, objects, rewards(() => -Infinity)),
    /every reward is 0/,
  );
  const one = enumeratedTarget(environment, objects, rewards((x) => x === 0 ? -Infinity : 0));
  close(sum(one.logTarget.map(Math.exp)), 1);
});
