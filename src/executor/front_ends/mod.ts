/** The executors that Sluice brings, by the names that a target gives them. A new one adds a line. */
import type { BuiltInExecutor } from "./front_end.ts";
import { native } from "./native.ts";
import { pymc } from "./pymc.ts";

export const builtInExecutors: ReadonlyMap<string, BuiltInExecutor> = new Map(
  [native, pymc].map((executor) => [executor.name, executor]),
);

/** Their names, the default first. */
export const executorNames = [...builtInExecutors.keys()] as [string, ...string[]];
