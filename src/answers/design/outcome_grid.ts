/** Grids of outcomes: values of a response at each row, and weights that make sums over them integrals. */
import { exp, log } from "../../numerics/math/mod.ts";

/** Outcomes of rows. */
export interface OutcomeGrid {
  /** Rows whose outcomes these are. */
  readonly rows: number;
  /** Outcomes of a row. */
  readonly points: number;
  /** `[rows, points]`. */
  readonly values: Float64Array;
  /** `[rows, points]`: a sum of densities times weights over a row's points is 1. */
  readonly weights: Float64Array;
}

/** Whole numbers of a row up to which each is a point of its own. A round number. */
const mostCounts = 512;
/** Spreads beyond the farthest draw that a grid reaches. A round number: a normal density has fallen by 18 nats. */
const margin = 6;

/**
 * Outcomes that draws of the predictive distribution may come to, and far around them: whole numbers one by one
 * (of more than 512 in even steps), others at equal steps of t with y = centre + scale · sinh(t).
 *
 * @param draws `[draws, rows]` of the predictive distribution.
 * @param discrete whether outcomes are whole numbers.
 * @param points outcomes of a row that is not discrete.
 * @param most whole numbers of a row that are points of their own.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { outcomeGrid } from "./outcome_grid.ts";
 * const coin = outcomeGrid(Float64Array.of(0, 1, 1, 0), 1, true, 64);
 * assert.ok(coin.values.includes(0) && coin.values.includes(1));
 * const normal = outcomeGrid(Float64Array.of(-1, 0, 1, 0.5), 1, false, 200);
 * const sum = normal.values.reduce(
 *   (all, y, k) => all + normal.weights[k] * Math.exp(-0.5 * y * y) / Math.sqrt(2 * Math.PI),
 *   0,
 * );
 * assert.ok(Math.abs(sum - 1) < 1e-6);
 * ```
 */
export function outcomeGrid(
  draws: Float64Array,
  rows: number,
  discrete: boolean,
  points: number,
  most = mostCounts,
): OutcomeGrid {
  const count = draws.length / rows;
  const own = Array.from({ length: rows }, (_, row) => {
    const drawn = Float64Array.from({ length: count }, (_, s) => draws[s * rows + row])
      .filter((y) => Math.abs(y) < Infinity).sort();
    return discrete ? countsOf(drawn, most) : realOf(drawn, points);
  });
  const longest = Math.max(1, ...own.map(({ values }) => values.length));
  const grid = {
    rows,
    points: longest,
    values: new Float64Array(rows * longest),
    weights: new Float64Array(rows * longest),
  };
  own.forEach(({ values, weights }, row) => {
    grid.values.fill(values.at(-1) ?? 0, row * longest, (row + 1) * longest);
    grid.values.set(values, row * longest);
    grid.weights.set(weights, row * longest);
  });
  return grid;
}

/** Predictive mass that a grid may miss at a row. A round number: it moves no nat by more than a tenth of that. */
const mostMissed = 0.02;

/**
 * Whether a grid holds the predictive mass of a program at every row, on average over its draws.
 *
 * @param densities `[rows, draws, points]`.
 * @param of draws over which the mean is: more than there are take the others to be held.
 */
export function isHeldBy(
  densities: Float32Array,
  { rows, points, weights }: OutcomeGrid,
  of: number = densities.length / rows / points,
): boolean {
  const draws = densities.length / rows / points;
  for (let row = 0; row < rows; row++) {
    let missed = 0;
    for (let s = 0; s < draws; s++) {
      const at = (row * draws + s) * points;
      let mass = 0;
      for (let k = 0; k < points; k++) mass += densities[at + k] * weights[row * points + k];
      missed += Math.abs(mass - 1);
    }
    if (!(missed / of < mostMissed)) return false;
  }
  return true;
}

/** Outcomes of one row. */
interface RowGrid {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

function countsOf(drawn: Float64Array, most: number): RowGrid {
  if (drawn.length === 0) return { values: [0], weights: [0] };
  const [low, high] = [drawn[0], drawn[drawn.length - 1]];
  const around = Math.ceil(0.5 * (high - low)) + 4;
  const first = Math.floor(low >= 0 ? Math.max(0, low - around) : low - around);
  const last = Math.ceil(high + around);
  const step = Math.ceil((last - first + 1) / most);
  const length = Math.ceil((last - first + 1) / step);
  const values = Array.from({ length }, (_, k) => first + k * step + Math.floor((step - 1) / 2));
  return { values, weights: values.map(() => step) };
}

function realOf(drawn: Float64Array, points: number): RowGrid {
  if (drawn.length === 0) return { values: [0], weights: [0] };
  const at = (share: number) => drawn[Math.min(drawn.length - 1, Math.floor(share * drawn.length))];
  const centre = at(0.5);
  const scale = (at(0.75) - at(0.25)) / 1.35 || Math.abs(centre) * 1e-6 || 1e-6;
  const away = Math.max(drawn[drawn.length - 1] - centre, centre - drawn[0]) / scale;
  const reach = arsinh(away + margin);
  const step = 2 * reach / (points - 1);
  const nodes = Array.from({ length: points }, (_, k) => k * step - reach);
  return {
    values: nodes.map((t) => centre + scale * 0.5 * (exp(t) - exp(-t))),
    weights: nodes.map((t) => step * scale * 0.5 * (exp(t) + exp(-t))),
  };
}

function arsinh(x: number): number {
  return log(x + Math.sqrt(x * x + 1));
}
