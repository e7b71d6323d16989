/** Draws from the elementary distributions, from uniform numbers alone; exact for all parameters. */
import type { RandomStream } from "../../base/random.ts";
import { atan } from "./arctangent.ts";
import { cos, exp, log, log1p } from "./elementary.ts";
import { normalQuantile } from "./normal.ts";

/**
 * Standard normal.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawNormal } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawNormal(random));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean) < 0.14); // four standard errors
 * ```
 */
export function drawNormal(random: RandomStream): number {
  return normalQuantile(random.uniform());
}

/**
 * Standard exponential.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawExponential } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawExponential(random));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 1) < 0.14); // four standard errors
 * ```
 */
export function drawExponential(random: RandomStream): number {
  return -log(random.uniform());
}

/**
 * log of a gamma draw with rate 1 (Marsaglia and Tsang 2000); finite for the smallest shapes.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { exp } from "./elementary.ts";
 * import { drawLogGamma } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => exp(drawLogGamma(random, 3)));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 3) < 0.25); // four standard errors
 * ```
 */
export function drawLogGamma(random: RandomStream, shape: number): number {
  if (!(shape > 0)) return NaN;
  if (shape < 1) return drawLogGamma(random, shape + 1) + log(random.uniform()) / shape;
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const t = 1 + c * x;
    if (t <= 0) continue;
    const v = t * t * t;
    if (log(random.uniform()) < 0.5 * x * x + d - d * v + d * log(v)) return log(d) + log(v);
  }
}

/**
 * Gamma with rate 1.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawGamma } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawGamma(random, 3));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 3) < 0.25); // four standard errors
 * ```
 */
export function drawGamma(random: RandomStream, shape: number): number {
  return exp(drawLogGamma(random, shape));
}

/**
 * Beta.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawBeta } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawBeta(random, 2, 3));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 0.4) < 0.03); // four standard errors
 * ```
 */
export function drawBeta(random: RandomStream, a: number, b: number): number {
  const x = drawLogGamma(random, a);
  return 1 / (1 + exp(drawLogGamma(random, b) - x));
}

/**
 * Student's t.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawStudentT } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawStudentT(random, 4) < 0);
 * const share = draws.filter((one) => one).length / 1000;
 * assert(Math.abs(share - 0.5) < 0.07); // four standard errors
 * ```
 */
export function drawStudentT(random: RandomStream, nu: number): number {
  return drawNormal(random) / Math.sqrt(2 * drawGamma(random, 0.5 * nu) / nu);
}

/**
 * Cauchy, as a quotient of normals.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawCauchy } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => Math.abs(drawCauchy(random)) < 1);
 * const share = draws.filter((one) => one).length / 1000;
 * assert(Math.abs(share - 0.5) < 0.07); // four standard errors
 * ```
 */
export function drawCauchy(random: RandomStream): number {
  return drawNormal(random) / drawNormal(random);
}

/**
 * Poisson: a large mean is split at an arrival time (Ahrens and Dieter 1974).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawPoisson } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawPoisson(random, 4));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 4) < 0.28); // four standard errors
 * ```
 */
export function drawPoisson(random: RandomStream, mean: number): number {
  if (!(mean >= 0 && mean < Infinity)) return NaN;
  let count = 0;
  let rest = mean;
  while (rest > 20) {
    const m = Math.floor(0.875 * rest);
    const arrival = drawGamma(random, m);
    if (arrival > rest) return count + drawBinomial(random, m - 1, rest / arrival);
    count += m;
    rest -= arrival;
  }
  for (let sum = drawExponential(random); sum < rest; sum += drawExponential(random)) count++;
  return count;
}

/**
 * Binomial: many trials are split at an order statistic (Devroye 1986, X.4.4).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawBinomial } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawBinomial(random, 10, 0.3));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 3) < 0.21); // four standard errors
 * ```
 */
export function drawBinomial(random: RandomStream, n: number, p: number): number {
  if (!(n >= 0 && p >= 0 && p <= 1)) return NaN;
  let [trials, chance, count] = [n, p, 0];
  while (trials > 20) {
    const k = 1 + Math.floor(trials / 2);
    const middle = drawBeta(random, k, trials + 1 - k);
    if (middle <= chance) {
      count += k;
      trials -= k;
      chance = Math.min(1, (chance - middle) / (1 - middle));
    } else {
      trials = k - 1;
      chance = Math.min(1, chance / middle);
    }
  }
  for (let i = 0; i < trials; i++) if (random.uniform() < chance) count++;
  return count;
}

/**
 * Negative binomial by mean and shape: a Poisson distribution with a gamma mean.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawNegativeBinomial } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawNegativeBinomial(random, 4, 2));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 4) < 0.49); // four standard errors
 * ```
 */
export function drawNegativeBinomial(random: RandomStream, mu: number, alpha: number): number {
  return drawPoisson(random, drawGamma(random, alpha) * mu / alpha);
}

/**
 * The number of trials to the first success.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawGeometric } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawGeometric(random, 0.5));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 2) < 0.20); // four standard errors
 * ```
 */
export function drawGeometric(random: RandomStream, p: number): number {
  if (!(p > 0 && p <= 1)) return NaN;
  return p === 1 ? 1 : Math.max(1, Math.ceil(log(random.uniform()) / log1p(-p)));
}

/**
 * The number of marked ones among n drawn without replacement.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawHypergeometric } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawHypergeometric(random, 20, 8, 5));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 2) < 0.14); // four standard errors
 * ```
 */
export function drawHypergeometric(
  random: RandomStream,
  total: number,
  marked: number,
  n: number,
): number {
  let [left, good, count] = [total, marked, 0];
  for (let i = 0; i < n; i++, left--) {
    if (random.uniform() * left >= good) continue;
    good--;
    count++;
  }
  return count;
}

/**
 * Inverse Gaussian (Michael, Schucany and Haas 1976).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawWald } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawWald(random, 2, 8));
 * const mean = draws.reduce((sum, one) => sum + one, 0) / 1000;
 * assert(Math.abs(mean - 2) < 0.14); // four standard errors
 * ```
 */
export function drawWald(random: RandomStream, mu: number, lam: number): number {
  const z = drawNormal(random);
  const y = mu * z * z;
  const x = mu + 0.5 * mu / lam * (y - Math.sqrt(y * (4 * lam + y)));
  return random.uniform() * (mu + x) <= mu ? x : mu * mu / x;
}

/**
 * Von Mises about 0 (Best and Fisher 1979).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawVonMises } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const draws = Array.from({ length: 1000 }, () => drawVonMises(random, 2) < 0);
 * const share = draws.filter((one) => one).length / 1000;
 * assert(Math.abs(share - 0.5) < 0.07); // four standard errors
 * ```
 */
export function drawVonMises(random: RandomStream, kappa: number): number {
  if (kappa < 1e-6) return Math.PI * (2 * random.uniform() - 1);
  const tau = 1 + Math.sqrt(1 + 4 * kappa * kappa);
  const rho = (tau - Math.sqrt(2 * tau)) / (2 * kappa);
  const r = (1 + rho * rho) / (2 * rho);
  for (;;) {
    // The angle of a uniform point on the circle, and its cosine.
    const z = cos(Math.PI * random.uniform());
    const f = (1 + r * z) / (r + z);
    const c = kappa * (r - f);
    const u = random.uniform();
    if (!(c * (2 - c) > u || log(c / u) + 1 - c >= 0)) continue;
    const angle = arccosine(Math.min(1, Math.max(-1, f)));
    return random.uniform() < 0.5 ? -angle : angle;
  }
}

/**
 * Which of `size` codes, by weights from `offset` that need not sum to one.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawCode } from "./samplers.ts";
 * const random = new RandomStream("seed");
 * const weights = [9, 1, 0, 3]; // 0 is never drawn
 * for (let k = 0; k < 100; k++) assert.notEqual(drawCode(random, weights, 1, 3), 1);
 * ```
 */
export function drawCode(
  random: RandomStream,
  weights: ArrayLike<number>,
  offset: number,
  size: number,
): number {
  let total = 0;
  for (let k = 0; k < size; k++) total += weights[offset + k];
  let u = random.uniform() * total;
  for (let k = 0; k < size - 1; k++) {
    u -= weights[offset + k];
    if (u < 0) return k;
  }
  return size - 1;
}

function arccosine(x: number): number {
  return 2 * atan(Math.sqrt((1 - x) / (1 + x)));
}
