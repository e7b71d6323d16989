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

/** Draws per chain at most. Stan's default number. */
const mostDraws = 1000;

/** Standard errors beyond which two means differ by no chance. A round number: one in 10⁹. */
const mostErrors = 6;

/** Standard deviations that a mean may be off, whatever its error is. A round number: what no reader of an interval sees. */
const negligible = 0.1;

/** Draws that were resampled, in chains of equal length that mean nothing. */
export interface ResampledSet {
  readonly density: PointwiseDensity;
  readonly chainSet: ChainSet;
  readonly psis: PsisLoo;
  /** Independent draws that they are worth. */
  readonly effective: number;
}

/**
 * As many draws as chains would have, more where weights are worth more. `undefined` where latents that were
 * integrated out cannot be drawn.
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
    logDensities[s] = density.logDensity(
      at,
      gradients.subarray(s * dimension, (s + 1) * dimension),
      0,
    );
  }
}

/** Draws of a posterior in some parametrisation. */
type Drawn = Pick<ResampledSet, "density" | "chainSet">;

/**
 * Whether chains have the means that importance draws have, of every quantity: chains that all keep to one of two modes
 * look as if they had mixed.
 */
export function agree(chains: Drawn, weighted: ResampledSet): boolean {
  const { quantities } = chains.density;
  if (quantities.length > thresholds.maxQuantities) return true;
  const [own, others] = [columns(chains), columns(weighted)];
  return own.every((values, k) => {
    const [a, b] = [meanOf(values, chains), meanOf(others[k], weighted, weighted.effective)];
    const apart = Math.abs(a.mean - b.mean);
    return !(apart > mostErrors * Math.sqrt(a.square + b.square) && apart > negligible * b.sd);
  });
}

function columns({ density, chainSet: { positions, dimension, logDensities } }: Drawn) {
  const row = new Float64Array(density.quantities.length);
  const out = density.quantities.map(() => new Float64Array(logDensities.length));
  for (let s = 0; s < logDensities.length; s++) {
    density.constrain(positions, s * dimension, row, 0);
    for (let k = 0; k < row.length; k++) out[k][s] = row[k];
  }
  return out;
}

/** The mean of a quantity, the square of its error, and its standard deviation. */
function meanOf(values: Float64Array, { chainSet: { chains } }: Drawn, effective = Infinity) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const draws = Math.min(effective, convergence(values, chains).essBulk);
  return { mean, square: variance / draws, sd: Math.sqrt(variance) };
}
