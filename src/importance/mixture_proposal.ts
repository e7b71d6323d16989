/** A mixture of two proposals. */
import type { Uniforms } from "../base/uniforms.ts";
import { exp } from "../math/elementary.ts";
import type { Proposal } from "./proposal.ts";

/** Draws from `first`, and a share of them from `second`. */
export class MixtureProposal implements Proposal {
  readonly dimension: number;
  readonly logPeak: number;
  /** What relative densities of the second count for. */
  readonly #weight: number;

  constructor(readonly first: Proposal, readonly second: Proposal, readonly share: number) {
    this.dimension = first.dimension;
    this.logPeak = first.logPeak;
    this.#weight = share * exp(second.logPeak - first.logPeak);
  }

  draw(uniforms: Uniforms, out: Float64Array, offset: number): void {
    const from = uniforms.next() < this.share ? this.second : this.first;
    from.draw(uniforms, out, offset);
  }

  relativeDensity(position: Float64Array, offset: number): number {
    return (1 - this.share) * this.first.relativeDensity(position, offset) +
      this.#weight * this.second.relativeDensity(position, offset);
  }
}
