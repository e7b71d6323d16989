/** Kernel of log rewards by the productions in which two objects differ. */
import { exp } from "../../../numerics/math/mod.ts";
import { pieceBits } from "./production_sets.ts";

/** Parameters of a {@linkcode ProductionKernel}; all above 0. */
export interface KernelParameters {
  /** `[productions]`: θ, how much it means that one of two objects has a production. */
  readonly relevance: Float64Array;
  /** Variances of the constant, of single productions, of pairs, and of sets of any size. */
  readonly variances: readonly [number, number, number, number];
  /** Nugget: variance that the productions do not explain. */
  readonly nugget: number;
}

/**
 * With codes z of ±1 for each production, u = Σ θ z z′ and D = Σ θ over the productions in which two
 * objects differ, so that u = Σ θ − 2 D:
 *
 *     k = v₀ + v₁ u / Σθ + v₂ (u / Σθ)² + v₃ exp(−D)
 *
 * The second term is a prior over sums of effects of productions, the third one over sums of effects
 * of pairs, the last one over effects of sets of every size (the discrete product kernel, whose
 * expansion in orders is that of additive processes: Duvenaud, Nickisch and Rasmussen 2011, eq. 3).
 */
export class ProductionKernel {
  readonly total: number;
  readonly #pieces: number;
  /** `[pieces][256]`: D by the differing bits of a piece, and exp(−D). */
  readonly #distance: Float64Array;
  readonly #decay: Float64Array;

  constructor(readonly parameters: KernelParameters) {
    const { relevance } = parameters;
    const size = 1 << pieceBits;
    this.#pieces = Math.max(1, Math.ceil(relevance.length / pieceBits));
    this.total = relevance.reduce((sum, one) => sum + one, 0);
    this.#distance = new Float64Array(this.#pieces * size);
    for (let piece = 0; piece < this.#pieces; piece++) {
      for (let set = 1; set < size; set++) {
        const bit = 31 - Math.clz32(set);
        const rest = this.#distance[piece * size + (set ^ (1 << bit))];
        this.#distance[piece * size + set] = rest + (relevance[piece * pieceBits + bit] ?? 0);
      }
    }
    this.#decay = this.#distance.map((one) => exp(-one));
  }

  /** Variance of every object. */
  get variance(): number {
    const [constant, single, pair, any] = this.parameters.variances;
    return constant + single + pair + any;
  }

  /**
   * Covariances of an object with others.
   *
   * @param codes Sets of the others, `[count][pieces]`.
   * @param out `[count]` from `at` on.
   */
  row(
    set: Uint8Array,
    at: number,
    codes: Uint8Array,
    count: number,
    out: Float64Array,
    offset = 0,
  ): void {
    const [constant, single, pair, any] = this.parameters.variances;
    const pieces = this.#pieces;
    const scale = 2 / this.total;
    for (let i = 0; i < count; i++) {
      let [sum, decay] = [0, 1];
      for (let p = 0; p < pieces; p++) {
        const differ = (p << pieceBits) + (set[at * pieces + p] ^ codes[i * pieces + p]);
        sum += this.#distance[differ];
        decay *= this.#decay[differ];
      }
      const u = 1 - scale * sum;
      out[offset + i] = constant + u * (single + u * pair) + any * decay;
    }
  }

  /** D of two sets. */
  distance(codes: Uint8Array, a: number, b: number): number {
    const pieces = this.#pieces;
    let sum = 0;
    for (let p = 0; p < pieces; p++) {
      sum += this.#distance[(p << pieceBits) + (codes[a * pieces + p] ^ codes[b * pieces + p])];
    }
    return sum;
  }
}
