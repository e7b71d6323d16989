/** The part of a run's report about several instances: between which values they came to lie. */
import type { CertificateSpread } from "../certificate_schema.ts";
import { labelledTable, number } from "../format.ts";
import { spreadMeasures } from "../spread.ts";
import { heading, type Terminal } from "../terminal.ts";

/** A table of median, least and largest value for each stage, and the verdicts. */
export function printSpreads(spreads: readonly CertificateSpread[], terminal: Terminal): void {
  for (const { stage, seeds, policy, verdicts } of spreads) {
    const rows = spreadMeasures.filter(([name]) => policy[name]).map(([name, label]) => {
      const { n, median, min, max } = policy[name];
      return [label, number(median, 3), number(min, 3), number(max, 3), `${n}`];
    });
    heading(terminal, `${stage} over ${seeds.length} seeds, ${seeds[0]} to ${seeds.at(-1)}`);
    terminal.out(labelledTable(["policy", "median", "min", "max", "n"], rows, terminal.width));
    const words = Object.entries(verdicts).map(([word, many]) => `${many} ${word}`);
    if (words.length > 0) terminal.out(`Verdicts: ${words.join(", ")}`);
  }
}
