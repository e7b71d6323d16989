/** Verdicts of certificates, which libraries give and reports show. */

/** Verdicts in the order of how much they claim. */
export const verdicts = ["exact", "consistent", "bounded", "inconsistent", "unknown"] as const;

/** Verdict on a policy as a whole. */
export type Verdict = (typeof verdicts)[number];

/** A text as a verdict; undefined if it is none. */
export function asVerdict(text: unknown): Verdict | undefined {
  return verdicts.find((one) => one === text);
}
