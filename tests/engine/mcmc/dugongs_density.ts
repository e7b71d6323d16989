/** The dugongs posterior written by hand: growth of 27 sea cows, parametrised as in posteriordb. */
import { exp, log, sigmoid } from "../../../src/numerics/math/elementary.ts";
import type { LogDensity, PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { withMixture } from "./mixture_by_parts.ts";

/** Ages and lengths of data/dugongs.csv. */
export function readDugongs(): { age: Float64Array; length: Float64Array } {
  const text = Deno.readTextFileSync(new URL("../../../data/dugongs.csv", import.meta.url));
  const rows = text.trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
  return {
    age: Float64Array.from(rows, (row) => row[0]),
    length: Float64Array.from(rows, (row) => row[1]),
  };
}

const halfLog2Pi = 0.9189385332046727;

/**
 * length ~ Normal(α − β λ^age, τ^−½); α, β ~ Normal(0, 1000²), λ ~ Uniform(½, 1),
 * τ ~ Gamma(10⁻⁴, 10⁻⁴). Position: α, β, logit(2 λ − 1), log τ.
 */
export function dugongsDensity(): PointwiseDensity {
  const { age, length } = readDugongs();
  const n = age.length;
  const lambdaOf = (x: number) => 0.5 + 0.5 * sigmoid(x);

  const target = (left: readonly number[]): LogDensity => ({
    dimension: 4,
    logDensity(q, g, o) {
      const alpha = q[o];
      const beta = q[o + 1];
      const s = sigmoid(q[o + 2]);
      const lambda = 0.5 + 0.5 * s;
      const tau = exp(q[o + 3]);
      const logLambda = log(lambda);
      let square = 0;
      let sum = 0;
      let sumPower = 0;
      let sumSlope = 0;
      for (let i = 0; i < n; i++) {
        if (left.includes(i)) continue;
        const power = exp(age[i] * logLambda);
        const rest = length[i] - alpha + beta * power;
        square += rest * rest;
        sum += rest;
        sumPower += rest * power;
        sumSlope += rest * power * age[i];
      }
      const count = n - left.length;
      g[o] = tau * sum - alpha * 1e-6;
      g[o + 1] = -tau * sumPower - beta * 1e-6;
      g[o + 2] = -tau * beta * sumSlope / lambda * 0.5 * s * (1 - s) + 1 - 2 * s;
      g[o + 3] = 0.5 * count - 0.5 * tau * square + 1e-4 - 1e-4 * tau;
      const prior = -0.5e-6 * (alpha * alpha + beta * beta) + 1e-4 * q[o + 3] - 1e-4 * tau +
        log(s * (1 - s));
      const value = 0.5 * count * q[o + 3] - 0.5 * tau * square + prior;
      return value === value ? value : -Infinity;
    },
  });

  return withMixture({
    ...target([]),
    observations: n,
    logLikelihood(q, o, out, outOffset) {
      const logLambda = log(lambdaOf(q[o + 2]));
      const tau = exp(q[o + 3]);
      for (let i = 0; i < n; i++) {
        const rest = length[i] - q[o] + q[o + 1] * exp(age[i] * logLambda);
        out[outOffset + i] = 0.5 * q[o + 3] - halfLog2Pi - 0.5 * tau * rest * rest;
      }
    },
    without: target,
    quantities: ["alpha", "beta", "lambda", "tau"],
    constrain(q, o, out, outOffset) {
      out[outOffset] = q[o];
      out[outOffset + 1] = q[o + 1];
      out[outOffset + 2] = lambdaOf(q[o + 2]);
      out[outOffset + 3] = exp(q[o + 3]);
    },
  });
}
