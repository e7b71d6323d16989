/** Log densities written out as the textbooks have them: slow, plain, the tests' second opinion. */
import { exp, log, log1p, pow } from "../../math/elementary.ts";
import { lgamma } from "../../math/gamma.ts";
import { logNormalCdf, normalCdf } from "../../math/normal.ts";
import type { Family } from "../../lang/graph.ts";

type PlainLogDensity = (x: number, parameters: readonly number[]) => number;

const log2Pi = log(2 * Math.PI);
const inside = (condition: boolean, value: () => number) => condition ? value() : -Infinity;

const normal: PlainLogDensity = (x, [mu, sigma]) =>
  inside(sigma > 0, () => -((x - mu) * (x - mu)) / (2 * sigma * sigma) - log(sigma) - log2Pi / 2);

const studentT: PlainLogDensity = (x, [nu, mu, sigma]) =>
  inside(nu > 0 && sigma > 0, () => {
    const z = (x - mu) / sigma;
    return lgamma((nu + 1) / 2) - lgamma(nu / 2) - log(nu * Math.PI) / 2 - log(sigma) -
      (nu + 1) / 2 * log1p(z * z / nu);
  });

const cauchy: PlainLogDensity = (x, [alpha, beta]) =>
  inside(beta > 0, () => -log(Math.PI * beta) - log1p(((x - alpha) / beta) * ((x - alpha) / beta)));

const gamma: PlainLogDensity = (x, [alpha, beta]) =>
  inside(
    alpha > 0 && beta > 0 && x > 0,
    () => alpha * log(beta) - lgamma(alpha) + (alpha - 1) * log(x) - beta * x,
  );

/** The density of `base` doubled and restricted to x >= 0. */
const half = (x: number, value: number) => inside(x >= 0, () => value + log(2));

/** The log density of each family at x; −∞ outside the support or for impossible parameters. */
export const plainLogDensity: { readonly [family in Family]: PlainLogDensity } = {
  normal,
  half_normal: (x, [sigma]) => half(x, normal(x, [0, sigma])),
  log_normal: (x, [mu, sigma]) => inside(x > 0, () => normal(log(x), [mu, sigma]) - log(x)),
  student_t: studentT,
  half_student_t: (x, [nu, sigma]) => half(x, studentT(x, [nu, 0, sigma])),
  cauchy,
  half_cauchy: (x, [beta]) => half(x, cauchy(x, [0, beta])),
  exponential: (x, [lam]) => inside(lam > 0 && x >= 0, () => log(lam) - lam * x),
  gamma,
  inverse_gamma: (x, [alpha, beta]) =>
    inside(x > 0, () => gamma(1 / x, [alpha, beta]) - 2 * log(x)),
  weibull: (x, [alpha, beta]) =>
    inside(
      alpha > 0 && beta > 0 && x > 0,
      () => log(alpha / beta) + (alpha - 1) * log(x / beta) - pow(x / beta, alpha),
    ),
  beta: (x, [a, b]) =>
    inside(
      a > 0 && b > 0 && x > 0 && x < 1,
      () => (a - 1) * log(x) + (b - 1) * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b),
    ),
  uniform: (x, [lower, upper]) =>
    inside(lower < upper && x >= lower && x <= upper, () => -log(upper - lower)),
  laplace: (x, [mu, b]) => inside(b > 0, () => -Math.abs(x - mu) / b - log(2 * b)),
  logistic: (x, [mu, s]) =>
    inside(s > 0, () => {
      const z = Math.abs(x - mu) / s;
      return -z - log(s) - 2 * log(1 + exp(-z));
    }),
  gumbel: (x, [mu, beta]) =>
    inside(beta > 0, () => -(x - mu) / beta - exp(-(x - mu) / beta) - log(beta)),
  skew_normal: (x, [mu, sigma, alpha]) =>
    normal(x, [mu, sigma]) + log(2) + logNormalCdf(alpha * (x - mu) / sigma),
  truncated_normal: (x, [mu, sigma, lower, upper]) =>
    inside(lower < upper && x >= lower && x <= upper, () =>
      normal(x, [mu, sigma]) -
      log(normalCdf((upper - mu) / sigma) - normalCdf((lower - mu) / sigma))),
};
