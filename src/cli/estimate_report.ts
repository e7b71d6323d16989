/** The part of a run's report for objects that were too many to count: estimates with intervals. */
import { number, plainTable } from "./format.ts";
import type { Ask } from "./report.ts";
import type { Terminal } from "./terminal.ts";

/** What is shown, in this order. */
const labels: Readonly<Record<string, string>> = {
  tv_sub_support: "total variation on random sets of objects",
  elbo_gap: "ELBO gap, KL(policy‖target)",
  eubo_gap: "EUBO gap, KL(target‖policy)",
  log_z: "log Z, by importance sampling",
  log_z_error: "learned log Z less that",
};

/** Prints the estimates of every stage that counted nothing; nothing if there is none. */
export async function printEstimates(ask: Ask, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select stage, name, value, ci_lo, ci_hi, n from evaluation where step = 0 and stage in
       (select stage from evaluation where name = 'ess' and step = 0)
       and stage not in (select stage from enumeration) order by stage`,
  );
  for (const stage of new Set(rows.map((row) => row.stage))) {
    print(rows.filter((row) => row.stage === stage), terminal);
  }
}

function print(rows: Awaited<ReturnType<Ask>>, terminal: Terminal): void {
  const byName = new Map(rows.map((row) => [String(row.name), row]));
  const table = Object.entries(labels).flatMap(([name, label]) => {
    const row = byName.get(name);
    if (!row) return [];
    const [value, low, high] = [row.value, row.ci_lo, row.ci_hi].map((x) => number(Number(x), 3));
    return [[label, value, `${low} … ${high}`]];
  });
  terminal.out(`\n${terminal.colour.bold("Divergence from the target, estimated from samples")}`);
  terminal.out(plainTable(["nats", "policy", "interval"], table, [1, 2]));
  const { value, n } = byName.get("ess")!;
  const share = `${number(Number(value), 0)} effective of ${n} samples`;
  terminal.out(`${share}; where these are few, the EUBO gap is too small`);
}
