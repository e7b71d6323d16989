/** Which differences of potentials an objective looks at: neighbours, or all pairs. */
import { exp, log } from "../../numerics/math/mod.ts";
import type { BalanceGraph } from "./potentials.ts";
import type { ResidualLoss } from "./residual_loss.ts";
import { residualLosses } from "./residual_loss.ts";

/**
 * Neighbours: Σ_t w_t g(Φ_{t+1} − Φ_t) / Σ_t w_t over the first n − `dropped` transitions.
 *
 * @param longest Most actions of a trajectory.
 * @param dropped 0 with the terminal node, 1 without it.
 * @param weights `[B, longest]`, positive; all equal if left out.
 */
export function neighbours(
  residual: ResidualLoss,
  longest: number,
  dropped: 0 | 1,
  weights?: Float64Array,
): BalanceGraph {
  const [deltas, values, slopes] = [0, 0, 0].map(() => new Float64Array(longest));
  let beyondLimit = 0;
  return {
    get beyondLimit() {
      return beyondLimit;
    },
    loss(phi, nodes, gradient, b) {
      const n = nodes - dropped;
      if (n === 0) return 0;
      for (let t = 0; t < n; t++) deltas[t] = phi[t + 1] - phi[t];
      beyondLimit += residual(deltas, n, values, slopes);
      let [loss, total] = [0, 0];
      for (let t = 0; t < n; t++) {
        const w = weights ? weights[b * longest + t] : 1;
        total += w;
        loss += w * values[t];
      }
      for (let t = 0; t < n; t++) {
        const force = (weights ? weights[b * longest + t] : 1) * slopes[t] / total;
        gradient[t + 1] += force;
        gradient[t] -= force;
      }
      return loss / total;
    },
  };
}

/**
 * All pairs: Σ_{i<j} λ^(j−i) g(Φ_j − Φ_i) / Σ_{i<j} λ^(j−i) over the nodes 0 … n − `dropped`,
 * that of Madan et al. 2023 for g = δ². Squares take O(n), other losses O(n²).
 *
 * @param longest Most actions of a trajectory.
 * @param dropped 0 with the terminal node, 1 without it.
 */
export function allPairs(
  lambda: number,
  residual: ResidualLoss,
  longest: number,
  dropped: 0 | 1,
): BalanceGraph {
  if (residual === residualLosses.squared) return new SquaredPairs(lambda, longest, dropped);
  const pairs = new Pairs(lambda, residual, longest, dropped);
  return residual === residualLosses.log_cosh
    ? new LogCoshPairs(lambda, longest, dropped, pairs)
    : pairs;
}

/** λ^k for k = 0 … n by repeated multiplication, which is the same on every machine. */
function powers(lambda: number, n: number): Float64Array {
  const table = new Float64Array(n + 1).fill(1);
  for (let k = 1; k <= n; k++) table[k] = table[k - 1] * lambda;
  return table;
}

/** Any loss, pair by pair, one distance after the other. */
class Pairs implements BalanceGraph {
  readonly #weights: Float64Array;
  readonly #deltas: Float64Array;
  readonly #values: Float64Array;
  readonly #slopes: Float64Array;
  beyondLimit = 0;

  constructor(
    lambda: number,
    readonly residual: ResidualLoss,
    longest: number,
    readonly dropped: 0 | 1,
  ) {
    this.#weights = powers(lambda, longest);
    [this.#deltas, this.#values, this.#slopes] = [0, 0, 0].map(() => new Float64Array(longest));
  }

  loss(phi: Float64Array, nodes: number, gradient: Float64Array): number {
    const n = nodes - this.dropped;
    if (n === 0) return 0;
    const [deltas, values, slopes] = [this.#deltas, this.#values, this.#slopes];
    let [loss, total] = [0, 0];
    for (let k = 1; k <= n; k++) total += (n + 1 - k) * this.#weights[k];
    for (let k = 1; k <= n; k++) {
      const [count, w] = [n + 1 - k, this.#weights[k] / total];
      for (let i = 0; i < count; i++) deltas[i] = phi[i + k] - phi[i];
      this.beyondLimit += this.residual(deltas, count, values, slopes);
      for (let i = 0; i < count; i++) {
        loss += w * values[i];
        gradient[i + k] += w * slopes[i];
        gradient[i] -= w * slopes[i];
      }
    }
    return loss;
  }
}

/**
 * Squares: dLoss/dΦ_j = 2 Σ_i λ^|j−i| (Φ_j − Φ_i) / Σ λ^(j−i) by two sweeps, in which the weighted
 * count and sum of the nodes on one side follow from those one place before; the loss is half of
 * Φ · dLoss/dΦ, because it is homogeneous of degree 2.
 */
class SquaredPairs implements BalanceGraph {
  readonly beyondLimit = 0;

  constructor(readonly lambda: number, readonly longest: number, readonly dropped: 0 | 1) {}

  loss(phi: Float64Array, nodes: number, gradient: Float64Array): number {
    const n = nodes - this.dropped;
    if (n === 0) return 0;
    const total = this.#sweep(phi, gradient, 0, 1, n);
    this.#sweep(phi, gradient, n, -1, n);
    let loss = 0;
    for (let j = 0; j <= n; j++) {
      gradient[j] *= 2 / total;
      loss += phi[j] * gradient[j];
    }
    return loss / 2;
  }

  /** Adds Σ_i λ^|j−i| (Φ_j − Φ_i) over the nodes that were passed before j; returns Σ λ^|j−i|. */
  #sweep(phi: Float64Array, gradient: Float64Array, from: number, by: number, n: number): number {
    let [count, sum, total] = [0, 0, 0];
    for (let k = 0, j = from; k <= n; k++, j += by) {
      gradient[j] += count * phi[j] - sum;
      total += count;
      count = this.lambda * (count + 1);
      sum = this.lambda * (sum + phi[j]);
    }
    return total;
  }
}

/** |Φ| beyond which e^(2Φ) is not taken. */
const largestPotential = 300;

/**
 * log cosh with an exponential per node instead of per pair: e^(−2|δ|) is a ratio of e^(2Φ), and the
 * logarithms of one distance, which have one weight, are that of a product. Larger potentials
 * are computed pair by pair.
 */
class LogCoshPairs implements BalanceGraph {
  readonly #weights: Float64Array;
  readonly #grown: Float64Array;
  readonly #shrunk: Float64Array;
  readonly beyondLimit = 0;

  constructor(lambda: number, longest: number, readonly dropped: 0 | 1, readonly plain: Pairs) {
    this.#weights = powers(lambda, longest);
    [this.#grown, this.#shrunk] = [0, 0].map(() => new Float64Array(longest + 1));
  }

  loss(phi: Float64Array, nodes: number, gradient: Float64Array): number {
    const n = nodes - this.dropped;
    if (n === 0) return 0;
    for (let j = 0; j <= n; j++) {
      if (!(Math.abs(phi[j]) < largestPotential)) return this.plain.loss(phi, nodes, gradient);
      this.#grown[j] = exp(2 * phi[j]);
      this.#shrunk[j] = 1 / this.#grown[j];
    }
    let [loss, total] = [0, 0];
    for (let k = 1; k <= n; k++) total += (n + 1 - k) * this.#weights[k];
    for (let k = 1; k <= n; k++) {
      const w = this.#weights[k] / total;
      loss += w * this.#atDistance(phi, k, n + 1 - k, w, gradient);
    }
    return loss;
  }

  /** Σ log cosh over the pairs at one distance; adds their weighted slopes. */
  #atDistance(phi: Float64Array, k: number, count: number, w: number, gradient: Float64Array) {
    const [grown, shrunk] = [this.#grown, this.#shrunk];
    let [sum, product] = [0, 1];
    for (let i = 0; i < count; i++) {
      const j = i + k;
      const delta = phi[j] - phi[i];
      const ratio = delta > 0 ? grown[i] * shrunk[j] : grown[j] * shrunk[i]; // e^(−2|δ|)
      const slope = w * (1 - ratio) / (1 + ratio);
      const force = delta > 0 ? slope : -slope;
      gradient[j] += force;
      gradient[i] -= force;
      sum += Math.abs(delta);
      product *= (1 + ratio) / 2;
      if (product > 1e-150) continue;
      sum += log(product);
      product = 1;
    }
    return sum + log(product);
  }
}
