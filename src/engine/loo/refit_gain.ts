/** Gain of the cell of a refitted observation over its density, from draws with it and without it. */
import type { PositionSet } from "./posterior.ts";
import type { FullPosterior } from "./full_posterior.ts";
import { bridgedGain } from "./bridge.ts";
import { thresholds } from "./thresholds.ts";

/** Gain of the cell of one observation over its density. */
export interface CellGain {
  /** log E[P_i] − log E[L_i] over the posterior without i. */
  readonly value: number;
  /** Its Monte Carlo standard error. */
  readonly mcse: number;
}

/**
 * The gain of observation `i`. Few draws suffice for cells that are narrow beside the predictive
 * distribution, as in `cellGains`: cells of latents that are integrated out cost a distribution
 * function of every row at every node of every draw.
 *
 * @param set draws of the posterior without `i`.
 * @returns nothing where data were not recorded to a step.
 */
export function refitGain(
  full: FullPosterior,
  i: number,
  set: PositionSet,
): { readonly gain?: CellGain } {
  if (!full.density.logCells) return {};
  const { cellDraws, cellError } = thresholds;
  for (const some of [cellDraws, 4 * cellDraws]) {
    const gain = gainOf(full, i, set, some);
    if (gain.mcse <= cellError) return { gain };
  }
  return { gain: gainOf(full, i, set, Infinity) };
}

/** From about so many draws of either posterior, evenly spaced. */
function gainOf(
  { density, chainSet, logLikelihood }: FullPosterior,
  i: number,
  set: PositionSet,
  some: number,
) {
  const n = density.observations;
  const row = new Float64Array(n);
  const [without, within] = [set, chainSet].map((one) => evenly(one.chains * one.draws, some));
  const at = (draws: readonly number[], of: PositionSet, write: typeof density.logLikelihood) =>
    Float64Array.from(draws, (s) => {
      write(of.positions, s * of.dimension, row, 0);
      return row[i];
    });
  const cells: typeof density.logLikelihood = (...to) => density.logCells!(...to);
  const logL = {
    a: at(without, set, (...to) => density.logLikelihood(...to)),
    b: Float64Array.from(within, (s) => logLikelihood[s * n + i]),
  };
  return bridgedGain(logL, { a: at(without, set, cells), b: at(within, chainSet, cells) });
}

/** Every so many of `count`, that they are `some` or as many as there are. */
function evenly(count: number, some: number): number[] {
  const every = Math.max(1, Math.ceil(count / some));
  return Array.from({ length: Math.ceil(count / every) }, (_, k) => k * every);
}
