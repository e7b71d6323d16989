/** The verdict of a certificate, from its bounds and its explorers' agreement. */
import type { Verdict } from "../../base/verdicts.ts";
import { exp } from "../../numerics/math/mod.ts";
import { policyLogZ } from "./explorer_agreement.ts";
import type { Bounds } from "./bounds.ts";
import { type KnownObject, logRatio } from "./known_object.ts";
import type { ExplorerReport } from "./explorer_report.ts";

/** Verdicts where not every object was counted. */
export type SampledVerdict = Exclude<Verdict, "exact">;

/** A total variation up to which nothing is called a fault. */
export const tolerated = 0.05;

/** Share of mass that consistent explorers would have found missing, and samples would have found in excess. */
const seen = 0.1;

/** Texts of the policy's trajectories, and the objects that are known. */
interface Walked {
  readonly known: ReadonlyMap<string, KnownObject>;
  readonly drawn: readonly string[];
}

/**
 * `bounded` if the policy is proved to be off by more than {@linkcode tolerated}; `inconsistent` if
 * an explorer found, or estimates with twice its error, more than that where the policy has nothing;
 * `consistent` if two or more explorers independent of the policy are reliable, all of them exclude
 * that it misses a share of 0.1, and its own samples that it has such a share too much; else `unknown`.
 */
export function verdictOf(
  bounds: Bounds,
  explorers: readonly ExplorerReport[],
  walked: Walked,
): { readonly verdict: SampledVerdict; readonly reason: string } {
  const { totalVariation } = bounds;
  if (totalVariation.value > tolerated) {
    return { verdict: "bounded", reason: "it is proved to be off" };
  }
  const against = explorers.find(disagrees);
  if (against) return { verdict: "inconsistent", reason: `${against.name} found what it misses` };
  const free = explorers.filter(({ consultsPolicy, agreement }) =>
    !consultsPolicy && agreement.reliable
  );
  const acquits = free.length >= 2 && free.every(({ agreement }) => seesNothing(agreement.missed));
  if (acquits && walksAgree(walked)) {
    return { verdict: "consistent", reason: `${free.map(({ name }) => name).join(", ")} agree` };
  }
  return { verdict: "unknown", reason: "too few explorers came far enough to say anything" };
}

function disagrees({ agreement: { missed, foundMissed, reliable } }: ExplorerReport): boolean {
  if (foundMissed > tolerated) return true;
  return reliable && missed !== undefined && missed.value - 2 * missed.mcse > tolerated;
}

function seesNothing(missed: ExplorerReport["agreement"]["missed"]): boolean {
  return missed === undefined || missed.value + 2 * missed.mcse <= seen;
}

/** Whether the policy has too much mass on no object, as far as its samples show. */
function walksAgree({ known, drawn }: Walked): boolean {
  const logZ = policyLogZ(known, drawn);
  const shares = drawn.map((text) => Math.max(0, 1 - exp(logRatio(known.get(text)!) - logZ)));
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const squares = shares.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return mean + 2 * Math.sqrt(squares) / shares.length <= seen;
}
