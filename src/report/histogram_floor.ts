/** The floor of sampled distances: that of a histogram of perfect draws. Exact distances have no such floor. */
import type { CertificateEvaluation } from "./certificate_schema.ts";
import { number } from "./format.ts";

type Named = { readonly kind: string; readonly name: string };

/** True of the perfect sampler, whose distances are those of a histogram and so no rows beside exact ones. */
export function isHistogramFloor({ kind, name }: Named): boolean {
  return kind === "floor" && name === "perfect_sampler";
}

/** The sentence below the table instead; undefined where the floor was not asked for. */
export function histogramFloor({ baselines }: CertificateEvaluation): string | undefined {
  const found = baselines.find(isHistogramFloor)?.measures.tv;
  if (!found) return undefined;
  const shown = number(Number(found.value), 3);
  return `Histogram of exact draws, one per trajectory: TV ${shown} (floor of sampled TVs)`;
}
