/** The part of a run's report for objects that were too many to count: estimates with intervals. */
import type { CertificateEvaluation } from "../certificate_schema.ts";
import { number, plainTable } from "../format.ts";
import { heading, type Terminal } from "../terminal.ts";

/** What is shown, in this order. */
const labels: Readonly<Record<string, string>> = {
  tv_sub_support: "total variation on random sets of objects",
  elbo_gap: "ELBO gap, KL(policy‖target)",
  eubo_gap: "EUBO gap, KL(target‖policy)",
  log_z: "log Z, by importance sampling",
  log_z_error: "learned log Z less that",
};

/** Prints the estimates of a stage that could not count; nothing if it could, or estimated nothing. */
export function printEstimates(
  { exact, policy }: CertificateEvaluation,
  terminal: Terminal,
): void {
  const { ess } = policy;
  if (exact || !ess) return;
  const table = Object.entries(labels).flatMap(([name, label]) => {
    const found = policy[name];
    if (!found) return [];
    const shown = [found.value, found.ci_lo, found.ci_hi].map((one) => number(Number(one), 3));
    return [[label, shown[0], `${shown[1]} … ${shown[2]}`]];
  });
  heading(terminal, "Divergence from the target, estimated from samples");
  terminal.out(plainTable(["nats", "policy", "interval"], table, [1, 2]));
  const share = `${number(Number(ess.value), 0)} effective of ${ess.n} samples`;
  terminal.out(`${share}; where these are few, the EUBO gap is too small`);
}
