/**
 * The benchmark of exact programs, at equal executions:
 *
 *     deno task bench exact targets FOLDER          a file of Parquet and one of JSON for each task
 *     deno task bench exact methods TASK SEEDS [M]  our methods: a line for each method and seed
 *     deno task bench exact judge FILE …            lines of others, as harness.py writes them
 *     deno task bench exact bms ITERATIONS SEEDS    R's package BMS on orthogonal_30
 *     deno task bench exact rewards GRAMMAR FILE    keeps what a run executed of a published grammar
 *     deno task bench exact table                   the tables of the README
 */
import process from "node:process";
import { RandomStream } from "../../src/base/random.ts";
import { engineVersion } from "../../src/engine/score/version.ts";
import { regressionData } from "../../src/gfn/environments/regressions.ts";
import { writeNumberTable } from "../../src/pipeline/store/number_table.ts";
import { benchBms } from "./bms.ts";
import { knownFrontier } from "./frontier.ts";
import { methods } from "./methods.ts";
import { keepRewards } from "./published.ts";
import { isKnown, keep } from "./results.ts";
import { openSpace, tableOf, targetOf } from "./spaces.ts";
import { printTables } from "./table.ts";
import { taskNamed, tasks } from "./tasks.ts";

/** A harness's record of a run. */
interface Asked {
  readonly task: string;
  readonly method: string;
  readonly seed: number;
  /** Rows of the task's file, of regressions bits of subsets, in the order in which they were asked for. */
  readonly asked: readonly number[];
}

/** @throws RangeError for what is not in the usage. */
export async function benchExactPrograms(args: readonly string[]): Promise<void> {
  const [what, ...rest] = args;
  if (what === "targets" && rest.length === 1) return await writeTargets(rest[0]);
  if (what === "methods" && (rest.length === 2 || rest.length === 3)) {
    return await runMethods(rest[0], Number(rest[1]), rest[2]);
  }
  if (what === "judge" && rest.length > 0) return rest.forEach(judge);
  if (what === "bms" && rest.length === 2) return await runBms(Number(rest[0]), Number(rest[1]));
  if (what === "rewards" && rest.length === 2) return keepFile(rest[0], rest[1]);
  if (what === "table" && rest.length === 0) return printTables();
  throw new RangeError(
    "usage: deno task bench exact targets FOLDER | methods TASK SEEDS [METHOD] | judge FILE … | " +
      "bms ITERATIONS SEEDS | rewards GRAMMAR FILE | table",
  );
}

/** The file of JSON holds all; that of Parquet has the numbers as columns, the rest as its metadata. */
async function writeTargets(folder: string): Promise<void> {
  for (const task of tasks) {
    const target = targetOf(task, openSpace(task));
    Deno.writeTextFileSync(`${folder}/${task.name}.json`, JSON.stringify(target));
    const { columns, about } = tableOf(target);
    const metadata = { target: JSON.stringify(about) };
    await writeNumberTable(`${folder}/${task.name}.parquet`, columns, metadata);
  }
}

/** Keeps the rows that `sluice query` wrote of the enumeration of a run. */
function keepFile(grammar: string, file: string): void {
  keepRewards(grammar, JSON.parse(Deno.readTextFileSync(file)), engineVersion);
}

/** Lines are kept in bench/results/exact_programs.jsonl; a method and seed with a line are not run again. */
async function runMethods(name: string, seeds: number, only = ""): Promise<void> {
  const task = taskNamed(name);
  const opened = openSpace(task);
  for (const [method, run] of Object.entries(methods)) {
    if (!method.startsWith(only)) continue;
    for (let seed = 0; seed < seeds; seed++) {
      if (isKnown(name, method, seed)) continue;
      const random = new RandomStream("exact programs", name, method, seed);
      const before = process.cpuUsage();
      const result = await run({ task, ...opened, random, seed });
      const { user, system } = process.cpuUsage(before);
      const cpu_seconds = Number(((user + system) / 1e6).toFixed(1));
      if (result) keep({ task: name, method, seed, ...result, cpu_seconds });
    }
  }
}

/** Every seed is a line; the largest error of an inclusion probability is against its own exact ones. */
async function runBms(iterations: number, seeds: number): Promise<void> {
  const task = taskNamed("orthogonal_30");
  if (task.space.kind !== "regressions") throw new Error("internal: regressions are wanted");
  const data = regressionData(task.space.spec);
  for (let seed = 0; seed < seeds; seed++) {
    const method = `BMS, ${iterations} iterations`;
    if (!isKnown(task.name, method, seed)) {
      keep({ task: task.name, method, seed, ...await benchBms(data, iterations, seed) });
    }
  }
}

function judge(file: string): void {
  const rewards = new Map<string, Float64Array>();
  for (const line of Deno.readTextFileSync(file).split("\n").filter((one) => one !== "")) {
    const { task: name, method, seed, asked } = JSON.parse(line) as Asked;
    if (isKnown(name, method, seed)) continue;
    const task = taskNamed(name);
    const logReward = rewards.get(name) ?? openSpace(task).listed?.logReward;
    if (!logReward) throw new RangeError(`Cannot judge ${name}: its rewards cannot be listed`);
    rewards.set(name, logReward);
    keep({ task: name, method, seed, points: knownFrontier(asked, logReward, task.marks) });
  }
}
