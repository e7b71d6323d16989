/** Opens a built-in executor of any kind, and returns its digest. */
import { digestOf } from "../../base/digest.ts";
import type { ExecutorDefinition } from "../define_executor.ts";
import { readProgram } from "../read_program.ts";
import type { BuiltInExecutor, FrontEnd, FrontEndLimits } from "./front_end.ts";

/** SHA-256 of what turns a text into a reading; undefined where the engine reads the text itself. */
export function digestOfBuiltIn(executor: BuiltInExecutor): string | undefined {
  if ("read" in executor) return digestOf([executor.name, executor.level, executor.digest]);
  return executor.reads === "engine" ? undefined : executor.digest();
}

/** The front end of a built-in executor; undefined where the engine reads the text itself. */
export function openExecutor(
  executor: BuiltInExecutor,
  limits: FrontEndLimits,
): Promise<FrontEnd> | undefined {
  if ("read" in executor) return Promise.resolve(inThisProcess(executor));
  return executor.reads === "engine" ? undefined : executor.open(limits);
}

function inThisProcess(executor: ExecutorDefinition): FrontEnd {
  return {
    async extract(program, dataset, signal, isCalledOff) {
      signal?.throwIfAborted();
      if (isCalledOff()) return undefined;
      const started = performance.now();
      const reading = await readProgram(executor, program, dataset);
      return { ...reading, level: executor.level, wallMs: performance.now() - started };
    },
  };
}
