/** Built-in objectives as papers define them: squared residuals, where a test names no other. */
import { type Diagnostic, InputError } from "../../src/base/diagnostic.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { type Objective, parametersOf } from "../../src/gfn/objectives/objective.ts";

/** The objective of this name, which completes the parameters that it is given. */
export function plainObjective(name: string): Objective {
  const found = objectiveNamed(name);
  const plain = "residual_loss" in found.parameters!.shape ? { residual_loss: "squared" } : {};
  const whole = (given: object) => parametersOf(found, { ...plain, ...given });
  return {
    ...found,
    ...(found.stepsPerBatch && {
      stepsPerBatch: (given) => found.stepsPerBatch!(whole(given)),
    }),
    ...(found.movesOptimum && { movesOptimum: (given) => found.movesOptimum!(whole(given)) }),
    evaluate: (scores, batch, state) =>
      found.evaluate(scores, batch, { ...state, parameters: whole(state.parameters) }),
  };
}

/** The findings of the InputError that `work` throws. */
export function findingsOf(work: () => unknown): readonly Diagnostic[] {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.diagnostics;
    throw error;
  }
  throw new Error("nothing was wrong");
}
