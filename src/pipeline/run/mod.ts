/** Runs of pipelines. */
export { interruptControl } from "./interrupt.ts";
export { type RunOutcome, runPipeline } from "./run.ts";
export type { Interrupt } from "./interrupt.ts";
export type { RunStatus } from "./run_record.ts";
