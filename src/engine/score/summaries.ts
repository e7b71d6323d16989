/** Summaries of the posterior draws of every free variable and deterministic. */
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { convergence, quantileOfSorted } from "../inference/mcmc/diagnostics.ts";
import { momentsOf } from "../inference/mcmc/standard_errors.ts";
import { sizeOf } from "../language/ir/shape.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import type { ParameterSummary } from "./execution/execution.ts";

/** Numbers about the draws of one scalar. */
interface ScalarSummary {
  readonly mean: number;
  readonly sd: number;
  readonly mcseMean: number;
  readonly mcseSd: number;
  readonly q05: number;
  readonly q95: number;
  readonly hdi03: number;
  readonly hdi97: number;
  readonly essBulk: number;
  readonly essTail: number;
  readonly rhat: number;
}

/** Draws that are summarised. */
interface SummarisedDraws {
  readonly density: PointwiseDensity;
  readonly chainSet: ChainSet;
  /** Effective number of draws at most, where weights limit it. */
  readonly effective?: number;
}

/** Summaries by name, in the order of `density.quantities`; elements of arrays together. */
export function summarise(
  { density, chainSet, effective = Infinity }: SummarisedDraws,
): Readonly<Record<string, ParameterSummary>> {
  const { chains } = chainSet;
  const scalars = constrainedDraws(density, chainSet).map((draws) =>
    summaryOf(draws, chains, effective)
  );
  const params: Record<string, ParameterSummary> = {};
  let at = 0;
  for (const { name, shape } of density.quantityShapes ?? []) {
    const n = sizeOf(shape);
    params[name] = joined(scalars.slice(at, at + n), shape);
    at += n;
  }
  return params;
}

/** The draws `[chains, draws]` of every quantity, element by element. */
export function constrainedDraws(density: PointwiseDensity, set: ChainSet): Float64Array[] {
  const count = set.chains * set.draws;
  const row = new Float64Array(density.quantities.length);
  const columns = density.quantities.map(() => new Float64Array(count));
  for (let s = 0; s < count; s++) {
    density.constrain(set.positions, s * set.dimension, row, 0);
    columns.forEach((column, k) => column[s] = row[k]);
  }
  return columns;
}

function summaryOf(draws: Float64Array, chains: number, most: number): ScalarSummary {
  const sorted = Float64Array.from(draws).sort();
  const { essBulk: bulk, essTail: tail, rhat } = convergence(draws, chains);
  const [essBulk, essTail] = [Math.min(bulk, most), Math.min(tail, most)];
  const moments = momentsOf(draws, chains);
  const wider = most < bulk ? Math.sqrt(bulk / most) : 1;
  return {
    ...moments,
    mcseMean: moments.mcseMean * wider,
    mcseSd: moments.mcseSd * wider,
    q05: quantileOfSorted(sorted, 0.05),
    q95: quantileOfSorted(sorted, 0.95),
    ...narrowest(sorted, 0.94),
    essBulk,
    essTail,
    rhat,
  };
}

/** The narrowest interval between draws that holds this share of them, as ArviZ's `hdi`. */
function narrowest(sorted: Float64Array, share: number): { hdi03: number; hdi97: number } {
  const inside = Math.floor(share * sorted.length);
  let best = 0;
  for (let i = 1; i + inside < sorted.length; i++) {
    if (sorted[i + inside] - sorted[i] < sorted[best + inside] - sorted[best]) best = i;
  }
  return { hdi03: sorted[best], hdi97: sorted[best + inside] };
}

function joined(scalars: readonly ScalarSummary[], shape: readonly number[]): ParameterSummary {
  const each = (key: keyof ScalarSummary) => scalars.map((one) => one[key]);
  return {
    mean: each("mean"),
    sd: each("sd"),
    mcseMean: each("mcseMean"),
    mcseSd: each("mcseSd"),
    q05: each("q05"),
    q95: each("q95"),
    hdi03: each("hdi03"),
    hdi97: each("hdi97"),
    essBulk: each("essBulk"),
    essTail: each("essTail"),
    rhat: each("rhat"),
    shape,
  };
}
