/** Runs of pipelines. */
export { interruptControl } from "./interrupt.ts";
export { thisMachine } from "./this_machine.ts";
export { lockOf, lockPipeline, planPipeline, type RunOutcome, runPipeline } from "./run.ts";
export type { AskOpenRun, RunOptions } from "./options.ts";
export type { Interrupt } from "./interrupt.ts";
export type { RunStatus } from "./run_record.ts";
export type { RunControl } from "../process/attempt.ts";
