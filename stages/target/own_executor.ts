/** Executors by the name that a target gives them: built in, or a plug-in's default export. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  type ExecutorDefinition,
  isExecutorDefinition,
} from "../../src/executor/define_executor.ts";
import {
  builtInExecutor,
  type ContainerExecutor,
  containerName,
} from "../../src/executor/front_ends/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** The name of an executor as executions are asked for by it. */
export function executorName(executor: string | ContainerExecutor): string {
  return typeof executor === "string" ? executor : containerName(executor);
}

/**
 * The executor of a module; none if a built-in one is meant.
 *
 * @throws InputError if the module's default export was not made with `defineExecutor`, or has the
 * name of a built-in executor.
 */
export function resolveExecutor(
  name: string,
  context: StageContext,
): ExecutorDefinition | undefined {
  if (builtInExecutor(name)) return undefined;
  const plugin = context.plugin(name);
  if (!isExecutorDefinition(plugin)) {
    const hint = 'write: export default defineExecutor({ name, level: "L1", digest: "1", read })';
    throw refused(name, "its default export is not an executor", hint);
  }
  if (!builtInExecutor(plugin.name)) return plugin;
  throw refused(
    name,
    `"${plugin.name}" is the name of a built-in executor`,
    "give it another name",
  );
}

function refused(path: string, why: string, hint: string): Error {
  return inputError(
    "plugin/executor",
    `Cannot use the executor ${path}: ${why}`,
    undefined,
    hint,
  );
}
