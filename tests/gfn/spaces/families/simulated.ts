/** Data of every family with a known effect of one predictor. */
import {
  type Column,
  type Dataset,
  limitNames,
  makeDataset,
} from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import { exp, log } from "../../../../src/numerics/math/mod.ts";
import {
  drawBeta,
  drawBinomial,
  drawExponential,
  drawGamma,
  drawNegativeBinomial,
  drawNormal,
  drawPoisson,
  drawStudentT,
} from "../../../../src/numerics/math/samplers.ts";
import type { SpaceName } from "../../../../src/gfn/spaces/space_names.ts";

/** A draw of a response given its linear predictor. */
type Draw = (eta: number, random: RandomStream) => number;

/** How data of a family are made. */
interface Simulated {
  readonly space: SpaceName;
  /** Intercept and effect of the predictor, whose standard deviation is 1. */
  readonly line: readonly [number, number];
  readonly type: "real" | "count" | "binary" | "category";
  readonly draw: Draw;
  readonly trials?: number;
}

/** Rows of a set. */
export const rows = 60;
const trials = 12;

const sigmoid = (eta: number) => 1 / (1 + exp(-eta));
const logistic = (random: RandomStream) => {
  const u = random.uniform();
  return log(u / (1 - u));
};
/** A draw by another until it is above 0. */
const positive = (draw: Draw): Draw => (eta, random) => {
  for (;;) {
    const y = draw(eta, random);
    if (y > 0) return y;
  }
};
/** A zero in three rows of ten, else another draw. */
const withZeros = (draw: Draw): Draw => (eta, random) =>
  random.uniform() < 0.3 ? 0 : draw(eta, random);
const rounded = (draw: Draw): Draw => (eta, random) =>
  Math.max(1e-4, Math.round(draw(eta, random) * 1e4) / 1e4);

const poisson: Draw = (eta, random) => drawPoisson(random, exp(eta));
const wide: Draw = (eta, random) => drawNegativeBinomial(random, exp(eta), 2);
const gamma = rounded((eta, random) => drawGamma(random, 4) * exp(eta) / 4);
const logNormal = rounded((eta, random) => exp(eta + 0.5 * drawNormal(random)));
const weibull = rounded((eta, random) => exp(eta + log(drawExponential(random)) / 1.5));
const exponential = rounded((eta, random) => exp(eta) * drawExponential(random));
const probitNoise = (random: RandomStream) => 1.7 * drawNormal(random);
/** log of the waiting time of an event at the rate 1, which is below 0 with the cloglog link. */
const hasHappened = (eta: number, random: RandomStream) => drawExponential(random) < exp(eta);
const binomialOf =
  (chance: (eta: number, random: RandomStream) => boolean): Draw => (eta, random) =>
    Array.from({ length: trials }, () => chance(eta, random) ? 1 : 0).reduce<number>(
      (a, b) => a + b,
      0,
    );
const beta: Draw = (eta, random) => {
  const p = sigmoid(eta);
  return Math.min(
    0.9999,
    Math.max(1e-4, Math.round(drawBeta(random, 8 * p, 8 * (1 - p)) * 1e4) / 1e4),
  );
};
const betaBinomial: Draw = (eta, random) => {
  const p = sigmoid(eta);
  return drawBinomial(random, trials, drawBeta(random, 8 * p, 8 * (1 - p)));
};
const stepsOf = (noise: (random: RandomStream) => number): Draw => (eta, random) => {
  const latent = eta + noise(random);
  return [-1, 0, 1.2].filter((cut) => latent > cut).length;
};

const counted = (draw: Draw): Simulated => ({
  space: "regression",
  line: [1.2, 0.5],
  type: "count",
  draw,
});
const amount = (draw: Draw, space: SpaceName = "regression"): Simulated => ({
  space,
  line: [1.2, 0.5],
  type: "real",
  draw,
});
const chance = (draw: Draw): Simulated => ({
  space: "regression",
  line: [-0.3, 0.8],
  type: "binary",
  draw,
});
const tried = (draw: Draw): Simulated => ({
  space: "regression",
  line: [-0.3, 0.8],
  type: "count",
  trials,
  draw,
});
const ordered = (draw: Draw): Simulated => ({
  space: "ordinal",
  line: [0, 0.8],
  type: "category",
  draw,
});

/** By family; those of survival have `survival_` before their names. */
export const simulatedFamilies: Readonly<Record<string, Simulated>> = {
  normal: amount((eta, random) => eta + drawNormal(random)),
  student_t: amount((eta, random) => eta + drawStudentT(random, 4)),
  log_normal: amount(logNormal),
  gamma: amount(gamma),
  exponential: amount(exponential),
  hurdle_log_normal: amount(withZeros(logNormal)),
  hurdle_gamma: amount(withZeros(gamma)),
  poisson: counted(poisson),
  negative_binomial: counted(wide),
  zero_inflated_poisson: counted(withZeros(poisson)),
  zero_inflated_negative_binomial: counted(withZeros(wide)),
  hurdle_poisson: counted(withZeros(positive(poisson))),
  hurdle_negative_binomial: counted(withZeros(positive(wide))),
  zero_truncated_poisson: counted(positive(poisson)),
  zero_truncated_negative_binomial: counted(positive(wide)),
  bernoulli: chance((eta, random) => random.uniform() < sigmoid(eta) ? 1 : 0),
  bernoulli_probit: chance((eta, random) => eta + probitNoise(random) > 0 ? 1 : 0),
  bernoulli_cloglog: chance((eta, random) => hasHappened(eta, random) ? 1 : 0),
  binomial: tried((eta, random) => drawBinomial(random, trials, sigmoid(eta))),
  binomial_probit: tried(binomialOf((eta, random) => eta + probitNoise(random) > 0)),
  binomial_cloglog: tried(binomialOf(hasHappened)),
  beta_binomial: tried(betaBinomial),
  zero_inflated_binomial: tried(
    withZeros((eta, random) => drawBinomial(random, trials, sigmoid(eta))),
  ),
  beta: { ...amount(beta), line: [-0.3, 0.8] },
  zero_inflated_beta: { ...amount(withZeros(beta)), line: [-0.3, 0.8] },
  survival_weibull: amount(weibull, "survival"),
  survival_log_normal: amount(logNormal, "survival"),
  survival_gamma: amount(gamma, "survival"),
  survival_exponential: amount(exponential, "survival"),
  ordered_logistic: ordered(stepsOf(logistic)),
  ordered_probit: ordered(stepsOf(probitNoise)),
};

/** Share of times of survival that are censored, about. */
const censoredAbove = 6;

/** A data set of a family. */
export function simulatedSet(family: string, set: number): Dataset {
  const { line: [start, slope], type, draw, trials, space } = simulatedFamilies[family];
  const random = new RandomStream("families", family, set);
  const x = Float64Array.from({ length: rows }, () => Math.round(100 * drawNormal(random)) / 100);
  const all = x.map((one) => draw(start + slope * one, random));
  const y = space === "survival" ? all.map((time) => Math.min(time, censoredAbove)) : all;
  const column = (name: string, role: Column["role"], values: Float64Array): Column => ({
    name,
    role,
    type: "real",
    values,
  });
  const categories = ["1", "2", "3", "4"];
  return makeDataset("simulated", [
    {
      ...column("y", "response", y),
      type,
      ...(type === "real" && { resolution: "continuous" as const }),
      ...(type === "category" && { categories, ordered: true as const }),
    },
    column("x", "predictor", x),
    ...trials === undefined ? [] : [{
      ...column("n", "trials", x.map(() => trials)),
      type: "count" as const,
    }],
    ...space === "survival"
      ? [
        {
          ...column("d", "event", y.map((t) => t < censoredAbove ? 1 : 0)),
          type: "binary" as const,
        },
        column(limitNames("y").above, "limit", y.map((t) => t < censoredAbove ? 12 : t)),
      ]
      : [],
  ]);
}
