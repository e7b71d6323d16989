/** Has programs checked in the workers of a pool, and not scored: stages ask for it before they execute any. */
import { MachineFailure } from "../pipeline/contract/mod.ts";
import {
  type Execution,
  isMachineFailure,
  type LikelihoodCheck,
} from "../engine/score/execution/mod.ts";
import { decodeFindings, decodeLikelihood, type ProgramFinding } from "./findings_json.ts";
import type { Job } from "./messages.ts";
import type { Batch, WorkerPool } from "./pool.ts";
import type { ExecutionOutcome } from "./worker_process.ts";

/** A finding, or that the workers which looked for it were ended. */
export type CheckedText = ProgramFinding & { readonly undecided?: true };

/** Result of checking a likelihood. */
export type CheckedLikelihood =
  /** Absent where the response is not a number for each row. */
  | { readonly kind: "checked"; readonly check?: LikelihoodCheck }
  /** The native engine cannot read the text. */
  | { readonly kind: "unread" }
  /** The workers that looked were ended by the clock, their memory or a crash. */
  | { readonly kind: "undecided" };

/** Texts that a worker checks in one go: it costs little to lose them, and little to ask. */
const mostTogether = 32;

/** A pool, and how its requests may end. */
export interface CheckRun {
  readonly pool: Pick<WorkerPool, "execute">;
  /** Programs at once. */
  readonly workers: number;
  /** Called for every outcome, before it is accepted. @throws what ends the request. */
  readonly admit: (outcome: ExecutionOutcome) => void;
  readonly signal?: AbortSignal;
}

/**
 * Findings of the check in each text, in their order. Texts go to workers by the dozen; where one
 * of them ends its worker, those that were sent with it are checked again, each alone.
 *
 * @throws MachineFailure if the machine failed.
 */
export async function checkTexts(run: CheckRun, texts: readonly string[]): Promise<CheckedText[]> {
  const size = Math.max(1, Math.min(mostTogether, Math.ceil(texts.length / (4 * run.workers))));
  const batch = { broken: false };
  const parts = Array.from(
    { length: Math.ceil(texts.length / size) },
    (_, i) => texts.slice(i * size, (i + 1) * size),
  );
  return (await Promise.all(parts.map((part) => checkTogether(run, part, batch)))).flat();
}

async function checkTogether(
  run: CheckRun,
  texts: readonly string[],
  batch: Batch,
): Promise<CheckedText[]> {
  const job: Job = { program: "", wanted: { kind: "checks", programs: texts } };
  const { execution, payload } = await asked(run, job, batch);
  const found = payload && decodeFindings(payload, texts.length);
  if (found) return found;
  if (texts.length === 1) return [notDecided(execution)];
  const alone = await Promise.all(texts.map((text) => checkTogether(run, [text], batch)));
  return alone.flat();
}

/** Why, by what ended the worker; one that lived has answered something else than it was asked. */
function notDecided({ status, diagnostics }: Execution): CheckedText {
  const isEnded = status === "undecided" && diagnostics.length > 0;
  const [{ code, message: why }] = isEnded ? diagnostics : [noAnswer];
  const message = `Cannot decide on the program: ${why}`;
  return { ok: false, undecided: true, diagnostics: [{ code, severity: "error", message }] };
}

const noAnswer = { code: "exec/protocol_violation", message: "an answer of the wrong form" };

/**
 * Whether likelihoods are distributions, in the order of the programs.
 *
 * @param draws of the parameters, from their priors.
 * @throws MachineFailure if the machine failed.
 */
export async function checkLikelihoods(
  run: CheckRun,
  programs: readonly string[],
  draws: number,
): Promise<CheckedLikelihood[]> {
  const batch = { broken: false };
  return await Promise.all(programs.map(async (program) => {
    const job: Job = { program, wanted: { kind: "likelihood", draws } };
    const { execution, payload } = await asked(run, job, batch);
    if (execution.status === "undecided") return { kind: "undecided" };
    if (execution.status === "rejected") return { kind: "unread" };
    if (!payload) return { kind: "checked" };
    const check = decodeLikelihood(payload);
    return check ? { kind: "checked", check } : { kind: "undecided" };
  }));
}

async function asked(
  { pool, admit, signal }: CheckRun,
  job: Job,
  batch: Batch,
): Promise<ExecutionOutcome> {
  const outcome = await pool.execute(job, batch);
  signal?.throwIfAborted();
  const { status, diagnostics } = outcome.execution;
  if (isMachineFailure(status)) {
    const why = diagnostics[0]?.message ?? "no reason was given";
    throw new MachineFailure(`A program could not be checked: ${status}: ${why}`);
  }
  admit(outcome);
  return outcome;
}
