/** A mixture of two proposals. */
import { type Columns, columnsOf } from "../../../numerics/wasm/mod.ts";
import { exp } from "../../../numerics/math/mod.ts";
import { mostAtOnce, type Proposal } from "./proposal.ts";

/** One of the two, and the other. */
interface Part {
  readonly proposal: Proposal;
  readonly other: Proposal;
  /** Weights of the two relative densities. */
  readonly weight: number;
  readonly otherWeight: number;
  /** The draws are its own whose choosers are from `from` on, up to `from + width`. */
  readonly from: number;
  readonly width: number;
}

/** Draws from `first`, and a share of them from `second`. */
export class MixtureProposal implements Proposal {
  readonly dimension: number;
  readonly logPeak: number;
  readonly #parts: readonly [second: Part, first: Part];
  /** Of the draws from one part: which they are, noise, vectors, and the densities of both. */
  readonly #which = new Uint8Array(mostAtOnce);
  readonly #noise: Columns;
  readonly #vectors: Columns;
  readonly #own: Float64Array;
  readonly #rest: Float64Array;

  constructor(first: Proposal, second: Proposal, share: number) {
    this.dimension = first.dimension;
    this.logPeak = first.logPeak;
    const [most, rest] = [1 - share, share * exp(second.logPeak - first.logPeak)];
    this.#parts = [
      { proposal: second, other: first, weight: rest, otherWeight: most, from: 0, width: share },
      { proposal: first, other: second, weight: most, otherWeight: rest, from: share, width: most },
    ];
    this.#noise = columnsOf(1 + this.dimension, mostAtOnce);
    this.#vectors = columnsOf(this.dimension, mostAtOnce);
    [this.#own, this.#rest] = columnsOf(2, mostAtOnce);
  }

  draw(count: number, noise: Columns, out: Columns, densities: Float64Array): void {
    const [{ width: share }] = this.#parts;
    this.#parts.forEach((part, k) => {
      let own = 0;
      for (let s = 0; s < count; s++) {
        if ((noise[0][s] < share) === (k === 0)) this.#which[own++] = s;
      }
      this.#drawPart(part, own, noise);
      this.#give(part, own, out, densities);
    });
  }

  /** Draws `count` vectors from a part, at the noise of those that are its own. */
  #drawPart({ proposal, other, from, width }: Part, count: number, noise: Columns): void {
    const [choosers] = this.#noise;
    this.#noise.forEach((own, j) => {
      for (let k = 0; k < count; k++) own[k] = noise[j][this.#which[k]];
    });
    for (let k = 0; k < count; k++) choosers[k] = (choosers[k] - from) / width;
    proposal.draw(count, this.#noise, this.#vectors, this.#own);
    other.relativeDensities(count, this.#vectors, this.#rest);
  }

  /** Puts what was drawn from a part where it belongs. */
  #give(
    { weight, otherWeight }: Part,
    count: number,
    out: Columns,
    densities: Float64Array,
  ): void {
    this.#vectors.forEach((own, j) => {
      for (let k = 0; k < count; k++) out[j][this.#which[k]] = own[k];
    });
    for (let k = 0; k < count; k++) {
      densities[this.#which[k]] = weight * this.#own[k] + otherWeight * this.#rest[k];
    }
  }

  relativeDensities(count: number, positions: Columns, out: Float64Array): void {
    const [{ weight, proposal, other, otherWeight }] = this.#parts;
    other.relativeDensities(count, positions, out);
    proposal.relativeDensities(count, positions, this.#rest);
    for (let s = 0; s < count; s++) out[s] = otherWeight * out[s] + weight * this.#rest[s];
  }
}
