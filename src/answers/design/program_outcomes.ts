/** Densities of outcomes at rows, by program and draw of its parameters. */

/** A program, how probable it is, and its densities. */
export interface ProgramOutcomes {
  /** Probability of the program, given the data so far; those of all add up to 1. */
  readonly weight: number;
  /** Answers that the program gives, by question. */
  readonly answers: Readonly<Record<string, string>>;
  /** Draws of its parameters, given the data so far. */
  readonly draws: number;
  /** p(y | row, draw) `[rows, draws, points]`. */
  readonly densities: Float32Array;
}

/** Groups of draws whose differences estimate the Monte Carlo error. A round number: errors are known to a fifth. */
export const groups = 16;

/** Densities of a row averaged over groups of draws, times the weights of the grid: masses. */
export interface GroupMasses {
  /** Mass of each point over all draws `[points]`. */
  readonly whole: Float64Array;
  /** Mass over the draws of each group `[groups][points]`. */
  readonly own: readonly Float64Array[];
  /** Mass over all draws but a group's `[groups][points]`. */
  readonly others: readonly Float64Array[];
}

/** Outcomes of one row as all programs predict them. */
export interface RowOutcomes {
  /** The programs, with the densities of all rows. */
  readonly programs: readonly ProgramOutcomes[];
  /** The row, from 0. */
  readonly row: number;
  /** Weights of the grid at that row `[points]`. */
  readonly weights: Float64Array;
  /** Masses of each program. */
  readonly masses: readonly GroupMasses[];
}

/** Averages the densities of a row once for all that is asked of it. */
export function rowOutcomes(
  programs: readonly ProgramOutcomes[],
  row: number,
  weights: Float64Array,
): RowOutcomes {
  return { programs, row, weights, masses: programs.map((one) => massesOf(one, row, weights)) };
}

/** Where the draws of a group begin and end: one piece of a chain. */
export function groupEnds(draws: number, group: number): readonly [number, number] {
  return [Math.floor(group * draws / groups), Math.floor((group + 1) * draws / groups)];
}

/** Masses of one row's points. */
function massesOf(
  { draws, densities }: ProgramOutcomes,
  row: number,
  weights: Float64Array,
): GroupMasses {
  const points = weights.length;
  const own = Array.from({ length: groups }, () => new Float64Array(points));
  const total = new Float64Array(points);
  own.forEach((sums, g) => {
    const [first, end] = groupEnds(draws, g);
    for (let s = first; s < end; s++) {
      const at = (row * draws + s) * points;
      for (let k = 0; k < points; k++) sums[k] += densities[at + k];
    }
    for (let k = 0; k < points; k++) total[k] += sums[k];
  });
  const mean = (sums: Float64Array, size: number) =>
    sums.map((sum, k) => size > 0 ? sum / size * weights[k] : 0);
  const sizes = own.map((_, g) => groupEnds(draws, g)[1] - groupEnds(draws, g)[0]);
  return {
    whole: mean(total, draws),
    own: own.map((sums, g) => mean(sums, sizes[g])),
    others: own.map((sums, g) => mean(total.map((sum, k) => sum - sums[k]), draws - sizes[g])),
  };
}
