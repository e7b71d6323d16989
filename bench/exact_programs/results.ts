/** Lines of the benchmark, one for each task, method and seed, in bench/results/exact_programs.jsonl. */
import { appendLine, readLines } from "../result_lines.ts";
import { area, type Point } from "./frontier.ts";
import { taskNamed } from "./tasks.ts";

/** Result of a method: a frontier, or, where the space cannot be enumerated, its largest error of inclusion. */
export interface Outcome {
  readonly task: string;
  readonly method: string;
  readonly seed: number;
  readonly points?: readonly Point[];
  /** Under the frontier. */
  readonly area?: number;
  /** Of the rewards that were asked for, renormalised, where the points are not. */
  readonly knownTv?: number;
  /** After all executions, where nothing is looked at before. */
  readonly endTv?: number;
  readonly inclusionError?: number;
  readonly executions?: number;
  readonly cpu_seconds?: number;
}

const resultsFile = "exact_programs.jsonl";

/** Appends a line, and prints it. */
export function keep({ points, ...outcome }: Outcome): void {
  const { budget } = taskNamed(outcome.task);
  const frontier = points && { area: area(points, budget), points };
  const line = { ...outcome, ...frontier };
  appendLine(resultsFile, line);
  console.log(JSON.stringify(line));
}

/** All lines. */
export function outcomes(): Outcome[] {
  return readLines<Outcome>(resultsFile);
}

/** Whether there is a line. */
export function isKnown(task: string, method: string, seed: number): boolean {
  return outcomes().some((one) => one.task === task && one.method === method && one.seed === seed);
}
