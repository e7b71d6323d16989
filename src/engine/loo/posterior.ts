/** Interface of draws that are cross-validated: pointwise likelihoods, efficiency, and convergence. */
import { type ChainSet, countDivergences } from "../inference/mcmc/chain_set.ts";
import { essMean, mixingOf } from "../inference/mcmc/diagnostics.ts";
import type { PointwiseDensity, PointwiseLikelihood } from "../../numerics/math/mod.ts";
import { thresholds } from "./thresholds.ts";

/** Draws whose pointwise likelihoods are known. */
export interface KnownLikelihood {
  /** The draws. */
  readonly chainSet: ChainSet;
  /** `[chains · draws, observations]`. */
  readonly logLikelihood: Float64Array;
}

/** Draws of chains, without anything that belongs to the density they are drawn from. */
export type PositionSet = Pick<ChainSet, "chains" | "draws" | "dimension" | "positions">;

/**
 * log p(y_i | draw) `[chains · draws, observations]`. `earlier` are the likelihoods of a set that
 * `set` continues: they are copied.
 */
export function pointwiseLogLikelihood(
  density: PointwiseLikelihood,
  set: PositionSet,
  earlier?: KnownLikelihood,
): Float64Array {
  const { observations: n } = density;
  const out = new Float64Array(set.chains * set.draws * n);
  const before = earlier?.chainSet.draws ?? 0;
  for (let c = 0; c < set.chains; c++) {
    const first = c * set.draws;
    if (earlier) {
      const from = c * before * n;
      out.set(earlier.logLikelihood.subarray(from, from + before * n), first * n);
    }
    for (let s = first + before; s < first + set.draws; s++) {
      density.logLikelihood(set.positions, s * set.dimension, out, s * n);
    }
  }
  return out;
}

/** Coordinate `k` of the positions `[chains, draws]`. */
export function coordinate(set: ChainSet, k: number): Float64Array {
  const out = new Float64Array(set.chains * set.draws);
  for (let s = 0; s < out.length; s++) out[s] = set.positions[s * set.dimension + k];
  return out;
}

/**
 * Relative efficiency of the draws: effective sample size over draws, mean over the constrained
 * quantities as in ArviZ's `loo`; 1 for a single chain. At least 1 / draws.
 */
export function relativeEfficiency(density: PointwiseDensity, set: ChainSet): number {
  if (set.chains === 1) return 1;
  const draws = set.chains * set.draws;
  const count = density.quantities.length;
  const columns = count > 0 && count <= thresholds.maxQuantities
    ? quantityColumns(density, set)
    : Array.from({ length: set.dimension }, (_, k) => coordinate(set, k));
  let sum = 0;
  for (const column of columns) sum += essMean(column, set.chains);
  const efficiency = sum / columns.length / draws;
  return efficiency > 1 / draws ? efficiency : 1 / draws;
}

/** Every constrained quantity `[chains, draws]`. */
function quantityColumns(density: PointwiseDensity, set: ChainSet): Float64Array[] {
  const draws = set.chains * set.draws;
  const row = new Float64Array(density.quantities.length);
  const columns = density.quantities.map(() => new Float64Array(draws));
  for (let s = 0; s < draws; s++) {
    density.constrain(set.positions, s * set.dimension, row, 0);
    for (let k = 0; k < row.length; k++) columns[k][s] = row[k];
  }
  return columns;
}

/** How well chains have mixed. */
export interface Mixing {
  /** Largest rank-normalised split R-hat of the coordinates; ∞ if a chain stands still. */
  readonly rhatMax: number;
  /** Smallest bulk effective sample size of the coordinates. */
  readonly essBulkMin: number;
  /** Share of draws whose transition diverged. */
  readonly divergent: number;
  /** Whether a chain kept its position in more than nine of ten transitions. */
  readonly stuck: boolean;
}

/** Diagnostics by set: each is read more than once. */
const known = new WeakMap<ChainSet, Mixing>();

/** Convergence diagnostics over the unconstrained coordinates. */
export function mixing(set: ChainSet): Mixing {
  const found = known.get(set) ?? findMixing(set);
  known.set(set, found);
  return found;
}

function findMixing(set: ChainSet): Mixing {
  let rhatMax = 1;
  let essBulkMin = set.chains * set.draws;
  for (let k = 0; k < set.dimension; k++) {
    const { rhat: r, essBulk: ess } = mixingOf(coordinate(set, k), set.chains);
    if (!(r <= rhatMax)) rhatMax = r === r ? r : Infinity;
    if (!(ess >= essBulkMin)) essBulkMin = ess === ess ? ess : 0;
  }
  return {
    rhatMax,
    essBulkMin,
    divergent: countDivergences(set) / (set.chains * set.draws),
    stuck: isStuck(set),
  };
}

function isStuck(set: ChainSet): boolean {
  const d = set.dimension;
  for (let c = 0; c < set.chains; c++) {
    let moves = 0;
    for (let s = c * set.draws + 1; s < (c + 1) * set.draws; s++) {
      if (set.positions[s * d] !== set.positions[(s - 1) * d]) moves += 1;
    }
    if (moves < 0.1 * (set.draws - 1)) return true;
  }
  return false;
}
