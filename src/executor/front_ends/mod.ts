/** The executors that Sluice brings, by the names that a target gives them. A new one adds a line. */
import type { BuiltInExecutor } from "./front_end.ts";
import { containerOf } from "./container.ts";
import { native } from "./native.ts";
import { pymc } from "./pymc.ts";
export { type ContainerExecutor, containerExecutor, containerName } from "./container.ts";

export const builtInExecutors: ReadonlyMap<string, BuiltInExecutor> = new Map(
  [native, pymc].map((executor) => [executor.name, executor]),
);

/**
 * An executor by its name: one of those, or a container's; undefined if there is none.
 *
 * @throws InputError if it is a container's, and no target could have named it.
 */
export function builtInExecutor(name: string): BuiltInExecutor | undefined {
  return builtInExecutors.get(name) ?? containerOf(name);
}

/** Their names, the default first. */
export const executorNames = [...builtInExecutors.keys()] as [string, ...string[]];
