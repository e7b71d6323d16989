/**
 * The benchmark of exact programs, at equal executions:
 *
 *     deno task bench exact targets FOLDER          a file for each task, for methods in any language
 *     deno task bench exact methods TASK SEEDS      our methods: a line for each method and seed
 *     deno task bench exact judge FILE …            lines of others, as harness.py writes them
 */
import { RandomStream } from "../../src/base/random.ts";
import { regressionsEnvironment } from "../../src/gfn/environments/regressions.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { area, knownFrontier, type Point } from "./frontier.ts";
import { methods } from "./methods.ts";
import { targetOf, type Task, taskNamed, tasks } from "./tasks.ts";

/** Spaces that are listed in the file of a task. */
const MOST_LISTED = 2 ** 17;

/** What a harness writes of a run. */
interface Asked {
  readonly task: string;
  readonly method: string;
  readonly seed: number;
  /** Bits of subsets, in the order in which they were asked for. */
  readonly asked: readonly number[];
}

/** @throws RangeError for what is not in the usage. */
export async function benchExactPrograms(args: readonly string[]): Promise<void> {
  const [what, ...rest] = args;
  if (what === "targets" && rest.length === 1) return writeTargets(rest[0]);
  if (what === "methods" && rest.length === 2) return await runMethods(rest[0], Number(rest[1]));
  if (what === "judge" && rest.length > 0) return rest.forEach(judge);
  throw new RangeError(
    "usage: deno task bench exact targets FOLDER | methods TASK SEEDS | judge FILE …",
  );
}

function writeTargets(folder: string): void {
  for (const task of tasks) {
    const target = targetOf(task, isListed(task) ? [...listedRewards(task)] : undefined);
    Deno.writeTextFileSync(`${folder}/${task.name}.json`, JSON.stringify(target));
  }
}

const isListed = ({ spec }: Task) => 2 ** spec.terms <= MOST_LISTED;

/** `[2^terms]`: log rewards by bits, bit j for predictor j. */
function listedRewards({ spec }: Task): Float64Array {
  const environment = regressionsEnvironment(spec) as Environment;
  const logReward = new Float64Array(2 ** spec.terms);
  for (const { features, logReward: one } of environment.enumerate()) {
    logReward[bitsOf(features)] = one!;
  }
  return logReward;
}

/** Bits of the predictors that an object names: `x0`, `x3`. */
function bitsOf(features: readonly string[]): number {
  return features.reduce((sum, name) => sum + 2 ** Number(name.slice(1)), 0);
}

async function runMethods(name: string, seeds: number): Promise<void> {
  const task = taskNamed(name);
  const environment = regressionsEnvironment(task.spec) as Environment;
  const logReward = isListed(task) ? listedRewards(task) : undefined;
  for (const [method, run] of Object.entries(methods)) {
    for (let seed = 0; seed < seeds; seed++) {
      const random = new RandomStream("exact programs", name, method, seed);
      const result = await run({ task, environment, logReward, bitsOf, random });
      if (result) print({ task: name, method, seed, ...result });
    }
  }
}

function judge(file: string): void {
  const rewards = new Map<string, Float64Array>();
  for (const line of Deno.readTextFileSync(file).split("\n").filter((one) => one !== "")) {
    const { task: name, method, seed, asked } = JSON.parse(line) as Asked;
    const task = taskNamed(name);
    if (!isListed(task)) throw new RangeError(`Cannot judge ${name}: its rewards cannot be listed`);
    const logReward = rewards.get(name) ?? listedRewards(task);
    rewards.set(name, logReward);
    print({ task: name, method, seed, points: knownFrontier(asked, logReward, task.marks) });
  }
}

/** What a method came to: a frontier, or where nothing can be listed its largest error of inclusion. */
interface Outcome {
  readonly task: string;
  readonly method: string;
  readonly seed: number;
  readonly points?: readonly Point[];
  readonly inclusionError?: number;
  readonly executions?: number;
}

function print({ points, ...outcome }: Outcome): void {
  const { budget } = taskNamed(outcome.task);
  const frontier = points && { area: area(points, budget), points };
  console.log(JSON.stringify({ ...outcome, ...frontier }));
}
