/** Objectives: the optimum, gradients, brute force, and the checks of their parameters. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import type { Objective, ObjectiveState } from "../../src/gfn/objective.ts";
import { builtInObjectives } from "../../src/gfn/objectives/mod.ts";
import { optimalScores } from "../../src/gfn/optimal_flow.ts";
import { PrefixTree } from "../../src/gfn/prefix_tree.ts";
import type { Batch, Scores } from "../../src/gfn/trajectory.ts";
import { logSumExp } from "../../src/math/log_sum_exp.ts";
import { randomScores, treeBatch, wholeTree } from "./tree_batch.ts";
import { anyTree } from "./tree_arbitrary.ts";
import { mixedTree, threeLeaves } from "./tree_environment.ts";

const balanced: readonly (readonly [string, Record<string, unknown>])[] = [
  ["trajectory_balance", {}],
  ["trajectory_balance", { residual_loss: "log_cosh" }],
  ["detailed_balance", {}],
  ["detailed_balance", { residual_loss: "log_cosh" }],
  ["log_partition_variance", {}],
  ...["learned", "exact_where_terminable"].flatMap((flow) =>
    [0.5, 1, 1.9].flatMap((lambda) =>
      ["squared", "log_cosh"].map((residual_loss) =>
        ["sub_trajectory_balance", { flow, lambda, residual_loss }] as const
      )
    )
  ),
];

function objective(name: string): Objective {
  const found = builtInObjectives.get(name);
  assert.ok(found, name);
  return found;
}

for (const tree of [threeLeaves(), mixedTree()]) {
  for (const [name, parameters] of balanced) {
    const label = `${name} ${JSON.stringify(parameters)} on ${tree.maxActions} actions`;
    Deno.test(`${label} is zero with zero gradient at the analytic optimum`, () => {
      const objects = [...tree.enumerate()];
      const logReward = tree.logRewards();
      const batch = wholeTree(tree);
      const scores = optimalScores(
        new PrefixTree(objects.map((object) => object.actions)),
        logReward,
        batch,
      );
      const state = { logZ: logSumExp(logReward), parameters };
      const { loss, gradients } = objective(name).evaluate(scores, batch, state);
      assert.ok(Math.abs(loss) < 1e-15, `${loss}`);
      for (const part of [gradients.logPf, gradients.logExit, gradients.logFlow]) {
        for (const g of part) assert.ok(Math.abs(g) < 1e-14, `${g}`);
      }
      assert.ok(Math.abs(gradients.logZ) < 1e-14);
    });

    Deno.test(`${label} is not zero away from it`, () => {
      const batch = wholeTree(tree);
      const scores = randomScores(batch, new RandomStream("away"));
      const { loss } = objective(name).evaluate(scores, batch, { logZ: 0.7, parameters });
      assert.ok(loss > 0.01, `${loss}`);
    });
  }
}

Deno.test("every balance objective is zero with zero gradient at the optimum of any tree", () => {
  fc.assert(fc.property(anyTree, fc.constantFrom(...balanced), (tree, [name, parameters]) => {
    const objects = [...tree.enumerate()];
    const logReward = tree.logRewards();
    const batch = wholeTree(tree);
    const prefixes = new PrefixTree(objects.map((object) => object.actions));
    const scores = optimalScores(prefixes, logReward, batch);
    const state = { logZ: logSumExp(logReward), parameters };
    const { loss, gradients } = objective(name).evaluate(scores, batch, state);
    assert.ok(Math.abs(loss) < 1e-14, `${loss}`);
    for (const part of [gradients.logPf, gradients.logExit, gradients.logFlow]) {
      for (const g of part) assert.ok(Math.abs(g) < 1e-12, `${g}`);
    }
  }));
});

/** Central differences in every score and in log Z. */
function checkGradient(evaluated: Objective, scores: Scores, batch: Batch, state: ObjectiveState) {
  const { gradients } = evaluated.evaluate(scores, batch, state);
  const h = 1e-5;
  const difference = (shifted: (by: number) => number) => (shifted(h) - shifted(-h)) / (2 * h);
  for (const key of ["logPf", "logExit", "logFlow"] as const) {
    for (let at = 0; at < batch.B * batch.T; at++) {
      const numeric = difference((by) => {
        const moved = { ...scores, [key]: scores[key].slice() };
        moved[key][at] += by;
        return evaluated.evaluate(moved, batch, state).loss;
      });
      assert.ok(Math.abs(numeric - gradients[key][at]) < 1e-8, `${key}[${at}]: ${numeric}`);
    }
  }
  const numeric = difference((by) =>
    evaluated.evaluate(scores, batch, { ...state, logZ: state.logZ + by }).loss
  );
  assert.ok(Math.abs(numeric - gradients.logZ) < 1e-8, `logZ: ${numeric}`);
}

for (const [name, parameters] of [...balanced, ["maximum_likelihood", {}] as const]) {
  Deno.test(`${name} ${JSON.stringify(parameters)} has the gradient of its finite differences`, () => {
    const batch = wholeTree(mixedTree());
    batch.logPb.forEach((_, at) => batch.logPb[at] = -0.1 * (at % 5));
    const scores = randomScores(batch, new RandomStream("gradient", name));
    checkGradient(objective(name), scores, batch, { logZ: 0.7, parameters });
  });
}

/** Balance of every sub-trajectory of a row, written as the papers write it. */
function bruteForce(scores: Scores, batch: Batch, b: number, logZ: number, exact: boolean) {
  const at = (t: number) => b * batch.T + t;
  const n = batch.lengths[b];
  const logFlow = (t: number) => {
    if (t === n) return batch.logReward[at(n - 1)];
    const known = exact && batch.terminable[at(t)] === 1;
    if (known) return batch.logReward[at(t)] - scores.logExit[at(t)];
    return logZ + scores.logFlow[at(t)] - scores.logFlow[at(0)];
  };
  return (i: number, j: number) => {
    let delta = logFlow(i) - logFlow(j);
    for (let k = i; k < j; k++) delta += scores.logPf[at(k)] - batch.logPb[at(k)];
    return delta;
  };
}

for (const flow of ["learned", "exact_where_terminable"]) {
  Deno.test(`sub_trajectory_balance with ${flow} flow equals the double loop of its definition`, () => {
    const batch = wholeTree(mixedTree());
    const scores = randomScores(batch, new RandomStream("double loop"));
    const [lambda, logZ] = [0.9, 0.3];
    let expected = 0;
    for (let b = 0; b < batch.B; b++) {
      const delta = bruteForce(scores, batch, b, logZ, flow !== "learned");
      let [sum, weights] = [0, 0];
      for (let i = 0; i <= batch.lengths[b]; i++) {
        for (let j = i + 1; j <= batch.lengths[b]; j++) {
          sum += lambda ** (j - i) * delta(i, j) ** 2;
          weights += lambda ** (j - i);
        }
      }
      expected += sum / weights / batch.B;
    }
    const state = { logZ, parameters: { lambda, flow } };
    const { loss } = objective("sub_trajectory_balance").evaluate(scores, batch, state);
    assert.ok(Math.abs(loss - expected) < 1e-12);
  });
}

Deno.test("sub_trajectory_balance with lambda 1 is twice the variance of the potentials", () => {
  const batch = treeBatch(mixedTree(), [[1, 2, 3, 0]]);
  const scores = randomScores(batch, new RandomStream("variance"));
  const delta = bruteForce(scores, batch, 0, 0, false);
  const phi = [0, 1, 2, 3, 4].map((j) => j === 0 ? 0 : delta(0, j));
  const mean = phi.reduce((sum, x) => sum + x, 0) / 5;
  const variance = phi.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 4;
  const state = { logZ: 0, parameters: { lambda: 1, flow: "learned" } };
  const { loss } = objective("sub_trajectory_balance").evaluate(scores, batch, state);
  assert.ok(Math.abs(loss - 2 * variance) < 1e-12);
});

Deno.test("a very large lambda gives trajectory balance, a very small one detailed balance", () => {
  const batch = wholeTree(mixedTree());
  const scores = randomScores(batch, new RandomStream("limits"));
  const logZ = 0.4;
  const sub = (lambda: number) => {
    const state = { logZ, parameters: { lambda, flow: "learned" } };
    return objective("sub_trajectory_balance").evaluate(scores, batch, state).loss;
  };
  const db = objective("detailed_balance").evaluate(scores, batch, { logZ, parameters: {} }).loss;
  assert.ok(Math.abs(sub(1e-9) - db) < 1e-7);
  const tb = objective("trajectory_balance").evaluate(scores, batch, { logZ, parameters: {} }).loss;
  assert.ok(Math.abs(sub(1e9) - tb) < 1e-6);
});

Deno.test("a constant added to the flow head changes no loss: log Z is log F of the initial state", () => {
  const batch = wholeTree(mixedTree());
  const scores = randomScores(batch, new RandomStream("offset"));
  const shifted = { ...scores, logFlow: scores.logFlow.map((x) => x + 3) };
  for (const name of ["sub_trajectory_balance", "detailed_balance"]) {
    const state = { logZ: 0.4, parameters: { flow: "learned" } };
    const { loss, metrics } = objective(name).evaluate(scores, batch, state);
    assert.ok(Math.abs(loss - objective(name).evaluate(shifted, batch, state).loss) < 1e-12);
    assert.ok(Math.abs(metrics.log_z - 0.4) < 1e-12);
  }
});

Deno.test("with exact flows the edge into the terminal node is satisfied by any policy", () => {
  const batch = treeBatch(threeLeaves(), [[2, 0]]);
  const scores = randomScores(batch, new RandomStream("terminal"));
  scores.logExit[1] = scores.logPf[1];
  const delta = bruteForce(scores, batch, 0, 0, true);
  assert.ok(Math.abs(delta(1, 2)) < 1e-15);
});

Deno.test("log_cosh bends a residual of 100 to a force of 1 and leaves small ones quadratic", () => {
  const batch = treeBatch(threeLeaves(), [[1, 0]]);
  const scores = randomScores(batch, new RandomStream("robust"));
  const state = (logZ: number) => ({ logZ, parameters: { residual_loss: "log_cosh" } });
  const zero = scores.logPf[0] + scores.logPf[1] - batch.logReward[1];
  const evaluate = (logZ: number) =>
    objective("trajectory_balance").evaluate(scores, batch, state(logZ - zero));
  assert.equal(evaluate(100).gradients.logZ, 1);
  assert.ok(Math.abs(evaluate(1e-3).loss - 0.5e-6) < 1e-12);
  assert.ok(Number.isFinite(evaluate(1e6).loss));
});

Deno.test("padding receives no gradient", () => {
  const batch = treeBatch(mixedTree(), [[0], [1, 2, 3, 0]]);
  const scores = randomScores(batch, new RandomStream("padding"));
  for (const [name, parameters] of balanced) {
    const { gradients } = objective(name).evaluate(scores, batch, { logZ: 0.2, parameters });
    for (const part of [gradients.logPf, gradients.logExit, gradients.logFlow]) {
      assert.deepEqual([...part.subarray(1, 4)], [0, 0, 0]);
    }
  }
});

Deno.test("every finding on an objective's parameters is reported with its mend", () => {
  const check = builtInObjectives.get("sub_trajectory_balance")!.check;
  assert.deepEqual(check({ lambda: 0.9, flow: "learned" }), []);
  const findings = check({ lambda: -1, flow: "exact", residual_los: "squared" });
  assert.deepEqual(findings.map((f) => [f.message, f.hint]), [
    [
      'Cannot read objective "sub_trajectory_balance": unknown key "residual_los"',
      'did you mean "residual_loss"? known keys: lambda, flow, residual_loss',
    ],
    ['Cannot read objective "sub_trajectory_balance": lambda is -1', "write a number above 0"],
    [
      'Cannot read objective "sub_trajectory_balance": flow is "exact"',
      'write "learned" or "exact_where_terminable"',
    ],
  ]);
});
