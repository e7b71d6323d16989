/** The spaces of tasks, opened: an environment that states its reward, and all objects where they are listed. */
import {
  exactInclusion,
  regressionData,
  regressionsEnvironment,
} from "../../src/gfn/environments/regressions.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";
import type { NumberColumns } from "../../src/pipeline/store/number_table.ts";
import { kernelsEnvironment } from "./kernels.ts";
import { publishedEnvironment } from "./published.ts";
import type { Task } from "./tasks.ts";

/** All objects, in the order of the rows of a task's file. */
export interface Listed {
  readonly objects: readonly TerminalObject[];
  /** `[objects]`. */
  readonly logReward: Float64Array;
}

/** A space that can be searched. */
export interface Opened {
  readonly environment: Environment;
  /** Where all can be enumerated. */
  readonly listed?: Listed;
}

/** Objects up to which a space is listed. */
const MOST_LISTED = 2 ** 17;

/** Opens the space that a task searches. */
export function openSpace({ space }: Task): Opened {
  const environment = environmentOf(space);
  if (environment.count! > MOST_LISTED) return { environment };
  const objects = [...environment.enumerate()];
  if (space.kind === "regressions") objects.sort((a, b) => bitsOf(a) - bitsOf(b));
  const logReward = Float64Array.from(objects, (one) => one.logReward!);
  return { environment, listed: { objects, logReward } };
}

function environmentOf(space: Task["space"]): Environment {
  if (space.kind === "regressions") return regressionsEnvironment(space.spec) as Environment;
  if (space.kind === "kernels") return kernelsEnvironment(space.depth);
  return publishedEnvironment(space.grammar);
}

/** Bit j for predictor j, of `x0`, `x3`. */
function bitsOf({ features }: TerminalObject): number {
  return features.reduce((sum, name) => sum + 2 ** Number(name.slice(1)), 0);
}

/** Data of a task that every method gets. */
export interface Target {
  readonly name: string;
  readonly budget: number;
  readonly marks: readonly number[];
  /** Of regressions: predictors. */
  readonly terms?: number;
  /** `[objects]`, where all are listed; of regressions that of the subset of bits i stands at i. */
  readonly log_reward?: readonly number[];
  /** Of programs: `[objects][choices]`, and the names of the choices. */
  readonly choices?: readonly (readonly number[])[];
  readonly productions?: readonly string[];
  /** Where the space is too large to enumerate: predictors `[terms][rows]`, responses, exact inclusion. */
  readonly columns?: readonly (readonly number[])[];
  readonly y?: readonly number[];
  readonly inclusion?: readonly number[];
}

/** Contents of a task's file. */
export function targetOf(
  { name, space, budget, marks }: Task,
  { environment, listed }: Opened,
): Target {
  const common = {
    name,
    budget,
    marks,
    ...(space.kind === "regressions" && { terms: space.spec.terms }),
  };
  if (space.kind === "regressions" && !listed) {
    return { ...common, ...regressionData(space.spec), inclusion: exactInclusion(space.spec) };
  }
  const log_reward = [...listed!.logReward];
  if (space.kind === "regressions") return { ...common, log_reward };
  return {
    ...common,
    productions: environment.actionNames.slice(0, environment.exitAction),
    choices: listed!.objects.map(({ actions }) => actions.slice(0, -1)),
    log_reward,
  };
}

/** Stands for no choice in a file of numbers. */
const NO_CHOICE = -1;

/** A target as a table: `log_reward` and `choice_0` … by objects, or `x0` … and `y` by rows. */
export function tableOf(
  { log_reward, choices = [], columns, y, ...about }: Target,
): { readonly columns: NumberColumns; readonly about: Partial<Target> } {
  if (!log_reward) {
    const predictors = columns!.map((column, j) => [`x${j}`, column] as const);
    return { columns: { ...Object.fromEntries(predictors), y: y! }, about };
  }
  const longest = choices.reduce((most, { length }) => Math.max(most, length), 0);
  const places = Array.from(
    { length: longest },
    (_, t) => [`choice_${t}`, choices.map((one) => one[t] ?? NO_CHOICE)] as const,
  );
  return { columns: { log_reward, ...Object.fromEntries(places) }, about };
}
