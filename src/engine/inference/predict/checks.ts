/** Data beside what the posterior predicts: leave-one-out PIT values and checks by scalar statistics. */

/** A scalar of the data beside its posterior predictive distribution. */
interface StatisticCheck {
  /** Of the data. */
  readonly observed: number;
  /** Mean over replications. */
  readonly predicted: number;
  /** Share of replications with a larger value, half of those with an equal one. */
  readonly p: number;
}

/**
 * Share of the leave-one-out predictive distribution of every observation that lies below it:
 * Σ_s w_is ([ỹ_is < y_i] + ½ [ỹ_is = y_i]) (Gelfand, Dey, Chang 1992; the half is the mid-PIT of
 * Czado, Gneiting, Held 2009, so that counts can be compared with a uniform, too).
 *
 * @param replicated `[draws, n]`.
 * @param weights normalised importance weights of observation i `[draws]`.
 */
export function looPit(
  observed: Float64Array,
  replicated: Float64Array,
  weights: (i: number) => Float64Array,
): Float64Array {
  const n = observed.length;
  return observed.map((y, i) => {
    const w = weights(i);
    let below = 0;
    for (let s = 0; s < w.length; s++) {
      const value = replicated[s * n + i];
      if (value < y) below += w[s];
      else if (value === y) below += 0.5 * w[s];
    }
    return Math.min(1, below);
  });
}

type Statistic = (values: Float64Array) => number;

const statistics: Readonly<Record<string, Statistic>> = {
  mean: meanOf,
  sd: (values) => {
    const mean = meanOf(values);
    let square = 0;
    for (const v of values) square += (v - mean) * (v - mean);
    return Math.sqrt(square / Math.max(1, values.length - 1));
  },
  min: (values) => values.reduce((a, b) => Math.min(a, b), Infinity),
  max: (values) => values.reduce((a, b) => Math.max(a, b), -Infinity),
};

const shareOfZeros: Statistic = (values) => {
  let zeros = 0;
  for (const v of values) if (v === 0) zeros += 1;
  return zeros / values.length;
};

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const v of values) sum += v;
  return sum / values.length;
}

/**
 * Posterior predictive checks (Gelman, Meng, Stern 1996) by mean, standard deviation, smallest and
 * largest value, and for discrete data the share of zeros.
 *
 * @param replicated `[draws, n]`.
 */
export function predictiveChecks(
  observed: Float64Array,
  replicated: Float64Array,
  discrete: boolean,
): Readonly<Record<string, StatisticCheck>> {
  const chosen = discrete ? { ...statistics, zeros: shareOfZeros } : statistics;
  const entries = Object.entries(chosen).map(([name, statistic]) =>
    [name, check(observed, replicated, statistic)] as const
  );
  return Object.fromEntries(entries);
}

function check(
  observed: Float64Array,
  replicated: Float64Array,
  statistic: Statistic,
): StatisticCheck {
  const n = observed.length;
  const draws = replicated.length / n;
  const wanted = statistic(observed);
  let above = 0;
  let sum = 0;
  for (let s = 0; s < draws; s++) {
    const value = statistic(replicated.subarray(s * n, (s + 1) * n));
    sum += value;
    above += value > wanted ? 1 : value === wanted ? 0.5 : 0;
  }
  return { observed: wanted, predicted: sum / draws, p: above / draws };
}
