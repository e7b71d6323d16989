/** The tasks of the benchmark: spaces whose target is known exactly, and what may be asked of them. */
import {
  defaultRegressions,
  exactInclusion,
  regressionData,
  type RegressionsSpec,
} from "../../src/gfn/environments/regressions.ts";

/** A task by its name. */
export interface Task {
  readonly name: string;
  readonly spec: RegressionsSpec;
  /** Distinct executions. */
  readonly budget: number;
  /** Executions at which the distance from the target is looked at. */
  readonly marks: readonly number[];
}

const task = (name: string, budget: number, spec: Partial<RegressionsSpec>): Task => {
  const marks = [50, 100, 200, 400, 600, 800, 1000, 1500, 2000, 3000].filter((n) => n <= budget);
  return { name, budget, marks, spec: { ...defaultRegressions, rows: 60, ...spec } };
};

/** Every task. */
export const tasks: readonly Task[] = [
  task("regressions_14", 1000, { terms: 14, effects: [0.8, -0.6, 0.5, 0.4] }),
  task("regressions_17", 3000, { terms: 17, effects: [0.8, -0.6, 0.5, 0.4, 0.3] }),
  task("orthogonal_30", 500, {
    terms: 30,
    rows: 64,
    effects: [0.8, -0.6, 0.5, 0.4, 0.3, 0.25, 0.2],
    design: "orthogonal",
    noise: "known",
  }),
];

/** The task of this name. @throws RangeError if there is none. */
export function taskNamed(name: string): Task {
  const found = tasks.find((one) => one.name === name);
  if (found) return found;
  throw new RangeError(`There is no task "${name}": ${tasks.map((one) => one.name).join(", ")}`);
}

/** What the file of a task holds: the log reward of every subset by its bits, or data and formula. */
export function targetOf({ name, spec, budget, marks }: Task, logReward?: readonly number[]) {
  const common = { name, terms: spec.terms, budget, marks };
  if (logReward) return { ...common, log_reward: logReward };
  return { ...common, ...regressionData(spec), inclusion: exactInclusion(spec) };
}
