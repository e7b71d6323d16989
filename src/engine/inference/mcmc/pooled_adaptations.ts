/** Pools the adaptation of chains that have not mixed, to restart them. */
import type { ChainAdaptation, ChainSet } from "./chain_set.ts";
import { CovarianceEstimator } from "./covariance.ts";
import { chooseMetric, diagonalMetric, maxDenseDimension, type Metric } from "./metric.ts";

/**
 * Adaptations for `warmStart`: the metric is the covariance of the draws of all chains. A chain
 * whose mean log density lies more than 20 + 2 `dimension` nats below that of the best is lost in a
 * place of no mass: it is left out, and restarts from the position of the best chain half way.
 */
export function pooledAdaptations(set: ChainSet): readonly ChainAdaptation[] {
  const { draws, dimension, adaptations } = set;
  const levels = adaptations.map((_, c) => meanLevel(set, c));
  const top = Math.max(...levels);
  const best = levels.indexOf(top);
  const kept = levels.map((level) => level >= top - 20 - 2 * dimension);
  const metric = pooledMetric(set, kept) ?? adaptations[best].metric;
  const half = (best * draws + (draws >> 1)) * dimension;
  const rescue = set.positions.slice(half, half + dimension);
  return adaptations.map((own, c) => {
    const { position, stepSize } = kept[c] ? own : { ...adaptations[best], position: rescue };
    return { metric, stepSize, position, stream: own.stream };
  });
}

function meanLevel(set: ChainSet, c: number): number {
  let sum = 0;
  for (let s = c * set.draws; s < (c + 1) * set.draws; s++) sum += set.logDensities[s];
  return sum / set.draws;
}

function pooledMetric(set: ChainSet, kept: readonly boolean[]): Metric | undefined {
  const { chains, draws, dimension } = set;
  const estimator = new CovarianceEstimator(dimension, dimension <= maxDenseDimension);
  for (let s = 0; s < chains * draws; s++) {
    if (kept[Math.floor(s / draws)]) estimator.add(set.positions, s * dimension);
  }
  const estimate = estimator.regularised(new Float64Array(dimension));
  return estimator.dense ? chooseMetric(estimate, dimension, true) : diagonalMetric(estimate);
}
