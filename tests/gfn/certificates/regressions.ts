/** All subsets of k predictors, each rewarded by its marginal likelihood: 2^k regressions, exact. */
import { RandomStream } from "../../../src/base/random.ts";
import { log } from "../../../src/numerics/math/elementary.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import {
  logMarginalLikelihood,
  regressionSums,
} from "../../../src/gfn/environments/normal_inverse_gamma.ts";
import { maskOf, treeEnvironment } from "../../../src/gfn/environments/tree.ts";
import { uniformLogPrior } from "../../../src/gfn/environments/uniform_prior.ts";

/** How many predictors, and how much the data say of them. */
export interface RegressionsSpec {
  /** Predictors. */
  readonly terms: number;
  /** Rows. */
  readonly rows: number;
  /** Coefficients of the first predictors; the others are 0. */
  readonly truth: readonly number[];
  /** Of neighbours among the predictors. */
  readonly correlation: number;
  readonly seed: number;
}

/** One decision per predictor, in order: out or in. */
export function regressions(
  { terms, rows, truth, correlation, seed }: RegressionsSpec,
): Environment {
  const random = new RandomStream("regressions", seed);
  const normal = () => {
    const [u, v] = [random.uniform(), random.uniform()];
    return Math.sqrt(-2 * log(u)) * Math.cos(2 * Math.PI * v);
  };
  const columns: number[][] = [];
  for (let j = 0; j < terms; j++) {
    const before = columns[j - 1];
    columns.push(Array.from({ length: rows }, (_, i) => {
      return (before ? correlation * before[i] : 0) + Math.sqrt(1 - correlation ** 2) * normal();
    }));
  }
  const y = Array.from({ length: rows }, (_, i) => {
    return truth.reduce((sum, beta, j) => sum + beta * columns[j][i], 0) + normal();
  });
  const sums = regressionSums([columns[0].map(() => 1), ...columns], y);
  const exit = 2 * terms;
  const known = new Map<string, number>();
  const logReward = (state: string) => {
    const chosen = [...state].flatMap((bit, j) => (bit === "1" ? [j + 1] : []));
    const columns = [0, ...chosen];
    const priors = { shape: 2, scale: 1, columns, widths: columns.map(() => 1) };
    return logMarginalLikelihood(sums, priors) - terms * log(2);
  };
  const actionNames = [
    ...Array.from({ length: terms }, (_, j) => [`no x${j}`, `x${j}`]).flat(),
    "exit",
  ];
  const masks = Array.from({ length: terms + 1 }, (_, j) => {
    return maskOf(exit + 1, j === terms ? [exit] : [2 * j, 2 * j + 1]);
  });
  const priors = masks.map(uniformLogPrior);
  return treeEnvironment<string>({
    kind: "regressions",
    spec: null,
    actionNames,
    maxActions: terms + 1,
    count: 2 ** terms,
    initial: "",
    after: (bits, action) => `${bits}${action % 2}`,
    legal: ({ length }) => masks[length],
    logPrior: ({ length }) => priors[length],
    object: (bits) => ({ text: bits, features: [] }),
    logReward: (bits) => {
      const reward = known.get(bits) ?? logReward(bits);
      known.set(bits, reward);
      return reward;
    },
  }) as Environment;
}
