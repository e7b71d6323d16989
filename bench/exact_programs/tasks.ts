/** The tasks of the benchmark: spaces whose target is known exactly, and what may be asked of them. */
import {
  defaultRegressions,
  type RegressionsSpec,
} from "../../src/gfn/environments/regressions.ts";

/** Space to search: subsets of predictors, a published grammar on its data, or kernels. */
export type Space =
  | { readonly kind: "regressions"; readonly spec: RegressionsSpec }
  | { readonly kind: "grammar"; readonly grammar: string }
  | { readonly kind: "kernels"; readonly depth: number };

/** A task by its name. */
export interface Task {
  readonly name: string;
  readonly space: Space;
  /** Distinct executions. */
  readonly budget: number;
  /** Executions at which the distance from the target is looked at. */
  readonly marks: readonly number[];
}

const allMarks = [50, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000];

function task(name: string, budget: number, space: Space): Task {
  return { name, budget, space, marks: allMarks.filter((n) => n <= budget) };
}

function regressions(name: string, budget: number, spec: Partial<RegressionsSpec>): Task {
  const full = { ...defaultRegressions, rows: 60, ...spec };
  return task(name, budget, { kind: "regressions", spec: full });
}

/** Every task. */
export const tasks: readonly Task[] = [
  regressions("regressions_14", 1000, { terms: 14, effects: [0.8, -0.6, 0.5, 0.4] }),
  regressions("regressions_17", 3000, { terms: 17, effects: [0.8, -0.6, 0.5, 0.4, 0.3] }),
  regressions("orthogonal_30", 500, {
    terms: 30,
    rows: 64,
    effects: [0.8, -0.6, 0.5, 0.4, 0.3, 0.25, 0.2],
    design: "orthogonal",
    noise: "known",
  }),
  task("growth_curves", 800, { kind: "grammar", grammar: "growth_curves" }),
  task("count_trends", 200, { kind: "grammar", grammar: "count_trends" }),
  task("institutions", 200, { kind: "grammar", grammar: "institutions" }),
  task("pooling", 200, { kind: "grammar", grammar: "pooling" }),
  task("kernels_4", 1000, { kind: "kernels", depth: 4 }),
];

/** The task of this name. @throws RangeError if there is none. */
export function taskNamed(name: string): Task {
  const found = tasks.find((one) => one.name === name);
  if (found) return found;
  throw new RangeError(`There is no task "${name}": ${tasks.map((one) => one.name).join(", ")}`);
}
