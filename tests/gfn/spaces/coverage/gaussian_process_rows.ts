/** Predictions of fresh rows by a Gaussian process, given draws of its parameters, by its own algebra. */
import { exp, log } from "../../../../src/numerics/math/elementary.ts";
import { logSumExp } from "../../../../src/numerics/math/log_sum_exp.ts";

/** Values of a program's parameters by name. */
export type Parameters = ReadonlyMap<string, number>;
type Kernel = (a: number, b: number) => number;
type Matrix = readonly (readonly number[])[];

/** Rows of a predictor and of the response. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/**
 * log p(y* | y) of each fresh row, the mean density over the draws (Rasmussen and Williams 2006,
 * eqs. 2.25 and 2.26). It shares nothing with the engine but the draws.
 *
 * @param text the program, whose line `kernel = …` is read.
 * @returns `[fresh]`, nats.
 */
export function processPointwise(
  text: string,
  draws: readonly Parameters[],
  seen: Points,
  fresh: Points,
): Float64Array {
  const kernelOf = readKernel(/kernel = (.*)/.exec(text)![1]);
  const logs = draws.map((draw) => predictive(kernelOf(draw), draw, seen, fresh));
  return Float64Array.from(
    { length: fresh.y.length },
    (_, i) => logSumExp(Float64Array.from(logs, (one) => one[i])) - log(draws.length),
  );
}

function predictive(kernel: Kernel, draw: Parameters, seen: Points, fresh: Points): number[] {
  const [mean, variance] = [draw.get("intercept")!, draw.get("sigma")! ** 2];
  const x = Array.from(seen.x);
  const factor = choleskyOf(
    x.map((a, i) => x.map((b, j) => kernel(a, b) + (i === j ? variance : 0))),
  );
  const right = forward(factor, Array.from(seen.y, (y) => y - mean));
  const known = new Map<number, { centre: number; spread: number }>();
  return Array.from(fresh.y, (y, i) => {
    const at = fresh.x[i];
    if (!known.has(at)) {
      const v = forward(factor, x.map((one) => kernel(one, at)));
      const spread = kernel(at, at) + variance - dot(v, v);
      known.set(at, { centre: mean + dot(v, right), spread });
    }
    const { centre, spread } = known.get(at)!;
    return -0.5 * (log(2 * Math.PI * spread) + (y - centre) ** 2 / spread);
  });
}

/** Sums and products of `linear` and `exp_quad`, as the space writes them. */
function readKernel(source: string): (draw: Parameters) => Kernel {
  const sums = source.split(" + ").map((part) => part.split(/ \* (?!\*)/).map(readFactor));
  return (draw) => {
    const own = sums.map((factors) => factors.map((factor) => factor(draw)));
    return (a, b) =>
      own.reduce((sum, factors) => sum + factors.reduce((all, one) => all * one(a, b), 1), 0);
  };
}

function readFactor(text: string): (draw: Parameters) => Kernel {
  const height = /^(height\d) \*\* 2$/.exec(text)?.[1];
  if (height) return (draw) => () => draw.get(height)! ** 2;
  const linear = /^pm\.gp\.cov\.Linear\(1, c=([-\d.e]+)\)$/.exec(text)?.[1];
  if (linear) return () => (a, b) => (a - Number(linear)) * (b - Number(linear));
  const length = /^pm\.gp\.cov\.ExpQuad\(1, ls=(length\d)\)$/.exec(text)?.[1];
  if (length) return (draw) => (a, b) => exp(-(((a - b) / draw.get(length)!) ** 2) / 2);
  const factor = Number(text);
  if (!Number.isFinite(factor)) throw new Error(`internal: no kernel is written ${text}`);
  return () => () => factor;
}

/** The lower factor L of L Lᵀ. */
export function choleskyOf(matrix: Matrix): number[][] {
  const factor = matrix.map((row) => row.map(() => 0));
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i][j];
      for (let k = 0; k < j; k++) sum -= factor[i][k] * factor[j][k];
      factor[i][j] = i === j ? Math.sqrt(sum) : sum / factor[j][j];
    }
  }
  return factor;
}

/** L⁻¹ b. */
function forward(factor: Matrix, right: readonly number[]): number[] {
  const out: number[] = [];
  for (const [i, value] of right.entries()) {
    let sum = value;
    for (let k = 0; k < i; k++) sum -= factor[i][k] * out[k];
    out.push(sum / factor[i][i]);
  }
  return out;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
