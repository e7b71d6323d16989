/** The basis of `pm.gp.HSGP`: eigenfunctions of the Laplacian, and square roots of densities. */
import type { GraphBuilder } from "../../ir/builder.ts";
import type { NodeId } from "../../ir/node.ts";
import type { CovarianceFunction } from "./covariance.ts";
import type { BasisSettings } from "./process.ts";
import { type Points, stridedColumn } from "./points.ts";

/** Basis functions at points `[n, m]`, and the scales of their coefficients `[m]`. */
interface Basis {
  readonly functions: NodeId;
  readonly scales: NodeId;
  readonly count: number;
}

/** Which basis function along each column the functions of several columns are products of. */
function products(counts: readonly number[]): number[][] {
  // NumPy's meshgrid varies its second axis before its first.
  const order = counts.map((_, k) => counts.length > 1 && k < 2 ? 1 - k : k);
  const size = counts.reduce((a, b) => a * b, 1);
  return Array.from({ length: size }, (_, flat) => {
    const at = new Array<number>(counts.length);
    let rest = flat;
    for (const k of [...order].reverse()) {
      at[k] = 1 + rest % counts[k];
      rest = Math.floor(rest / counts[k]);
    }
    return at;
  });
}

/** Middle and half width of columns that are known before sampling. */
function boxOf(
  g: GraphBuilder,
  x: Points,
  dims: readonly number[],
  { boundary, factor }: BasisSettings,
) {
  const values = g.valueOf(x.node)?.values;
  return values && dims.map((column, k) => {
    const own = Float64Array.from({ length: x.rows }, (_, i) => values[i * x.columns + column]);
    const [low, high] = [Math.min(...own), Math.max(...own)];
    const half = boundary?.[k] ?? (high - low) / 2 * factor![k % factor!.length];
    return { middle: (high + low) / 2, half };
  });
}

/**
 * The basis at points (Solin and Särkkä 2020; Riutort-Mayol et al. 2022), in PyMC's order.
 *
 * @returns undefined where points are not known before sampling.
 */
export function basisAt(
  g: GraphBuilder,
  x: Points,
  { parts: { activeDims, spectralDensity } }: CovarianceFunction,
  settings: BasisSettings,
): Basis | undefined {
  const dims = activeDims!;
  const box = boxOf(g, x, dims, settings);
  if (!box) return undefined;
  const all = products(settings.counts);
  const kept = settings.dropFirst ? all.slice(1) : all;
  const count = kept.length;
  const frequency = (at: readonly number[], k: number) => Math.PI * at[k] / (2 * box[k].half);
  const functions = dims.map((column, k) => {
    const { middle, half } = box[k];
    const moved = g.add(stridedColumn(g, x, column), g.scalar(half - middle));
    const waves = g.array(Float64Array.from(kept, (at) => frequency(at, k)), [1, count]);
    const turns = g.mul(g.reshape(moved, [x.rows, 1]), waves);
    return g.mul(g.scalar(1 / Math.sqrt(half)), g.map("sin", turns));
  }).reduce((product, one) => g.mul(product, one));
  const squares = Float64Array.from(
    { length: count * dims.length },
    (_, i) => frequency(kept[Math.floor(i / dims.length)], i % dims.length) ** 2,
  );
  const frequencies = { rows: count, columns: dims.length };
  const node = g.array(squares, [count, dims.length]);
  const density = spectralDensity!(g, { node, ...frequencies });
  return { functions, scales: g.map("sqrt", g.broadcast(density, [count])), count };
}
