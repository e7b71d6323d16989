/** Every objective of the registry keeps the laws; a planted one with a sign turned does not. */
import assert from "node:assert/strict";
import { builtInObjectives, objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import type { Objective, ObjectiveResult } from "../../src/gfn/objectives/objective.ts";
import { objectiveLaws, parameterCases } from "./objective_laws.ts";

for (const objective of builtInObjectives.values()) {
  for (const parameters of parameterCases(objective)) {
    Deno.test(`${objective.name} ${JSON.stringify(parameters)} keeps the laws of objectives`, () => {
      for (const check of Object.values(objectiveLaws)) check(objective, parameters);
    });
  }
}

/** An objective whose results are changed. */
function planted(name: string, change: (result: ObjectiveResult) => ObjectiveResult): Objective {
  const found = objectiveNamed(name);
  return { ...found, evaluate: (...args) => change(found.evaluate(...args)) };
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
  return Object.entries(objectiveLaws).filter(([, check]) =>
    parameterCases(objective).some((parameters) => {
      try {
        check(objective, parameters);
        return false;
      } catch {
        return true;
      }
    })
  ).map(([name]) => name);
}

for (const name of builtInObjectives.keys()) {
  Deno.test(`${name} with its gradient's sign turned breaks a law`, () => {
    assert.ok(broken(planted(name, turned)).includes("checkDirection"));
  });

  Deno.test(`${name} with the signs of loss and gradient turned breaks a law`, () => {
    const both = (result: ObjectiveResult) => ({ ...turned(result), loss: -result.loss });
    assert.ok(broken(planted(name, both)).includes("checkDirection"));
  });
}

Deno.test("an objective whose loss is not its gradient's, or not at rest at the target, breaks a law", () => {
  const double = planted(
    "trajectory_balance",
    ({ loss, ...rest }) => ({ ...rest, loss: 2 * loss }),
  );
  assert.deepEqual(broken(double), ["checkDifferences"]);
  const found = objectiveNamed("trajectory_balance");
  const shifted: Objective = {
    ...found,
    evaluate: (scores, batch, state) =>
      found.evaluate(scores, batch, { ...state, logZ: state.logZ + 0.1 }),
  };
  assert.deepEqual(broken(shifted), ["checkRest"]);
});
