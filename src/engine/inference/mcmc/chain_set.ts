/** The draws of several chains, and what is needed to draw more. */
import type { RandomStream } from "../../../base/random.ts";
import type { Metric } from "./metric.ts";

/** Where a chain stopped and how it was tuned: enough to continue it, or to warm-start another. */
export interface ChainAdaptation {
  /** Metric that tuning ended with. */
  readonly metric: Metric;
  /** Step size that tuning ended with. */
  readonly stepSize: number;
  /** The last position `[dimension]`. */
  readonly position: Float64Array;
  /** The chain's random stream, in the state it was left in. */
  readonly stream: RandomStream;
}

/** Draws after tuning, in row-major order. */
export interface ChainSet {
  /** How many chains. */
  readonly chains: number;
  /** Draws per chain. */
  readonly draws: number;
  /** Length of a position. */
  readonly dimension: number;
  /** Unconstrained positions `[chains, draws, dimension]`. */
  readonly positions: Float64Array;
  /** Gradients of the log density at the positions `[chains, draws, dimension]`. */
  readonly gradients: Float64Array;
  /** `[chains, draws]`. */
  readonly logDensities: Float64Array;
  /** 1 where the transition to the draw diverged, `[chains, draws]`. */
  readonly diverging: Uint8Array;
  /** `[chains, draws]`. */
  readonly treeDepths: Uint8Array;
  /** Acceptance statistic of the transition to the draw, `[chains, draws]`. */
  readonly acceptance: Float64Array;
  /** Leapfrog steps of the transition to the draw, `[chains, draws]`. */
  readonly steps: Int32Array;
  /** Energy of the draw with the momentum that it was reached with, `[chains, draws]`. */
  readonly energies: Float64Array;
  /** Gradients used for these chains, tuning included. */
  readonly gradientEvaluations: number;
  /** One per chain. */
  readonly adaptations: readonly ChainAdaptation[];
}

/** A chain set with room for `draws` draws and none made. */
export function emptyChainSet(chains: number, draws: number, dimension: number): ChainSet {
  const n = chains * draws;
  return {
    chains,
    draws,
    dimension,
    positions: new Float64Array(n * dimension),
    gradients: new Float64Array(n * dimension),
    logDensities: new Float64Array(n),
    diverging: new Uint8Array(n),
    treeDepths: new Uint8Array(n),
    acceptance: new Float64Array(n),
    steps: new Int32Array(n),
    energies: new Float64Array(n),
    gradientEvaluations: 0,
    adaptations: [],
  };
}

/** Copies every chain of `from` to the beginning of the same chain of `to`. */
export function copyDraws(from: ChainSet, to: ChainSet): void {
  const { draws, dimension } = from;
  for (let c = 0; c < from.chains; c++) {
    const a = c * draws;
    const b = c * to.draws;
    to.positions.set(subset(from.positions, a * dimension, draws * dimension), b * dimension);
    to.gradients.set(subset(from.gradients, a * dimension, draws * dimension), b * dimension);
    to.logDensities.set(subset(from.logDensities, a, draws), b);
    to.diverging.set(from.diverging.subarray(a, a + draws), b);
    to.treeDepths.set(from.treeDepths.subarray(a, a + draws), b);
    to.acceptance.set(subset(from.acceptance, a, draws), b);
    to.steps.set(from.steps.subarray(a, a + draws), b);
    to.energies.set(subset(from.energies, a, draws), b);
  }
}

function subset(values: Float64Array, offset: number, length: number): Float64Array {
  return values.subarray(offset, offset + length);
}

/** How many draws diverged. */
export function countDivergences(set: ChainSet): number {
  let count = 0;
  for (const d of set.diverging) count += d;
  return count;
}
