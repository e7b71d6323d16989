/** Lines of the benchmark of proposals, one per task and seed, in bench/results/proposals.jsonl. */
import { digestOf } from "../../src/base/digest.ts";
import { readLines } from "../result_lines.ts";
import type { Task } from "./tasks.ts";

/** Result of one run. */
export interface ProposalsResult {
  readonly task: string;
  /** Of space and recipe: lines of another one do not count. */
  readonly recipe: string;
  readonly seed: number;
  /** Of the trained policy, exact; where objects can be enumerated. */
  readonly tv?: number;
  /** Of hidden sequences, those found, and those met themselves; found by broad walks alone. */
  readonly modes_found?: number;
  readonly modes_met?: number;
  /** By the Hamming distance. */
  readonly modes_found_by_hamming?: number;
  readonly modes_found_by_hamming_by_broad_walks?: number;
  readonly modes_found_by_broad_walks?: number;
  /** Distinct executions until the last of them was found. */
  readonly found_after?: number;
  readonly distinct_executions: number;
  readonly trajectories: number;
  readonly cpu_seconds: number;
}

/** The file, from the root. */
export const proposalsFile = "proposals.jsonl";

/** Digest of a task's space and recipe. */
export function recipeDigest({ environment, recipe }: Task): string {
  const { objective, propose, ...rest } = recipe;
  const { own } = propose;
  const definition = own && { name: own.definition.name, version: own.definition.version };
  const proposing = own ? { ...propose, own: { ...own, definition } } : propose;
  const digested = { environment: environment.digest, objective: objective.name, ...rest };
  return digestOf({ ...digested, propose: proposing });
}

/** The lines of a task, by seed. */
export function resultsOf(task: Task): ProposalsResult[] {
  const recipe = recipeDigest(task);
  return readLines<ProposalsResult>(proposalsFile)
    .filter((one) => one.task === task.name && one.recipe === recipe)
    .sort((a, b) => a.seed - b.seed);
}
