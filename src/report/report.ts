/** All facts of a finished run, read once from its database; every report renders this. */
import type { Answer } from "../answers/answer_schema.ts";
import { readAnswer } from "./answer.ts";
import { readCertificate } from "./certificate.ts";
import type { Certificate } from "./certificate_schema.ts";
import { type Findings, readFindings } from "./findings.ts";
import { type PlayedExperiment, readPlayed } from "./played.ts";
import type { Ask } from "./rows.ts";

/** Proofs and findings of a run. */
export interface RunReport {
  /** Absent if the run evaluated nothing. */
  readonly certificate?: Certificate;
  /** Absent if no space of programs was counted. */
  readonly answer?: Answer;
  readonly findings: Findings;
  /** Experiments that agents played; absent if there are none. */
  readonly played?: readonly PlayedExperiment[];
  /** Warnings of its stages, each once. */
  readonly warnings?: readonly RunWarning[];
}

/** A warning, and the stage that gave it. */
export interface RunWarning {
  /** Null of what is said of a run as a whole. */
  readonly stage: string | null;
  readonly message: string;
}

/** Warnings in the order in which they were given first; remarks of the certificate are left out. */
const warningSql = `
  select stage, message from event
  where level = 'warning' and kind in ('log', 'warning')
    and message not in (select message from event where kind in
      ('moves_optimum', 'external_reward', 'unbounded_reward'))
  group by stage, message order by min(wall), stage, message`;

/** Reads the report of a run. */
export async function readReport(ask: Ask): Promise<RunReport> {
  const certificate = await readCertificate(ask);
  const answer = await readAnswer(ask);
  const played = await readPlayed(ask);
  return {
    ...(certificate && { certificate }),
    ...(answer && { answer }),
    ...(played.length > 0 && { played }),
    findings: await readFindings(ask),
    warnings: await readWarnings(ask),
  };
}

/** Reads the warnings of a run. */
export async function readWarnings(ask: Ask): Promise<RunWarning[]> {
  return (await ask(warningSql)).map(({ stage, message }) => ({
    stage: stage === null ? null : String(stage),
    message: String(message),
  }));
}
