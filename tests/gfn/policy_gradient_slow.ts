/** REINFORCE, PPO and GRPO: exact expectations, the target as optimum at kl = 1, and the clip. */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { parametersOf } from "../../src/gfn/objectives/objective.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { optimalFlow } from "../../src/gfn/evaluation/optimal_flow.ts";
import type { Scores } from "../../src/gfn/trajectories/trajectory.ts";
import {
  type ExactPolicy,
  expectedGradient,
  expectedReturn,
  optimalPolicy,
  randomPolicy,
  scoresUnder,
} from "./exact_gradient.ts";
import { findingsOf, plainObjective } from "./plain_objective.ts";
import { manyWays, priorPb, smallGrid, terminableTree } from "./objective_cases.ts";
import { wholeTree } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

const objective = plainObjective;

/** −dE[G]/dlogits by central differences. */
function descent(policy: ExactPolicy, kl: number): Float64Array[] {
  const h = 1e-5;
  return policy.logits.map((row) =>
    row.map((value, a) => {
      const at = (by: number) => {
        row[a] = value + by;
        const found = expectedReturn(policy, kl);
        row[a] = value;
        return found;
      };
      return (at(-h) - at(h)) / (2 * h);
    })
  );
}

function distance(a: readonly Float64Array[], b: readonly Float64Array[], scale = 1): number {
  let most = 0;
  a.forEach((row, i) =>
    row.forEach((x, j) => most = Math.max(most, Math.abs(x - scale * b[i][j])))
  );
  return most;
}

const norm = (a: readonly Float64Array[]) =>
  Math.max(...a.flatMap((row) => [...row].map(Math.abs)));

const environments = () => [mixedTree() as Environment, smallGrid()];

for (const kl of [0, 0.5, 1, 2]) {
  Deno.test(`reinforce at kl = ${kl} descends the expected return, exactly`, () => {
    for (const environment of environments()) {
      const policy = randomPolicy(environment, "reinforce");
      const found = expectedGradient(policy, objective("reinforce"), { kl }, 2, 0);
      assert.ok(distance(found, descent(policy, kl)) < 1e-8);
      assert.ok(norm(found) > 0.01);
    }
  });

  Deno.test(`ppo at kl = ${kl} descends the expected return whatever the critic says`, () => {
    for (const environment of environments()) {
      const policy = randomPolicy(environment, "ppo");
      const found = expectedGradient(policy, objective("ppo"), { kl, trace: 1 }, 1, 0.3);
      assert.ok(distance(found, descent(policy, kl)) < 1e-8);
    }
  });

  Deno.test(`grpo at kl = ${kl} with plain advantages descends half the expected return of pairs`, () => {
    const policy = randomPolicy(mixedTree() as Environment, "grpo");
    const parameters = { kl, advantage: "mean" };
    const found = expectedGradient(policy, objective("grpo"), parameters, 2, 0);
    assert.ok(distance(found, descent(policy, kl), 0.5) < 1e-8);
  });
}

/** The policy whose trajectories are the prior's, weighed by reward, with its exact critic. */
function target(environment: Environment) {
  const flow = optimalFlow(environment, { logPb: priorPb });
  const { graph, logFlow } = flow;
  const visits = new Float64Array(graph.states.length).fill(-Infinity);
  visits[0] = 0;
  graph.states.forEach((state, i) => {
    const prior = graph.environment.logPrior(state);
    for (let step = graph.firstStep[i]; step < graph.firstStep[i + 1]; step++) {
      const [child, more] = [graph.to[step], visits[i] + prior[graph.action[step]]];
      visits[child] = Math.log(Math.exp(visits[child]) + Math.exp(more));
    }
  });
  const head = environment.backward ? logFlow.map((x, i) => x - visits[i]) : logFlow;
  return { policy: optimalPolicy(flow, head), logZ: logFlow[0] };
}

for (const name of ["reinforce", "ppo", "grpo"]) {
  Deno.test(`at kl = 1 the target is an optimum of ${name}: no batch has a gradient`, () => {
    for (const environment of environments()) {
      const { policy, logZ } = target(environment);
      const batch = environment.backward ? manyWays(environment) : wholeTree(mixedTree());
      const scores = scoresUnder(policy, batch);
      const { gradients } = objective(name).evaluate(scores, batch, { logZ, parameters: {} });
      for (const part of [gradients.logPf, gradients.logFlow]) {
        for (const g of part) assert.ok(Math.abs(g) < 1e-10, `${g}`);
      }
      assert.ok(Math.abs(gradients.logZ) < 1e-10);
    }
  });

  for (const kl of [0, 0.5]) {
    Deno.test(`at kl = ${kl} the target is no optimum of ${name}, which says so`, () => {
      for (const environment of environments()) {
        const { policy, logZ } = target(environment);
        const size = name === "ppo" ? 1 : 2;
        const parameters = { kl, ...(name === "ppo" ? { trace: 1 } : {}) };
        const found = expectedGradient(policy, objective(name), parameters, size, logZ);
        assert.ok(norm(found) > 0.01, `${norm(found)}`);
      }
      assert.match(
        objective(name).movesOptimum!({ kl })!,
        kl === 0 ? /maximises/ : /not the target/,
      );
      assert.equal(objective(name).movesOptimum!({}), undefined);
    });
  }

  Deno.test(`${name} is for the policy's own trajectories only`, () => {
    assert.equal(objective(name).onPolicy, true);
  });
}

Deno.test("on trees reinforce at kl = 1 has the gradient of log_partition_variance, up to a factor", () => {
  const batch = wholeTree(mixedTree());
  const scores = scoresUnder(randomPolicy(mixedTree() as Environment, "same"), batch);
  const state = { logZ: 0, parameters: {} };
  const [one, other] = ["reinforce", "log_partition_variance"].map((name) =>
    objective(name).evaluate(scores, batch, state).gradients.logPf
  );
  const factor = batch.B / (2 * (batch.B - 1));
  one.forEach((g, at) => assert.ok(Math.abs(g - factor * other[at]) < 1e-12));
});

Deno.test("ppo and grpo take as many steps per batch as asked for", () => {
  assert.equal(objective("ppo").stepsPerBatch!({}), 4);
  assert.equal(objective("grpo").stepsPerBatch!({}), 1);
  assert.equal(objective("grpo").stepsPerBatch!({ epochs: 3 }), 3);
  assert.throws(() => objective("ppo").stepsPerBatch!({ epochs: 0.5 }), /epochs is 0.5/);
});

/** Central differences of the loss in log P_F and head, after a first step. */
function checkSecondStep(name: string, parameters: Record<string, unknown>): void {
  const tree = terminableTree() as Environment;
  const batch = wholeTree(terminableTree());
  const first = scoresUnder(randomPolicy(tree, "first"), batch);
  const second = scoresUnder(randomPolicy(tree, "second"), batch);
  const evaluate = (scores: Scores) =>
    objective(name).evaluate(scores, batch, { logZ: 0.4, parameters, first });
  const { gradients, metrics } = evaluate(second);
  assert.ok(metrics.clipped_share > 0 && metrics.clipped_share < 1, `${metrics.clipped_share}`);
  const h = 1e-6;
  for (const key of ["logPf", "logFlow"] as const) {
    for (let at = 0; at < batch.B * batch.T; at++) {
      const moved = (by: number) => {
        const values = second[key].slice();
        values[at] += by;
        return evaluate({ ...second, [key]: values }).loss;
      };
      const numeric = (moved(h) - moved(-h)) / (2 * h);
      assert.ok(Math.abs(numeric - gradients[key][at]) < 1e-6, `${key}[${at}]: ${numeric}`);
    }
  }
}

Deno.test("a second step of ppo has the gradient of its finite differences, clip and critic", () => {
  checkSecondStep("ppo", {});
  checkSecondStep("ppo", { kl: 0, clip: 0.5, trace: 0.5 });
});

Deno.test("a second step of grpo has the gradient of its finite differences, with the clip", () => {
  checkSecondStep("grpo", {});
  checkSecondStep("grpo", { kl: 0.5, advantage: "mean" });
});

Deno.test("grpo stands still where all returns agree", () => {
  const tree = wholeTree(mixedTree());
  const one = { ...tree, logReward: tree.logReward.fill(2) };
  const policy = randomPolicy(mixedTree() as Environment, "agree");
  const scores = scoresUnder(policy, one);
  one.objectLogPrior.fill(0);
  const { gradients } = objective("grpo").evaluate(scores, one, { logZ: 0, parameters: { kl: 0 } });
  for (const g of gradients.logPf) assert.equal(Math.abs(g), 0);
});

Deno.test("parameters of policy gradients are checked", () => {
  const wrong = { kl: -1, clip: 2, epochs: 1.5, trace: 0 };
  const messages = findingsOf(() => parametersOf(objectiveNamed("ppo"), wrong));
  assert.deepEqual(messages.map((one) => [one.message, one.hint]), [
    ['Cannot read objective "ppo": kl is -1', "write a number of 0 or more"],
    ['Cannot read objective "ppo": clip is 2', "write a number above 0, at most 1"],
    ['Cannot read objective "ppo": epochs is 1.5', "write an integer above 0"],
    ['Cannot read objective "ppo": trace is 0', "write a number above 0, at most 1"],
  ]);
});
