/** Objectives: the optimum, gradients, brute force, and the checks of their parameters. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import {
  bitSequenceEnvironment,
  defaultBitSequence,
} from "../../src/gfn/environments/bit_sequence.ts";
import {
  type Moved,
  type Objective,
  type ObjectiveState,
  parametersOf,
  readsOf,
} from "../../src/gfn/objectives/objective.ts";
import {
  builtInObjectives,
  objectiveNamed,
  rewardedObjectives,
} from "../../src/gfn/objectives/built_in_objectives.ts";
import type { Settings } from "../../src/gfn/settings/read_settings.ts";
import { residualLosses, residualLossNames } from "../../src/gfn/objectives/residual_loss.ts";
import {
  optimalFlow,
  optimalScores,
  type OptimumOptions,
} from "../../src/gfn/evaluation/optimal_flow.ts";
import type { Batch, ScoreGradients, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import {
  balanced,
  type Case,
  manyWays,
  meaninglessScores,
  priorPb,
  smallGrid,
  smallStrings,
  terminableOnly,
  terminableTree,
  treesOnly,
  unevenPb,
} from "./objective_cases.ts";
import { lookForward } from "./objective_laws.ts";
import { findingsOf, plainObjective } from "./plain_objective.ts";
import { definedLoss } from "./objective_definitions.ts";
import { anyTree } from "./tree_arbitrary.ts";
import { randomScores, treeBatch, wholeTree } from "./tree_batch.ts";
import { mixedTree, threeLeaves } from "./tree_environment.ts";

const objective = plainObjective;

function parts(gradients: ScoreGradients): Float64Array[] {
  const { logPf, logExit, logFlow, logPb } = gradients;
  return [logPf, logExit, logFlow, ...logPb ? [logPb] : []];
}

/** Loss and gradient vanish at the optimum of a reward and a backward policy. */
function checkOptimum(
  environment: Environment,
  batch: Batch,
  [name, parameters]: Case,
  options: OptimumOptions = {},
): void {
  const flow = optimalFlow(environment, options);
  const scores = optimalScores(flow, batch, options.logPb === unevenPb);
  lookForward(scores, batch, objective(name), parameters);
  const state = { logZ: flow.logFlow[0], parameters };
  const { loss, gradients } = objective(name).evaluate(scores, batch, state);
  assert.ok(Math.abs(loss) < 1e-14, `loss ${loss}`);
  for (const part of parts(gradients)) {
    for (const g of part) assert.ok(Math.abs(g) < 1e-12, `gradient ${g}`);
  }
  assert.ok(Math.abs(gradients.logZ) < 1e-12, `gradient of log Z ${gradients.logZ}`);
}

const label = ([name, parameters]: Case) => `${name} ${JSON.stringify(parameters)}`;

for (const one of [...balanced, ...treesOnly]) {
  Deno.test(`${label(one)} is zero with zero gradient at the optimum of trees`, () => {
    for (const tree of [threeLeaves(), mixedTree(), terminableTree()]) {
      checkOptimum(tree as Environment, wholeTree(tree), one);
    }
  });
}

for (const one of balanced) {
  Deno.test(`${label(one)} is zero with zero gradient at the optimum of graphs`, () => {
    for (const environment of [smallGrid(), smallStrings()]) {
      const batch = manyWays(environment);
      checkOptimum(environment, batch, one);
      checkOptimum(environment, batch, one, { logPb: unevenPb });
    }
  });
}

for (const one of terminableOnly) {
  Deno.test(`${label(one)} is zero with zero gradient where every state may stop`, () => {
    checkOptimum(terminableTree() as Environment, wholeTree(terminableTree()), one);
    const batch = manyWays(smallGrid());
    checkOptimum(smallGrid(), batch, one);
    checkOptimum(smallGrid(), batch, one, { logPb: unevenPb });
  });

  Deno.test(`${label(one)} is refused where some states may not stop`, () => {
    const batch = wholeTree(mixedTree());
    const evaluate = () => {
      const scores = randomScores(batch, new RandomStream("refused"));
      return objective(one[0]).evaluate(scores, batch, { logZ: 0, parameters: one[1] });
    };
    assert.throws(evaluate, (error) => {
      return error instanceof InputError && /not legal in every state/.test(error.message);
    });
  });
}

for (const residual_loss of ["squared", "log_cosh"]) {
  Deno.test(`relative_trajectory_balance with ${residual_loss} is zero at the optimum of graphs`, () => {
    for (const environment of [smallGrid(), smallStrings()]) {
      const one = ["relative_trajectory_balance", { residual_loss }] as const;
      checkOptimum(environment, manyWays(environment), one, { logPb: priorPb });
    }
  });
}

Deno.test("every balance objective is zero with zero gradient at the optimum of any tree", () => {
  const cases = fc.constantFrom(...balanced, ...treesOnly);
  fc.assert(fc.property(anyTree, cases, (tree, one) => {
    checkOptimum(tree as Environment, wholeTree(tree), one);
  }));
});

for (const one of [...balanced, ...treesOnly, ...terminableOnly]) {
  Deno.test(`${label(one)} is not zero away from the optimum`, () => {
    const batch = wholeTree(terminableTree());
    const scores = randomScores(batch, new RandomStream("away"));
    const { loss } = objective(one[0]).evaluate(scores, batch, { logZ: 0.7, parameters: one[1] });
    assert.ok(loss > 0.01, `${loss}`);
  });
}

/** Central differences in every score and in log Z. */
function checkGradient(evaluated: Objective, scores: Scores, batch: Batch, state: ObjectiveState) {
  const { gradients } = evaluated.evaluate(scores, batch, state);
  const h = 1e-5;
  const difference = (shifted: (by: number) => number) => (shifted(h) - shifted(-h)) / (2 * h);
  for (const key of ["logPf", "logExit", "logFlow", "logPb"] as const) {
    assert.equal(gradients[key] === undefined, scores[key] === undefined, key);
    for (let at = 0; scores[key] && at < batch.B * batch.T; at++) {
      const isExit = batch.actions[at] === batch.environment.exitAction;
      if (key === "logPb" && isExit) assert.equal(gradients.logPb![at], 0, "the exit has no P_B");
      const numeric = difference((by) => {
        const moved = { ...scores, [key]: scores[key]!.slice() };
        moved[key]![at] += key === "logPb" && isExit ? 0 : by;
        return evaluated.evaluate(moved, batch, state).loss;
      });
      assert.ok(Math.abs(numeric - gradients[key]![at]) < 1e-7, `${key}[${at}]: ${numeric}`);
    }
  }
  const numeric = difference((by) =>
    evaluated.evaluate(scores, batch, { ...state, logZ: state.logZ + by }).loss
  );
  assert.ok(Math.abs(numeric - gradients.logZ) < 1e-7, `logZ: ${numeric}`);
}

/** Scores of a graph's batch; the exit is never undone. */
function scoresOf(batch: Batch, ...key: string[]): Scores {
  const scores = meaninglessScores(batch, ...key);
  scores.logPb?.forEach((_, at) => {
    if (batch.actions[at] === batch.environment.exitAction) scores.logPb![at] = 0;
  });
  return scores;
}

const everything: readonly Case[] = [
  ...balanced,
  ...terminableOnly,
  ...treesOnly,
  ["relative_trajectory_balance", { beta: 0.7 }],
  ["maximum_likelihood", {}],
];

for (const one of everything) {
  Deno.test(`${label(one)} has the gradient of its finite differences`, () => {
    const [name, parameters] = one;
    const tree = wholeTree(terminableTree());
    tree.logPb.forEach((_, at) => tree.logPb[at] = -0.1 * (at % 5));
    for (let b = 0; b < tree.B; b++) tree.logPb[b * tree.T + tree.lengths[b] - 1] = 0;
    checkGradient(objective(name), scoresOf(tree, name), tree, { logZ: 0.7, parameters });
    if (treesOnly.includes(one) && name.startsWith("forward")) return;
    const graph = manyWays(smallGrid(), 1);
    checkGradient(objective(name), scoresOf(graph, name), graph, { logZ: 0.7, parameters });
  });
}

for (const one of [...balanced, ...terminableOnly, ...treesOnly]) {
  if (one[0] === "log_partition_variance") continue;
  Deno.test(`${label(one)} equals the double loop of its definition`, () => {
    const batches = [wholeTree(terminableTree()), manyWays(smallGrid(), 1)];
    if (!terminableOnly.includes(one)) {
      batches.push(wholeTree(mixedTree()), manyWays(smallStrings(), 1));
    }
    for (const batch of batches) {
      if (treesOnly.includes(one) && one[0].startsWith("forward") && batch.backward) continue;
      const scores = scoresOf(batch, "definition");
      const state = { logZ: 0.7, parameters: one[1] };
      const { loss } = objective(one[0]).evaluate(scores, batch, state);
      let expected = 0;
      for (let b = 0; b < batch.B; b++) {
        expected += definedLoss(one, scores, batch, b, 0.7) / batch.B;
      }
      assert.ok(Math.abs(loss - expected) < 1e-10 * Math.max(1, expected), `${loss} ${expected}`);
    }
  });
}

Deno.test("log_partition_variance equals the variance of its definition", () => {
  const batch = manyWays(smallStrings(), 1);
  const scores = scoresOf(batch, "variance");
  const zetas = Array.from({ length: batch.B }, (_, b) => {
    const row = b * batch.T;
    let zeta = batch.logReward[row + batch.lengths[b] - 1];
    for (let t = 0; t < batch.lengths[b]; t++) {
      zeta += scores.logPb![row + t] - scores.logPf[row + t];
    }
    return zeta;
  });
  const mean = zetas.reduce((sum, zeta) => sum + zeta) / batch.B;
  const expected = zetas.reduce((sum, zeta) => sum + (zeta - mean) ** 2, 0) / batch.B;
  const { loss } = objective("log_partition_variance").evaluate(scores, batch, {
    logZ: 9,
    parameters: {},
  });
  assert.ok(Math.abs(loss - expected) < 1e-10, `${loss} ${expected}`);
});

Deno.test("weighted detailed balance ends as detailed balance", () => {
  const batch = manyWays(smallStrings(), 1);
  const scores = scoresOf(batch, "weights");
  const state = { logZ: 0.3, parameters: {} };
  const weighted = (fraction: number) =>
    objective("weighted_detailed_balance").evaluate(scores, batch, { ...state, fraction }).loss;
  const plain = objective("detailed_balance").evaluate(scores, batch, state).loss;
  assert.ok(Math.abs(weighted(1) - plain) < 1e-12);
  assert.ok(Math.abs(weighted(0.999) - plain) < 1e-2);
  assert.ok(Math.abs(weighted(0) - plain) > 1e-2);
});

Deno.test("on trees relative trajectory balance is trajectory balance", () => {
  const batch = wholeTree(mixedTree());
  const scores = scoresOf(batch, "relative");
  const state = { logZ: 0.3, parameters: {} };
  const [relative, plain] = ["relative_trajectory_balance", "trajectory_balance"].map((name) =>
    objective(name).evaluate(scores, batch, state)
  );
  assert.ok(Math.abs(relative.loss - plain.loss) < 1e-12);
  relative.gradients.logPf.forEach((g, at) => {
    assert.ok(Math.abs(g - plain.gradients.logPf[at]) < 1e-12);
  });
});

Deno.test("a relative balance at another beta says that it moves the optimum", () => {
  const moves = objective("relative_trajectory_balance").movesOptimum!;
  assert.equal(moves({}), undefined);
  assert.match(moves({ beta: 2 })!, /beta = 2 .* not the target/);
});

Deno.test("the prior of a prefix is no partial reward where several ways lead to a state", () => {
  const batch = manyWays(smallGrid());
  for (const name of builtInObjectives.keys()) {
    if (!name.startsWith("forward_looking")) continue;
    const state = { logZ: 0, parameters: { partial_reward: "prior" } };
    const evaluate = () => objective(name).evaluate(scoresOf(batch), batch, state);
    assert.throws(evaluate, (error) => {
      return error instanceof InputError && /with different priors/.test(error.message);
    });
  }
});

for (const name of residualLossNames) {
  Deno.test(`residual loss ${name} is 0 at 0, has its derivative, and stays finite`, () => {
    const deltas = Float64Array.of(0, 1e-5, -0.3, 0.999, 1.001, 3, -7, 19, -19, 25, -60, 800, -800);
    const [values, slopes] = [new Float64Array(13), new Float64Array(13)];
    const beyond = residualLosses[name](deltas, 13, values, slopes);
    assert.equal(values[0], 0);
    assert.equal(Math.abs(slopes[0]), 0);
    const h = 1e-6;
    const shifted = (by: number) => {
      const moved = new Float64Array(13);
      residualLosses[name](deltas.map((d) => d + by), 13, moved, new Float64Array(13));
      return moved;
    };
    const [up, down] = [shifted(h), shifted(-h)];
    deltas.forEach((delta, i) => {
      const numeric = (up[i] - down[i]) / (2 * h);
      assert.ok(Number.isFinite(values[i]) && Number.isFinite(slopes[i]), `${delta}`);
      assert.ok(values[i] >= 0, `${delta}: ${values[i]}`);
      assert.ok(delta === 0 || slopes[i] * delta > 0, `${delta}: the force leads back to 0`);
      assert.ok(
        Math.abs(numeric - slopes[i]) < 1e-6 * Math.max(1, values[i]),
        `${delta}: ${numeric}`,
      );
    });
    const wanted = { shifted_cosh: 4, linex: 2, linex_half: 1 } as Record<string, number>;
    assert.equal(beyond, wanted[name] ?? 0, "residuals beyond the limit are counted");
  });
}

Deno.test("log cosh over all pairs is the same for large potentials, which go the plain way", () => {
  const batch = wholeTree(mixedTree());
  const scores = scoresOf(batch, "large");
  const parameters = { residual_loss: "log_cosh", flow: "learned", lambda: 0.8 };
  for (const scale of [1, 50, 290, 700, 1e5]) {
    const logFlow = scores.logFlow.map((x) => scale * x);
    const state = { logZ: 0.7, parameters };
    const { loss } = objective("sub_trajectory_balance").evaluate(
      { ...scores, logFlow },
      batch,
      state,
    );
    let expected = 0;
    for (let b = 0; b < batch.B; b++) {
      const one = ["sub_trajectory_balance", parameters] as const;
      expected += definedLoss(one, { ...scores, logFlow }, batch, b, 0.7) / batch.B;
    }
    assert.ok(Math.abs(loss - expected) < 1e-10 * expected, `${loss} ${expected}`);
  }
});

Deno.test("all pairs of long trajectories equal the double loop, for every loss and any lambda", () => {
  const spec = { ...defaultBitSequence, n: 56, modes: 3, distance: "edit" as const };
  const random = new RandomStream("long");
  const row = () => [...Array.from({ length: 56 }, () => random.below(2)), 2];
  const rows = [row(), row()].map((actions) => ({ actions }));
  const batch = makeBatch(bitSequenceEnvironment(spec), rows);
  const scores = scoresOf(batch, "long");
  scores.logFlow.forEach((x, at) => scores.logFlow[at] = x / 4);
  scores.logPf.forEach((x, at) => scores.logPf[at] = x / 4);
  for (const residual_loss of residualLossNames) {
    for (const lambda of [0.5, 1, 1.9]) {
      const parameters = { residual_loss, lambda, flow: "learned" };
      const state = { logZ: batch.logReward[56], parameters };
      const { loss } = objective("sub_trajectory_balance").evaluate(scores, batch, state);
      const expected = [0, 1].reduce((sum, b) => {
        const one = ["sub_trajectory_balance", parameters] as const;
        return sum + definedLoss(one, scores, batch, b, state.logZ) / 2;
      }, 0);
      assert.ok(Math.abs(loss - expected) < 1e-9 * expected, `${residual_loss} ${lambda}: ${loss}`);
    }
  }
});

Deno.test("an exponential loss says how many residuals went beyond its limit", () => {
  const batch = treeBatch(threeLeaves(), [[1, 0], [2, 0]]);
  const scores = randomScores(batch, new RandomStream("beyond"));
  const evaluate = (logZ: number, residual_loss: string) =>
    objective("trajectory_balance").evaluate(scores, batch, {
      logZ,
      parameters: { residual_loss },
    });
  assert.equal(evaluate(100, "linex").metrics.residuals_beyond_limit, 2);
  assert.equal(evaluate(0, "linex").metrics.residuals_beyond_limit, 0);
  assert.equal("residuals_beyond_limit" in evaluate(100, "squared").metrics, false);
});

Deno.test("sub_trajectory_balance with lambda 1 is twice the variance of the potentials", () => {
  const batch = treeBatch(mixedTree(), [[1, 2, 3, 0]]);
  const scores = randomScores(batch, new RandomStream("variance"));
  const flows = [0, 1, 2, 3].map((t) => scores.logFlow[t] - scores.logFlow[0]);
  const phi = [...flows, batch.logReward[3]].map((logFlow, t) => {
    return scores.logPf.subarray(0, t).reduce((sum, x) => sum + x, -logFlow);
  });
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
    const parameters = name.startsWith("sub") ? { flow: "learned" } : {};
    const state = { logZ: 0.4, parameters };
    const { loss, metrics } = objective(name).evaluate(scores, batch, state);
    assert.ok(Math.abs(loss - objective(name).evaluate(shifted, batch, state).loss) < 1e-12);
    assert.ok(Math.abs(metrics.log_z - 0.4) < 1e-12);
  }
});

Deno.test("with exact flows the edge into the terminal node is satisfied by any policy", () => {
  const batch = treeBatch(threeLeaves(), [[2, 0]]);
  const scores = randomScores(batch, new RandomStream("terminal"));
  scores.logExit[1] = scores.logPf[1];
  const [direct, whole] = [{ lambda: 1e-9 }, { lambda: 1e9 }].map((parameters) =>
    objective("sub_trajectory_balance").evaluate(scores, batch, { logZ: 0, parameters }).loss
  );
  // Of the two neighbours one is satisfied; the other and the whole way are then one residual.
  assert.ok(Math.abs(2 * direct - whole) < 1e-6, `${direct} ${whole}`);
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
  const read = (given: Settings) => parametersOf(objectiveNamed("sub_trajectory_balance"), given);
  const whole = { lambda: 0.9, flow: "learned", residual_loss: "log_cosh" };
  assert.deepEqual(read({ lambda: 0.9, flow: "learned" }), whole);
  const findings = findingsOf(() => read({ lambda: -1, flow: "exact", residual_los: "squared" }));
  assert.deepEqual(findings.map((f) => [f.message, f.hint]), [
    [
      'Cannot read objective "sub_trajectory_balance": unknown key "residual_los"',
      'did you mean "residual_loss"? known keys: flow, lambda, residual_loss',
    ],
    [
      'Cannot read objective "sub_trajectory_balance": flow is "exact"',
      'write "learned" or "exact_where_terminable"',
    ],
    ['Cannot read objective "sub_trajectory_balance": lambda is -1', "write a number above 0"],
  ]);
});

Deno.test("an objective moves what it says, and nothing else", () => {
  const moved = new Map<string, Set<Moved>>();
  const note = (name: string, batch: Batch, parameters: Settings) => {
    const scores = meaninglessScores(batch, "moves");
    const whole = parametersOf(objectiveNamed(name), parameters);
    const state = { logZ: 0.3, parameters: whole };
    const { gradients } = objectiveNamed(name).evaluate(scores, batch, state);
    const found = moved.get(name) ?? new Set();
    moved.set(name, found);
    if (gradients.logZ !== 0) found.add("log_z");
    if (gradients.logFlow.some((one) => one !== 0)) found.add("flow");
    if (gradients.logPb?.some((one) => one !== 0)) found.add("backward");
  };
  for (const name of builtInObjectives.keys()) {
    note(name, manyWays(smallGrid()), {});
    const wantsStops = terminableOnly.some(([one]) => one === name);
    if (!wantsStops) note(name, manyWays(smallStrings()), {});
  }
  for (const [name, { moves }] of builtInObjectives) {
    assert.deepEqual([...moved.get(name)!].sort(), [...moves].sort(), name);
  }
});

Deno.test("an objective that reads ends gives the same for any reward of what was passed on the way", () => {
  for (const { name } of rewardedObjectives) {
    const found = objectiveNamed(name);
    const batch = manyWays(smallGrid());
    const scores = meaninglessScores(batch, "reads");
    const parameters = parametersOf(found, {});
    const result = () => found.evaluate(scores, batch, { logZ: 0.3, parameters }).loss;
    const before = result();
    for (let b = 0; b < batch.B; b++) {
      const row = b * batch.T;
      batch.logReward.fill(7, row, row + batch.lengths[b] - 1);
    }
    assert.equal(result() === before, readsOf(found, parameters) === "ends", name);
  }
});
