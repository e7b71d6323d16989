/** The part of a run's report for objects that were too many to count: estimates with intervals. */
import type { CertificateEvaluation } from "../certificate_schema.ts";
import { number, plainTable } from "../format.ts";
import { explorerHead, explorerRow, verdictLines } from "../verdict_words.ts";
import { heading, type Terminal } from "../terminal.ts";

/** Labels of the measures, in the order of the report. */
const labels: Readonly<Record<string, string>> = {
  tv_sub_support: "total variation on random sets of objects",
  tv_lower: "total variation, at least",
  elbo_gap: "ELBO gap, KL(policy‖target)",
  eubo_gap: "EUBO gap, KL(target‖policy)",
  log_z: "log Z",
  log_z_error: "learned log Z − log Z",
};

/** Prints the estimates of a stage that could not count; nothing if it could, or estimated nothing. */
export function printEstimates(
  evaluation: CertificateEvaluation,
  terminal: Terminal,
): void {
  const { exact, policy, explorers = [] } = evaluation;
  const { ess } = policy;
  if (exact || !ess) return;
  const table = Object.entries(labels).flatMap(([name, label]) => {
    const found = policy[name];
    if (!found) return [];
    const shown = [found.value, found.ci_lo, found.ci_hi].map((one) => ended(Number(one)));
    return [[label, shown[0], `${shown[1]} … ${shown[2]}`]];
  });
  heading(terminal, "Divergence from the target, estimated from samples (gaps, log Z in nats)");
  terminal.out(plainTable(["", "policy", "interval"], table, [1, 2]));
  for (const line of verdictLines(evaluation)) terminal.out(line);
  if (explorers.length > 0) {
    terminal.out(plainTable([...explorerHead], explorers.map(explorerRow), [2]));
  }
  const share = `${number(Number(ess.value), 0)} effective of ${ess.n} samples`;
  terminal.out(`${share} from the policy, blind to what it never visits`);
}

/** A number, or nothing where an interval does not end. */
function ended(value: number): string {
  return Number.isFinite(value) ? number(value, 3) : "";
}
