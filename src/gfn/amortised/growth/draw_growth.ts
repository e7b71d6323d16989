/** Data sets of growth to learn from: drawn, fitted, and the programs chosen that are to be scored. */
import { inputError } from "../../../base/diagnostic.ts";
import { RandomStream } from "../../../base/random.ts";
import type { GrowthSimulation } from "./growth_simulation.ts";
import type { ScoredData } from "../data_sets.ts";
import { bestAndAny } from "../best_and_any.ts";
import { importanceElpd } from "./curve_importance.ts";
import { type FittedProgram, fittedPrograms } from "./curve_programs.ts";
import { curveNames, scalesOf, type Sizes } from "./mean_curves.ts";
import { programAt } from "./growth_places.ts";
import { noises } from "./noises.ts";
import { drawSizes, type SimulatedSizes } from "./simulated_sizes.ts";

/** A data set whose programs have no scores yet. */
export interface UnscoredGrowth extends Sizes {
  /** Names it in rows of `evaluation`. */
  readonly id: string;
  /** Places in the vocabulary. */
  readonly programs: Int32Array;
  /** Place of the program that made it; undefined of tables that are not simulated. */
  readonly truth?: number;
}

/** Data sets that were drawn, and counts of useless draws. */
export interface DrawnGrowth {
  /** Data sets in the order of their streams. */
  readonly sets: readonly UnscoredGrowth[];
  /** Draws with a size that is not finite. */
  readonly overflowed: number;
  /** Draws with a size of 0 or below, or with hardly any distinct ones. */
  readonly unusable: number;
}

/** Which are drawn. */
export interface GrowthDraws {
  /** Settings by which they are drawn. */
  readonly simulation: GrowthSimulation;
  /** Number of data sets. */
  readonly count: number;
  /** Programs of each that are to be scored at most: half of them those foretold best, the others any. */
  readonly programs: number;
  /** Names the random streams. */
  readonly seed: string;
  /** Names them: `training`, `simulated`. */
  readonly called: string;
}

const mostTries = 100;

/**
 * Each has a stream of its own, so that more of them begin with the same.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { growthSimulation } from "./growth_simulation.ts";
 * import { drawGrowth } from "./draw_growth.ts";
 * const { sets } = drawGrowth({
 *   simulation: growthSimulation.parse({}),
 *   count: 1,
 *   programs: 4,
 *   seed: "seed 1",
 *   called: "training",
 * } as never);
 * assert.equal(sets.length, 1);
 * assert(sets[0].sizes.every((one) => one > 0));
 * ```
 *
 * @throws InputError `simulate/unusable` where a distribution gives no sizes above 0.
 */
export function drawGrowth(
  { simulation, count, programs, seed, called }: GrowthDraws,
): DrawnGrowth {
  let [overflowed, unusable] = [0, 0];
  const sets = Array.from({ length: count }, (_, k): UnscoredGrowth => {
    const random = new RandomStream(seed, called, k);
    for (let tries = 0; tries < mostTries; tries++) {
      const drawn = drawSizes(simulation, random);
      if (drawn.sizes.some((size) => !Number.isFinite(size))) overflowed++;
      else if (!isUsable(drawn)) unusable++;
      else {
        const { ages, sizes, curve, noise } = drawn;
        const truth = programAt(curveNames.indexOf(curve), noises.indexOf(noise));
        const chosen = chosenOf(drawn, programs, random);
        return { id: `${called} ${k + 1}`, ages, sizes, programs: chosen, truth };
      }
    }
    const message =
      `Cannot simulate growth: ${mostTries} draws had sizes of 0 or below, or one size only`;
    const hint = "more of the variance explained";
    throw inputError("simulate/unusable", message, undefined, hint);
  });
  return { sets, overflowed, unusable };
}

function isUsable({ ages, sizes }: SimulatedSizes): boolean {
  return sizes.every((size) => size > 0) && new Set(sizes).size > 2 && new Set(ages).size > 2;
}

const fits = new WeakMap<Float64Array, FittedProgram[]>();

function fitsOf({ ages, sizes }: Sizes): FittedProgram[] {
  const known = fits.get(sizes) ?? fittedPrograms({ ages, sizes });
  fits.set(sizes, known);
  return known;
}

/** Places of the programs that are to be scored: half of them those foretold best, the others any. */
function chosenOf(sizes: Sizes, most: number, random: RandomStream): Int32Array {
  const fitted = fitsOf(sizes);
  const places = bestAndAny(fitted.map(({ elpd }) => elpd), most, random);
  return Int32Array.from(places, (m) => fitted[m].program).sort();
}

/**
 * The chosen programs of a data set with log rewards by importance draws; without those that have none.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { drawGrowth, scoredByDraws } from "./draw_growth.ts";
 * import { growthSimulation } from "./growth_simulation.ts";
 * const { sets } = drawGrowth({
 *   simulation: growthSimulation.parse({}),
 *   count: 1,
 *   programs: 4,
 *   seed: "seed 1",
 *   called: "training",
 * } as never);
 * const { programs, logRewards } = scoredByDraws(sets[0]);
 * assert.equal(programs.length, logRewards.length);
 * ```
 */
export function scoredByDraws(data: UnscoredGrowth): ScoredData {
  const scales = scalesOf(data);
  const chosen = fitsOf(data).filter(({ program }) => data.programs.includes(program));
  return scoredGrowth(
    data,
    chosen.map((one) => ({ program: one.program, elpd: importanceElpd(one, data, scales) })),
  );
}

/**
 * A data set with the ELPD-LOO of its programs, nats; without those that have none.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { scoredGrowth } from "./draw_growth.ts";
 * const data = { id: "mine", ages: Float64Array.of(1, 2, 3), sizes: Float64Array.of(1, 2, 2) };
 * const { programs } = scoredGrowth(data, [{ program: 3, elpd: -2 }, { program: 4, elpd: undefined }]);
 * assert.deepEqual([...programs], [3]);
 * ```
 */
export function scoredGrowth(
  { id, ages, sizes, truth }: Omit<UnscoredGrowth, "programs">,
  programs: readonly { readonly program: number; readonly elpd: number | undefined }[],
): ScoredData {
  const kept = programs.filter(({ elpd }) => elpd !== undefined);
  return {
    id,
    rows: { rows: ages.length, columns: [ages], y: sizes },
    programs: Int32Array.from(kept, ({ program }) => program),
    logRewards: Float64Array.from(kept, ({ elpd }) => elpd!),
    ...(truth !== undefined && { truth }),
  };
}
