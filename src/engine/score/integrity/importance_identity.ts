/** The importance identity: E_{y ~ q}[p(y) / q(y)] = 1 for every distribution p that adds up to one. */
import { RandomStream } from "../../../base/random.ts";
import { exp } from "../../../numerics/math/mod.ts";
import type { RowDistributions } from "./distribution_at.ts";
import { Proposal } from "./proposal.ts";

/** A mean of ratios with its standard error. */
interface Identity {
  readonly mean: number;
  readonly standardError: number;
}

/**
 * The mean ratio over rows and draws of a proposal with heavier tails, whose ratios are bounded
 * where the distribution's tails are lighter than |y|⁻³. Only for densities without atoms.
 */
export function importanceIdentity(
  distribution: RowDistributions,
  draws: number,
  key: readonly (string | number)[],
): Identity {
  const proposal = new Proposal(distribution, key);
  const random = new RandomStream(...key, "importance");
  const [shares, response] = [
    new Float64Array(distribution.rows),
    new Float64Array(distribution.rows),
  ];
  let [sum, squares] = [0, 0];
  for (let s = 0; s < draws; s++) {
    for (let i = 0; i < distribution.rows; i++) {
      shares[i] = random.uniform();
      response[i] = proposal.at(i, shares[i]);
    }
    const logs = distribution.logDensity(response);
    for (let i = 0; i < distribution.rows; i++) {
      const ratio = exp(logs[i] - proposal.logDensity(i, shares[i], response[i]));
      sum += ratio;
      squares += ratio * ratio;
    }
  }
  const n = draws * distribution.rows;
  const mean = sum / n;
  return { mean, standardError: Math.sqrt(Math.max(0, squares / n - mean * mean) / n) };
}
