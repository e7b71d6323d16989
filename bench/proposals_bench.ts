/** Far modes with proposals: `deno task bench proposals [TASK …] [--seeds 10]`, what is missing of it. */
import { RandomStream } from "../src/base/random.ts";
import { BroadWalks } from "../src/gfn/certificates/broad_walks.ts";
import { broadWalk } from "../src/gfn/certificates/moves.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { enumeratedTarget, evaluateExactly, policyMass } from "../src/gfn/evaluation/exact.ts";
import type { Policy } from "../src/gfn/policies/policy.ts";
import { foundModes } from "./proposals/modes.ts";
import {
  proposalsFile,
  type ProposalsResult,
  recipeDigest,
  resultsOf,
} from "./proposals/results.ts";
import { explorers, type Modes, type Task, tasks } from "./proposals/tasks.ts";
import { trained } from "./proposals/train.ts";
import { appendLine } from "./result_lines.ts";

/** Trains where a seed has no line yet, keeps a line for each, and prints it. */
export async function benchProposals(args: readonly string[]): Promise<void> {
  const flag = args.indexOf("--seeds");
  const seeds = flag < 0 ? 10 : Number(args[flag + 1]);
  const all = [...tasks, ...explorers];
  const named = all.filter(({ name }) => args.includes(name));
  const words = args.filter((_, i) => flag < 0 || i !== flag && i !== flag + 1);
  const unknown = words.filter((word) => !all.some(({ name }) => name === word));
  if (unknown.length > 0) {
    const names = all.map(({ name }) => name).join(", ");
    throw new Error(`no task ${unknown.join(", ")}; there are ${names}`);
  }
  for (const task of named.length > 0 ? named : all) {
    const known = new Set(resultsOf(task).map(({ seed }) => seed));
    for (let seed = 0; seed < seeds; seed++) {
      if (known.has(seed)) continue;
      const result = await run(task, seed);
      appendLine(proposalsFile, result);
      console.log(JSON.stringify(result));
    }
  }
}

async function run(task: Task, seed: number): Promise<ProposalsResult> {
  const { policy, met, cpuSeconds } = await trained(task, seed);
  const { steps, batch, propose } = task.recipe;
  const { count: searches = 0, rounds = 0 } = propose.localSearch ?? {};
  const { broad, teacher, own } = propose;
  const others = [broad, teacher, own].reduce((sum, one) => sum + (one?.count ?? 0), 0);
  const proposed = others + searches * rounds;
  return {
    task: task.name,
    recipe: recipeDigest(task),
    seed,
    ...(task.modes
      ? modesOf(task, task.modes, met, seed)
      : { tv: await distance(policy, task.environment) }),
    distinct_executions: met.size,
    trajectories: steps * (batch + proposed),
    cpu_seconds: Number(cpuSeconds.toFixed(1)),
  };
}

/** Modes found, and modes that broad walks find by as many executions. */
function modesOf({ environment }: Task, modes: Modes, met: ReadonlySet<string>, seed: number) {
  const { found, hamming, met: reached, after } = foundModes(met, modes);
  const random = new RandomStream("broad walks", seed);
  const base = new BroadWalks(environment, random);
  const walked = new Set<string>();
  while (walked.size < met.size) {
    const { states } = broadWalk(base, random);
    walked.add(environment.terminal(states.at(-1)).text);
  }
  const beside = foundModes(walked, modes);
  return {
    modes_found: found,
    modes_met: reached,
    modes_found_by_broad_walks: beside.found,
    modes_found_by_hamming: hamming,
    modes_found_by_hamming_by_broad_walks: beside.hamming,
    found_after: after,
  };
}

/** Total variation from the target, every object counted. */
async function distance(policy: Policy, environment: Environment): Promise<number> {
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (one) => one.logReward!);
  const target = enumeratedTarget(environment, objects, logReward);
  return evaluateExactly(target, await policyMass(policy, target)).totalVariation;
}
