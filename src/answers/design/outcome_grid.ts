/** Grids of outcomes: values of a response at each row, and weights that make sums over them integrals. */
import { exp, log } from "../../numerics/math/mod.ts";

/** Where outcomes lie. */
export interface OutcomeSupport {
  /** Whether values are whole numbers. */
  readonly discrete: boolean;
  /** All numbers, those above 0, or those between 0 and 1. */
  readonly support: "real" | "positive" | "unit";
}

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
 * (of more than 512 in even steps), others at equal steps of t with y = centre + scale · sinh(t), of a response above 0
 * in log y, of shares in log y / (1 − y).
 *
 * @param draws `[draws, rows]` of what is predicted.
 * @param points outcomes of a row that is not discrete.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { outcomeGrid } from "./outcome_grid.ts";
 * const coin = outcomeGrid(Float64Array.of(0, 1, 1, 0), 1, { discrete: true, support: "positive" }, 64);
 * assert.ok(coin.values.includes(0) && coin.values.includes(1));
 * const normal = outcomeGrid(Float64Array.of(-1, 0, 1, 0.5), 1, { discrete: false, support: "real" }, 200);
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
  { discrete, support }: OutcomeSupport,
  points: number,
): OutcomeGrid {
  const count = draws.length / rows;
  const own = Array.from({ length: rows }, (_, row) => {
    const drawn = Float64Array.from({ length: count }, (_, s) => draws[s * rows + row])
      .filter((y) => Math.abs(y) < Infinity).sort();
    return discrete ? countsOf(drawn) : continuousOf(drawn, support, points);
  });
  const most = Math.max(1, ...own.map(({ values }) => values.length));
  const grid = {
    rows,
    points: most,
    values: new Float64Array(rows * most),
    weights: new Float64Array(rows * most),
  };
  own.forEach(({ values, weights }, row) => {
    grid.values.fill(values.at(-1) ?? 0, row * most, (row + 1) * most);
    grid.values.set(values, row * most);
    grid.weights.set(weights, row * most);
  });
  return grid;
}

/** Outcomes of one row. */
interface RowGrid {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

function countsOf(drawn: Float64Array): RowGrid {
  if (drawn.length === 0) return { values: [0], weights: [0] };
  const [low, high] = [drawn[0], drawn[drawn.length - 1]];
  const around = Math.ceil(0.5 * (high - low)) + 4;
  const first = Math.floor(low >= 0 ? Math.max(0, low - around) : low - around);
  const last = Math.ceil(high + around);
  const step = Math.ceil((last - first + 1) / mostCounts);
  const length = Math.ceil((last - first + 1) / step);
  const values = Array.from({ length }, (_, k) => first + k * step + Math.floor((step - 1) / 2));
  return { values, weights: values.map(() => step) };
}

function continuousOf(
  drawn: Float64Array,
  support: OutcomeSupport["support"],
  points: number,
): RowGrid {
  const { to, from, slope } = scales[support];
  const seen = drawn.map(to).filter((z) => Math.abs(z) < Infinity);
  if (seen.length === 0) return { values: [0], weights: [0] };
  const at = (share: number) => seen[Math.min(seen.length - 1, Math.floor(share * seen.length))];
  const centre = at(0.5);
  const scale = (at(0.75) - at(0.25)) / 1.35 || Math.abs(centre) * 1e-6 || 1e-6;
  const away = Math.max(seen[seen.length - 1] - centre, centre - seen[0]) / scale;
  const reach = arsinh(away + margin);
  const step = 2 * reach / (points - 1);
  const nodes = Array.from({ length: points }, (_, k) => k * step - reach);
  const z = nodes.map((t) => centre + scale * 0.5 * (exp(t) - exp(-t)));
  return {
    values: z.map(from),
    weights: z.map((one, k) => step * scale * 0.5 * (exp(nodes[k]) + exp(-nodes[k])) * slope(one)),
  };
}

/** A scale on which outcomes are spread evenly: to it, back from it, and the slope of the way back. */
const scales = {
  real: { to: (y: number) => y, from: (z: number) => z, slope: () => 1 },
  positive: { to: log, from: exp, slope: exp },
  unit: {
    to: (y: number) => log(y / (1 - y)),
    from: (z: number) => 1 / (1 + exp(-z)),
    slope: (z: number) => 1 / ((1 + exp(-z)) * (1 + exp(z))),
  },
} as const;

function arsinh(x: number): number {
  return log(x + Math.sqrt(x * x + 1));
}
