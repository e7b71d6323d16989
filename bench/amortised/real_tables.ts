/** Real tables of R's packages, as a script prints them, and how near a policy's shares come to their target. */
import { normalised, type ScoredData } from "../../src/gfn/train/mod.ts";

/** Lines of JSON that a script of this folder prints. */
export function printedBy(script: string, python: string, more: readonly string[] = []): string[] {
  const { pathname } = new URL(script, import.meta.url);
  const { stdout } = new Deno.Command(python, { args: [pathname, ...more], stderr: "null" })
    .outputSync();
  return new TextDecoder().decode(stdout).trim().split("\n");
}

/** Of importance weights π / P: 1 where the policy is the target, near 0 where it misses what matters. */
export function effectiveShare(
  answer: Float64Array,
  { programs, logRewards }: ScoredData,
): number {
  const target = normalised(logRewards);
  const logP = normalised(Array.from(programs, (program) => answer[program] ?? -Infinity));
  return 1 / target.reduce((sum, one, m) => sum + Math.exp(2 * one - logP[m]), 0);
}
