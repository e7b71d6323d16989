/** Resampled draws as a chain set, and whether chains agree with them. */
import { type ChainSet, emptyChainSet } from "../inference/mcmc/chain_set.ts";
import { convergence } from "../inference/mcmc/diagnostics.ts";
import type { RandomStream } from "../../base/random.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import { plainPsis } from "./drawn_chains.ts";
import type { PsisLoo } from "./psis.ts";
import { thresholds } from "./thresholds.ts";
import { unitPosterior } from "./units.ts";
import { type ImportanceDraws, resampled } from "./importance_draws.ts";
import { normalised } from "./proposals/weights.ts";

/** Draws per chain at most. Stan's default number. */
const mostDraws = 1000;

/** Standard errors beyond which two means differ by no chance. A round number: one in 10⁹. */
const mostErrors = 6;
/** Standard deviations that a mean may always be off. A round number, too small to see in an interval. */
const negligible = 0.1;

/** Draws that were resampled, in chains of equal length that mean nothing. */
interface ResampledSet {
  readonly density: PointwiseDensity;
  readonly chainSet: ChainSet;
  readonly psis: PsisLoo;
  /** Effective number of draws. */
  readonly effective: number;
}

/**
 * As many draws as chains would have, more where more are effective. `undefined` where latents that
 * were integrated out cannot be drawn.
 *
 * @param unitOfRow the unit of every row, if groups are left out.
 */
export function resampledSet(
  weighted: ImportanceDraws,
  schedule: { readonly chains: number; readonly draws: number },
  random: RandomStream,
  unitOfRow?: ArrayLike<number>,
): ResampledSet | undefined {
  const { density, effective, complete } = weighted;
  const { chains } = schedule;
  const worth = Math.min(mostDraws, Math.floor(effective / chains));
  const draws = complete ? schedule.draws : Math.max(schedule.draws, worth);
  const positions = resampled(weighted, chains * draws, random);
  if (!positions) return undefined;
  const chainSet = { ...emptyChainSet(chains, draws, density.dimension), positions };
  writeDensities(density, chainSet);
  const psis = plainPsis(unitPosterior(density, unitOfRow), chainSet);
  return { density, chainSet, psis, effective };
}

function writeDensities(
  density: PointwiseDensity,
  { positions, dimension, logDensities, gradients }: ChainSet,
) {
  const at = new Float64Array(dimension);
  for (let s = 0; s < logDensities.length; s++) {
    at.set(positions.subarray(s * dimension, (s + 1) * dimension));
    const gradient = gradients.subarray(s * dimension, (s + 1) * dimension);
    logDensities[s] = density.logDensity(at, gradient, 0);
  }
}

/** Draws of a posterior in some parametrisation. */
type Drawn = Pick<ResampledSet, "density" | "chainSet">;

/**
 * Whether chains have the means that importance draws have, of every quantity: chains that all keep to one of two modes
 * look as if they had mixed.
 *
 * @param random for latents that were integrated out, which are drawn given the rest.
 */
export function agree(
  { density, chainSet }: Drawn,
  weighted: ImportanceDraws,
  random: RandomStream,
): boolean {
  if (density.quantities.length > thresholds.maxQuantities) return true;
  const { chains, draws } = chainSet;
  const others = wholeDraws(weighted, chains * draws, random);
  if (!others) return true;
  const own = columns(density, chainSet.positions);
  return columns(weighted.density, others.positions).every((values, k) => {
    const [a, b] = [momentsOf(own[k]), momentsOf(values, others.weights)];
    const square = a.variance / convergence(own[k], chains).essBulk +
      b.variance / weighted.effective;
    const apart = Math.abs(a.mean - b.mean);
    return !(apart > mostErrors * Math.sqrt(square) && apart > negligible * Math.sqrt(b.variance));
  });
}

/** Whole vectors, and what each weighs: the draws themselves, or as many again with latents beside them. */
function wholeDraws(weighted: ImportanceDraws, count: number, random: RandomStream) {
  if (!weighted.complete) {
    return { positions: weighted.positions, weights: normalised(weighted.logWeights).weights };
  }
  const positions = resampled(weighted, count, random);
  return positions && { positions, weights: undefined };
}

/** Every quantity at each position `[quantities][draws]`. */
function columns(density: PointwiseDensity, positions: Float64Array): readonly Float64Array[] {
  const { dimension, quantities } = density;
  const row = new Float64Array(quantities.length);
  const out = quantities.map(() => new Float64Array(positions.length / dimension));
  for (let s = 0; s * dimension < positions.length; s++) {
    density.constrain(positions, s * dimension, row, 0);
    for (let k = 0; k < row.length; k++) out[k][s] = row[k];
  }
  return out;
}

/** Mean and variance of values, all alike or with weights that sum to 1. */
function momentsOf(values: Float64Array, weights?: Float64Array) {
  const weight = (s: number) => weights ? weights[s] : 1 / values.length;
  const mean = values.reduce((sum, value, s) => sum + weight(s) * value, 0);
  const variance = values.reduce((sum, value, s) => sum + weight(s) * (value - mean) ** 2, 0);
  return { mean, variance };
}
