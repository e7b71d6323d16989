/** The table of explorers: evaluations of each, and the mass that each shows the policy to miss. */
import type { CertificateEvaluation } from "../certificate_schema.ts";
import { explorerHead, explorerRow } from "../verdict_words.ts";
import { plain, table } from "./table.ts";

/** A row per explorer; nothing where everything was counted. */
export function explorerTable({ explorers = [] }: CertificateEvaluation): string {
  if (explorers.length === 0) return "";
  return table(explorerHead, explorers.map((one) => explorerRow(one).map(plain)));
}
