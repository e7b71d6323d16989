/** Draws of the coordinates that a lattice covers, from a quadratic within each of its cells. */
import { exp } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import { drawIndex } from "./draw_index.ts";
import type { Lattice, LatticePoint } from "./lattice.ts";

/** A cell around a point, within which the log density is a quadratic of differences to neighbours. */
interface Cell {
  readonly point: LatticePoint;
  /** `[d]`, and `[d, d]`, per distance of the points. */
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
  /** Nats by which the quadratic is above the point at most. */
  readonly bound: number;
}

/** `count` positions `[count, d]`. */
export function latticeDraws(lattice: Lattice, count: number, random: RandomStream): Float64Array {
  const cells = lattice.points.map((point) => cellOf(lattice, point));
  const d = cells[0].point.position.length;
  const pick = drawIndex(cells.map(({ point, bound }) => point.logDensity + bound));
  const out = new Float64Array(count * d);
  const away = new Float64Array(d);
  for (let s = 0; s < count;) {
    const cell = cells[pick(random)];
    for (let k = 0; k < d; k++) away[k] = random.uniform() - 0.5;
    if (random.uniform() >= exp(quadratic(cell, away) - cell.bound)) continue;
    out.set(lattice.beside(cell.point, away), s * d);
    s += 1;
  }
  return out;
}

function quadratic({ slopes, curvatures }: Cell, away: Float64Array): number {
  const d = away.length;
  let sum = 0;
  for (let k = 0; k < d; k++) {
    sum += slopes[k] * away[k];
    for (let m = 0; m < d; m++) sum += 0.5 * curvatures[k * d + m] * away[k] * away[m];
  }
  return sum;
}

function cellOf(lattice: Lattice, point: LatticePoint): Cell {
  const { at, logDensity } = point;
  const d = at.length;
  const valueAt = (...moves: readonly (readonly [number, number])[]) => {
    const place = moves.reduce((sum, [k, by]) => sum.with(k, sum[k] + by), [...at]);
    const found = lattice.logDensityAt(place);
    return found !== undefined && found > -Infinity ? found : undefined;
  };
  const slopes = new Float64Array(d);
  const curvatures = new Float64Array(d * d);
  for (let k = 0; k < d; k++) {
    const [above, below] = [valueAt([k, 1]), valueAt([k, -1])];
    if (above !== undefined && below !== undefined) {
      slopes[k] = (above - below) / 2;
      curvatures[k * d + k] = above + below - 2 * logDensity;
    } else if (above !== undefined) slopes[k] = above - logDensity;
    else if (below !== undefined) slopes[k] = logDensity - below;
    for (let m = 0; m < k; m++) {
      const [pp, pm] = [valueAt([k, 1], [m, 1]), valueAt([k, 1], [m, -1])];
      const [mp, mm] = [valueAt([k, -1], [m, 1]), valueAt([k, -1], [m, -1])];
      if (pp === undefined || pm === undefined || mp === undefined || mm === undefined) continue;
      curvatures[k * d + m] = curvatures[m * d + k] = (pp - pm - mp + mm) / 4;
    }
  }
  return { point, slopes, curvatures, bound: boundOf(slopes, curvatures) };
}

/** Upper bound of the quadratic within half a distance along each axis. */
function boundOf(slopes: Float64Array, curvatures: Float64Array): number {
  const d = slopes.length;
  let bound = 0;
  for (let k = 0; k < d; k++) {
    bound += Math.abs(slopes[k]) / 2 + Math.max(0, curvatures[k * d + k]) / 8;
    for (let m = 0; m < k; m++) bound += Math.abs(curvatures[k * d + m]) / 4;
  }
  return bound;
}
