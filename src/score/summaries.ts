/** Summaries of the posterior draws of every free variable and deterministic. */
import type { ChainSet } from "../infer/chain_set.ts";
import { convergence, quantileOfSorted } from "../infer/diagnostics.ts";
import type { CheckedProgram } from "../lang/graph.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import type { ParameterSummary } from "./execution.ts";

/** Numbers about the draws of one scalar. */
interface ScalarSummary {
  readonly mean: number;
  readonly sd: number;
  readonly q05: number;
  readonly q95: number;
  readonly essBulk: number;
  readonly rhat: number;
}

/** Summaries by name, in the order of `density.quantities`; rows of vectors together. */
export function summarise(
  program: CheckedProgram,
  density: PointwiseDensity,
  set: ChainSet,
): Readonly<Record<string, ParameterSummary>> {
  const scalars = constrainedDraws(density, set).map((draws) => summaryOf(draws, set.chains));
  const names = [...program.parameters, ...program.deterministics].map(({ name }) => name);
  const params: Record<string, ParameterSummary> = {};
  let at = 0;
  for (const name of names) {
    const vector = density.quantities[at] !== name;
    const n = vector ? density.observations : 1;
    params[name] = joined(scalars.slice(at, at + n), vector ? [n] : []);
    at += n;
  }
  return params;
}

/** The draws `[chains, draws]` of every quantity. */
function constrainedDraws(density: PointwiseDensity, set: ChainSet): Float64Array[] {
  const count = set.chains * set.draws;
  const row = new Float64Array(density.quantities.length);
  const columns = density.quantities.map(() => new Float64Array(count));
  for (let s = 0; s < count; s++) {
    density.constrain(set.positions, s * set.dimension, row, 0);
    columns.forEach((column, k) => column[s] = row[k]);
  }
  return columns;
}

function summaryOf(draws: Float64Array, chains: number): ScalarSummary {
  const n = draws.length;
  const mean = draws.reduce((sum, x) => sum + x, 0) / n;
  const squares = draws.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  const sorted = Float64Array.from(draws).sort();
  const { essBulk, rhat } = convergence(draws, chains);
  return {
    mean,
    sd: Math.sqrt(squares / (n - 1)),
    q05: quantileOfSorted(sorted, 0.05),
    q95: quantileOfSorted(sorted, 0.95),
    essBulk,
    rhat,
  };
}

function joined(scalars: readonly ScalarSummary[], shape: readonly number[]): ParameterSummary {
  const each = (key: keyof ScalarSummary) => scalars.map((one) => one[key]);
  return {
    mean: each("mean"),
    sd: each("sd"),
    q05: each("q05"),
    q95: each("q95"),
    essBulk: each("essBulk"),
    rhat: each("rhat"),
    shape,
  };
}
