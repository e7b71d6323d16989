/** An executed program as rows of the tables `execution` and `program`. */
import { sha256 } from "../base/digest.ts";
import type { ExecutedProgram } from "./executor.ts";
import { scoreFields } from "../engine/score/execution/mod.ts";
import type { Row } from "../pipeline/contract/mod.ts";

/** Digests of an execution's inputs, beside the program. */
interface ExecutionSource {
  /** Digest of the data set. */
  readonly data: string;
  /** Digest of the engine. */
  readonly engine: string;
  /** Digest of the schedule. */
  readonly schedule: string;
}

/** The row of `execution`: one per program, data set and engine. */
export function executionRow(
  program: string,
  executed: ExecutedProgram,
  source: ExecutionSource,
): Row {
  const { outcome, wallMs, cpuMs, maxRssKib, memo, level, attestation } = executed;
  return {
    ...source,
    program: sha256(program),
    engine_version: outcome.engineVersion,
    status: outcome.status,
    class: outcome.failureClass,
    canonical_hash: outcome.programHash,
    ...(outcome.score ? { ...scoreFields(outcome.score), params: outcome.score.params } : {}),
    diagnostics: outcome.diagnostics,
    wall_ms: wallMs,
    cpu_ms: cpuMs,
    max_rss_kib: maxRssKib,
    memo,
    sandbox_level: level,
    attestation,
  };
}

/** The row of `program`: its text under the SHA-256 by which other tables name it. */
export function programRow(program: string, logPrior?: number, canonicalHash?: string): Row {
  const named = { sha256: sha256(program), text: program };
  return { ...named, canonical_hash: canonicalHash, log_prior: logPrior };
}
