/** Densities of counts, choices and Student responses, written out, and draws of them. */
import { lgamma } from "../../../../src/numerics/math/gamma.ts";
import type { RandomStream } from "../../../../src/base/random.ts";

/** A kind of response: how a program writes it, and its density given its linear predictor. */
export interface Response {
  readonly name: string;
  /** Type of the response in a data set. */
  readonly type: "count" | "real";
  /** The likelihood of a program, for the text of a linear predictor and of a dispersion. */
  readonly text: (eta: string, dispersion: string) => string;
  /** Whether there is a dispersion, and about how large it is. */
  readonly dispersion?: number;
  /** log p(y | eta, dispersion). */
  readonly logDensity: (y: number, eta: number, dispersion: number) => number;
  readonly draw: (random: RandomStream, eta: number, dispersion: number) => number;
  /** Distance of points that sums over a predictor may have. */
  readonly spacing: number;
  /** An outlying value, on the side of y that has room. */
  readonly outlier: (y: number) => number;
}

/** Degrees of freedom of Student responses. */
const freedom = 4;
/** Trials of binomial responses. */
const trials = 12;

const softplus = (u: number) => u > 0 ? u + Math.log1p(Math.exp(-u)) : Math.log1p(Math.exp(u));
const logChoose = (n: number, k: number) => lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
const factorials: number[] = [];
const logFactorial = (k: number) => factorials[k] ??= lgamma(k + 1);
const logChoices = Array.from({ length: trials + 1 }, (_, k) => logChoose(trials, k));

/** A count by adding up chances. */
function byChances(random: RandomStream, logChance: (k: number) => number, most: number): number {
  let rest = random.uniform();
  for (let k = 0; k < most; k++) {
    rest -= Math.exp(logChance(k));
    if (rest < 0) return k;
  }
  return most;
}

const poisson: Response = {
  name: "Poisson",
  spacing: 0.07,
  type: "count",
  text: (eta) => `pm.Poisson("y", mu=pm.math.exp(${eta}), observed=data["y"])`,
  logDensity: (y, eta) => y * eta - Math.exp(eta) - logFactorial(y),
  draw: (random, eta) => byChances(random, (k) => poisson.logDensity(k, eta, 0), 500),
  outlier: (y) => 4 * y + 9,
};

const bernoulli: Response = {
  name: "Bernoulli",
  spacing: 0.25,
  type: "count",
  text: (eta) => `pm.Bernoulli("y", logit_p=${eta}, observed=data["y"])`,
  logDensity: (y, eta) => y * eta - softplus(eta),
  draw: (random, eta) => random.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0,
  outlier: (y) => 1 - y,
};

const binomial: Response = {
  name: "binomial",
  spacing: 0.2,
  type: "count",
  text: (eta) => `pm.Binomial("y", n=${trials}, logit_p=${eta}, observed=data["y"])`,
  logDensity: (y, eta) => logChoices[y] + y * eta - trials * softplus(eta),
  draw: (random, eta) => byChances(random, (k) => binomial.logDensity(k, eta, 0), trials),
  outlier: (y) => 2 * y > trials ? 0 : trials,
};

const negativeBinomial: Response = {
  name: "negative binomial",
  spacing: 0.15,
  type: "count",
  text: (eta, alpha) =>
    `pm.NegativeBinomial("y", mu=pm.math.exp(${eta}), alpha=${alpha}, observed=data["y"])`,
  dispersion: 4,
  logDensity(y, eta, alpha) {
    const logMean = eta - Math.log(alpha);
    const rest = softplus(logMean);
    let rising = 0;
    for (let k = 0; k < y; k++) rising += Math.log(alpha + k);
    return rising - logFactorial(y) - alpha * rest + y * (logMean - rest);
  },
  draw: (random, eta, alpha) =>
    byChances(random, (k) => negativeBinomial.logDensity(k, eta, alpha), 500),
  outlier: (y) => 5 * y + 12,
};

const studentConstant = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) -
  0.5 * Math.log(freedom * Math.PI);

const student: Response = {
  name: "Student",
  spacing: 0.12,
  type: "real",
  text: (eta, sigma) =>
    `pm.StudentT("y", nu=${freedom}, mu=${eta}, sigma=${sigma}, observed=data["y"])`,
  dispersion: 0.4,
  logDensity(y, eta, sigma) {
    const z = (y - eta) / sigma;
    return studentConstant - Math.log(sigma) -
      0.5 * (freedom + 1) * Math.log1p(z * z / freedom);
  },
  draw(random, eta, sigma) {
    const normal = () =>
      Math.sqrt(-2 * Math.log(random.uniform() + 1e-300)) *
      Math.cos(2 * Math.PI * random.uniform());
    let squares = 0;
    for (let k = 0; k < freedom; k++) squares += normal() ** 2;
    return Number((eta + sigma * normal() / Math.sqrt(squares / freedom)).toFixed(3));
  },
  outlier: (y) => Number((y + 6).toFixed(3)),
};

/** All kinds of responses. */
export const responses: readonly Response[] = [
  poisson,
  bernoulli,
  binomial,
  negativeBinomial,
  student,
];
