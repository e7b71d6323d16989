/** Scores what an executor made of a program, whether Sluice brings it or a user. */
import { sha256 } from "../base/digest.ts";
import type { Execution } from "../engine/score/execution/mod.ts";
import type { BuiltInExecutor, FrontEndResult } from "./front_ends/front_end.ts";
import type { Job } from "./messages.ts";
import type { ExecutionOutcome } from "./worker_process.ts";

/** Has a worker do a job. */
type Score = (job: Job) => Promise<ExecutionOutcome>;

/** Reader: a user's executor, or a built-in one. */
type ReadBy = Pick<BuiltInExecutor, "name"> & { readonly digest?: string | (() => string) };

/** Objection of a worker to evaluating a text, if the text is to be evaluated and may not be. */
export async function refusedToRun(
  program: string,
  executor: BuiltInExecutor,
  score: Score,
): Promise<ExecutionOutcome | undefined> {
  if ("read" in executor || executor.reads === "engine") return undefined;
  const { packages } = executor;
  const wanted = { kind: "allowed", ...(packages && { packages }) } as const;
  const asked = await score({ program, wanted });
  return asked.execution.status === "error" ? undefined : asked;
}

/**
 * The execution of a reading. One that was made as data, in a process without an attestation,
 * lowers the level of the execution to its own.
 */
export async function scoreReading(
  program: string,
  read: FrontEndResult,
  by: ReadBy,
  score: Score,
): Promise<ExecutionOutcome> {
  const { level, attestation, wallMs } = read;
  const cost = { level, wallMs, ...(attestation !== undefined && { attestation }) };
  if (read.kind === "failed") return { execution: read.execution, ...cost };
  if (read.kind === "rejected") return { execution: rejectedBy(by, read.message), ...cost };
  const job = read.kind === "text" ? { program: read.text } : { program, graph: read.graph };
  const outcome = await score(job);
  const total = { ...outcome, wallMs: outcome.wallMs + wallMs };
  if (attestation !== undefined) return total;
  const { attestation: _, ...unattested } = total;
  return { ...unattested, level };
}

function rejectedBy({ name, digest = name }: ReadBy, message: string): Execution {
  const version = typeof digest === "string" ? digest : digest();
  return {
    status: "rejected",
    failureClass: "unsupported",
    engine: name,
    engineVersion: sha256(version).slice(0, 12),
    diagnostics: [{ code: "unsupported/own-executor", severity: "error", message }],
  };
}
