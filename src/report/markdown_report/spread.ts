/** Several instances in a Markdown report: a section for each stage that has them. */
import type { CertificateSpread } from "../certificate_schema.ts";
import { spreadMeasures } from "../spread.ts";
import { short, table } from "./table.ts";

/** Median, least and largest value of the policies' measures. */
export function spreadSection(
  spreads: readonly CertificateSpread[],
  figure: (name: string) => string,
): string[] {
  return spreads.flatMap(({ stage, seeds, instances, policy, verdicts }) => {
    const rows = spreadMeasures.filter(([name]) => policy[name]).map(([name, label]) => {
      const { n, median, min, max } = policy[name];
      return [label, short(median), short(min), short(max), `${n}`];
    });
    const words = Object.entries(verdicts).map(([word, many]) => `${many} ${word}`).join(", ");
    return [
      `## ${stage} over ${seeds.length} seeds`,
      `Instances \`${instances[0]}\` to \`${instances.at(-1)}\`, seeds ${seeds.join(", ")}.` +
      (words ? ` Verdicts: ${words}.` : ""),
      table(["policy", "median", "min", "max", "n"], rows),
      figure(`spread_${stage.replaceAll(".", "_")}`),
    ];
  });
}
