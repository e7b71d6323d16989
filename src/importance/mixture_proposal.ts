/** A mixture of two proposals. */
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

  draw(chooser: number, noise: Float64Array, out: Float64Array, offset: number): number {
    const { share } = this;
    if (chooser < share) {
      const own = this.second.draw(chooser / share, noise, out, offset);
      return (1 - share) * this.first.relativeDensity(out, offset) + this.#weight * own;
    }
    const own = this.first.draw((chooser - share) / (1 - share), noise, out, offset);
    return (1 - share) * own + this.#weight * this.second.relativeDensity(out, offset);
  }

  relativeDensity(position: Float64Array, offset: number): number {
    return (1 - this.share) * this.first.relativeDensity(position, offset) +
      this.#weight * this.second.relativeDensity(position, offset);
  }
}
