/** R's package BMS on an orthogonal design, and the exact inclusion probabilities of its own target. */
import { exp, log } from "../../src/numerics/math/elementary.ts";
import { logSumExp } from "../../src/numerics/math/log_sum_exp.ts";

/** Predictors `[terms][rows]` and responses. */
export interface Design {
  readonly columns: readonly (readonly number[])[];
  readonly y: readonly number[];
}

/** R's output. */
interface Printed {
  readonly version: string;
  /** `[terms]`: shares of visits, and by the marginal likelihoods of the best 500 models. */
  readonly visits: readonly number[];
  readonly best: readonly number[];
  /** Moves that were taken, after the burn-in. */
  readonly accepted: number;
  readonly cpu_seconds: number;
}

/** One run: birth–death sampling over subsets, g = rows, a uniform prior over models. */
export async function benchBms({ columns, y }: Design, iterations: number, seed: number) {
  const path = Deno.makeTempFileSync({ suffix: ".csv" });
  const names = ["y", ...columns.map((_, j) => `x${j}`)];
  const rows = y.map((one, i) => [one, ...columns.map((column) => column[i])].join(","));
  Deno.writeTextFileSync(path, [names.join(","), ...rows].join("\n"));
  const script = new URL("../peers/bms_inclusion.R", import.meta.url).pathname;
  const args = [script, path, `${iterations}`, `${seed}`];
  const { success, stdout, stderr } = await new Deno.Command("Rscript", { args }).output();
  Deno.removeSync(path);
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const printed: Printed = JSON.parse(new TextDecoder().decode(stdout));
  const exact = gPriorInclusion({ columns, y }, y.length);
  const error = (found: readonly number[]) =>
    found.reduce((most, p, j) => Math.max(most, Math.abs(p - exact[j])), 0);
  return {
    version: printed.version,
    inclusionError: error(printed.visits),
    inclusionErrorOfBest: error(printed.best),
    accepted: printed.accepted,
    cpu_seconds: printed.cpu_seconds,
  };
}

/** Points of the quadrature, over this many deviations of log τ on either side of its mode. */
const [POINTS, WIDTH] = [4001, 40] as const;

/**
 * `[terms]`: exact inclusion under Zellner's g-prior with unknown noise, on columns that are
 * orthogonal to each other and to the intercept. There (Fernández, Ley and Steel 2001, equation 8)
 *
 *     p(y | S) ∝ (1 + g)^(−|S| / 2) (1 − c Σ_S r_j²)^(−m),   c = g / (1 + g),  m = (n − 1) / 2,
 *
 * with r_j the correlation of column j with y. That does not factorise, but as a mixture over τ,
 * x^(−m) = ∫ τ^(m − 1) exp(−τ x) dτ / Γ(m), it does for every τ; so one integral is left.
 *
 * @param g As BMS's `g = "UIP"`: the number of rows.
 */
export function gPriorInclusion({ columns, y }: Design, g: number): number[] {
  const n = y.length;
  const mean = y.reduce((sum, one) => sum + one, 0) / n;
  const energy = y.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const squares = columns.map((column) => {
    const product = column.reduce((sum, x, i) => sum + x * (y[i] - mean), 0);
    return product * product / (n * energy);
  });
  const [c, m] = [g / (1 + g), (n - 1) / 2];
  const logOdds = (tau: number) => squares.map((r2) => tau * c * r2 - 0.5 * log(1 + g));
  const taus = Array.from({ length: POINTS }, (_, i) => {
    return m * exp((WIDTH * (i / (POINTS - 1) - 0.5)) / Math.sqrt(m));
  });
  const logWeights = taus.map((tau) =>
    m * log(tau) - tau + logOdds(tau).reduce((sum, one) => sum + logSumExp([0, one]), 0)
  );
  const total = logSumExp(logWeights);
  const sums = squares.map(() => 0);
  taus.forEach((tau, i) => {
    const weight = exp(logWeights[i] - total);
    logOdds(tau).forEach((one, j) => sums[j] += weight * exp(one - logSumExp([0, one])));
  });
  return sums;
}
