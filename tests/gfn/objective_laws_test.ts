/** Every objective of the registry keeps the laws; planted ones with a fault do not. */
import assert from "node:assert/strict";
import plain from "../../docs/examples/plain_trajectory_balance.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { checkObjective } from "../../src/gfn/evaluation/check_objective.ts";
import { builtInObjectives, objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import type { Objective, ObjectiveResult } from "../../src/gfn/objectives/objective.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { parameterCases } from "./objective_laws.ts";

for (const objective of [...builtInObjectives.values(), plain]) {
  for (const parameters of parameterCases(objective)) {
    Deno.test(`${objective.name} ${JSON.stringify(parameters)} keeps the laws of objectives`, () => {
      checkObjective(objective, { parameters });
    });
  }
}

/** An objective whose results are changed. */
function planted(name: string, change: (result: ObjectiveResult) => ObjectiveResult): Objective {
  const found = objectiveNamed(name);
  return { ...found, evaluate: (...args) => change(found.evaluate(...args)) };
}

/** An objective that sees other scores and another batch. */
function blinded(name: string, change: (scores: Scores, batch: Batch) => readonly [Scores, Batch]) {
  const found = objectiveNamed(name);
  const evaluate: Objective["evaluate"] = (scores, batch, state) => {
    const result = found.evaluate(...change(scores, batch), state);
    const { logPb, ...gradients } = result.gradients;
    return { ...result, gradients: scores.logPb && logPb ? { ...gradients, logPb } : gradients };
  };
  return { ...found, evaluate };
}

/** The same gradients, times −1. */
function turned({ gradients, ...rest }: ObjectiveResult): ObjectiveResult {
  const minus = (one: Float64Array) => one.map((x) => -x);
  const { logPf, logExit, logFlow, logPb, logZ } = gradients;
  return {
    ...rest,
    gradients: {
      ...{ logPf: minus(logPf), logExit: minus(logExit), logFlow: minus(logFlow), logZ: -logZ },
      ...logPb && { logPb: minus(logPb) },
    },
  };
}

/** The laws that an objective breaks with some of its parameters. */
function broken(objective: Objective): string[] {
  const codes = parameterCases(objective).flatMap((parameters) => {
    try {
      checkObjective(objective, { parameters });
      return [];
    } catch (error) {
      assert.ok(error instanceof InputError, `${error}`);
      assert.ok(error.diagnostics.every(({ hint }) => hint), "every finding says how to mend it");
      return error.diagnostics.map(({ code }) => code);
    }
  });
  return [...new Set(codes)];
}

/** Those whose gradients are looked at for their direction: the others read no rewards. */
const rewarded = [...builtInObjectives.keys()].filter((name) => name !== "maximum_likelihood");

for (const name of rewarded) {
  Deno.test(`${name} with its gradient's sign turned breaks a law`, () => {
    assert.ok(broken(planted(name, turned)).includes("objective/direction"));
  });

  Deno.test(`${name} with the signs of loss and gradient turned breaks a law`, () => {
    const both = (result: ObjectiveResult) => ({ ...turned(result), loss: -result.loss });
    assert.ok(broken(planted(name, both)).includes("objective/direction"));
  });
}

Deno.test("an objective whose loss is not its gradient's, or not at rest at the target, breaks a law", () => {
  const double = planted(
    "trajectory_balance",
    ({ loss, ...rest }) => ({ ...rest, loss: 2 * loss }),
  );
  assert.deepEqual(broken(double), ["objective/gradient"]);
  const found = objectiveNamed("trajectory_balance");
  const shifted: Objective = {
    ...found,
    evaluate: (scores, batch, state) =>
      found.evaluate(scores, batch, { ...state, logZ: state.logZ + 0.1 }),
  };
  assert.deepEqual(broken(shifted), ["objective/optimum"]);
});

const balances = ["trajectory_balance", "detailed_balance", "sub_trajectory_balance"];
for (const name of [...balances, "log_partition_variance"]) {
  Deno.test(`${name} that forgets log P_B breaks a law on graphs, and none on trees`, () => {
    const forgets = blinded(name, ({ logPb: _, ...scores }, batch) => {
      return [scores, { ...batch, logPb: batch.logPb.map(() => 0) }];
    });
    assert.ok(broken(forgets).includes("objective/backward"));
    checkObjective(forgets, { graph: null });
  });

  Deno.test(`${name} that reads the batch's log P_B where one is learned breaks a law`, () => {
    const deaf = blinded(name, ({ logPb: _, ...scores }, batch) => [scores, batch]);
    assert.deepEqual(broken(deaf), ["objective/learned-backward"]);
    checkObjective({ ...deaf, moves: deaf.moves.filter((one) => one !== "backward") });
  });
}

Deno.test("an objective that moves a learned log P_B without its gradient breaks a law", () => {
  const found = planted("trajectory_balance", ({ gradients, ...rest }) => {
    const { logPb: _, ...others } = gradients;
    return { ...rest, gradients: others };
  });
  assert.deepEqual(broken(found), ["objective/gradient"]);
});
