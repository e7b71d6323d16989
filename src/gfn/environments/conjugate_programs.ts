/** Probabilistic programs whose marginal likelihoods are known, so that the posterior is known too. */
import { z } from "../../base/zod.ts";
import { exp, log, tanh } from "../../numerics/math/mod.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import type { Environment } from "./environment.ts";
import { requireEnumerable, SpecChecks } from "./checks.ts";
import {
  logMarginalLikelihood,
  type RegressionSums,
  regressionSums,
} from "./normal_inverse_gamma.ts";
import { maskOf, treeEnvironment, type TreeState } from "./tree.ts";

/** Data and basis functions of the programs. */
export interface ConjugateProgramsSpec {
  /** Basis functions that a program may take, in order: some of {@linkcode basisNames}. */
  readonly terms: readonly string[];
  /** Names of predictor and response, as programs read them. */
  readonly columns: readonly [string, string];
  /** The predictor, one number per datum, at most 20 in size. */
  readonly x: readonly number[];
  /** The response, one number per datum. */
  readonly y: readonly number[];
}

interface Basis {
  readonly text: string;
  readonly value: (x: number) => number;
}

const bases: Readonly<Record<string, Basis>> = {
  linear: { text: "x", value: (x) => x },
  quadratic: { text: "x * x", value: (x) => x * x },
  cubic: { text: "x * x * x", value: (x) => x * x * x },
  absolute: { text: "pm.math.abs(x)", value: Math.abs },
  exponential: { text: "pm.math.exp(x)", value: exp },
  sigmoid: { text: "pm.math.tanh(x)", value: tanh },
};

/** Names of the basis functions. */
const basisNames: readonly string[] = Object.keys(bases);

const parameters = z.strictObject({
  terms: z.array(z.enum(basisNames)).default([...basisNames]).describe(
    "terms that a program may have, in this order",
  ),
});

/** Sixteen points of a bent line. */
const defaultData: Pick<ConjugateProgramsSpec, "columns" | "x" | "y"> = {
  columns: ["x", "y"],
  x: [-2, -1.75, -1.5, -1.2, -1, -0.7, -0.4, -0.1, 0.2, 0.4, 0.8, 1, 1.3, 1.5, 1.8, 2],
  y: [
    0.42,
    0.14,
    0.35,
    -0.08,
    0.21,
    0.18,
    0.05,
    0.37,
    0.61,
    0.48,
    1.22,
    1.31,
    2.04,
    2.11,
    2.98,
    3.11,
  ],
};

/** Prior of the noise variance: inverse gamma, and its weight in the grammar. */
const noises = [
  { name: "little noise", shape: 3, scale: 0.1, weight: 1 },
  { name: "some noise", shape: 2, scale: 1, weight: 2 },
  { name: "much noise", shape: 1, scale: 5, weight: 1 },
] as const;

/** Prior of a coefficient, in units of the noise, and its weight in the grammar. */
const widths = [
  { name: "narrow", width: 1, weight: 2 },
  { name: "wide", width: 10, weight: 1 },
] as const;

const exitWeight = 4;

/** Noise and terms chosen so far; term 0 is the intercept. */
export interface Choices {
  /** Index of the prior of the noise variance; −1 before it is chosen. */
  readonly noise: number;
  /** Terms in the order of the grammar, each at most once. */
  readonly columns: readonly number[];
  /** Prior standard deviation of each coefficient, in units of the noise. */
  readonly widths: readonly number[];
}

/**
 * A small grammar of linear models with conjugate priors: a prior of the noise variance, an
 * intercept, then any of the terms in their order, each with a narrow or a wide prior; the exit is
 * legal after the intercept. With six terms 3 · 2 · 3^6 = 4,374 PyMC programs.
 *
 *     log R = log prior of the program + log p(y | program)
 *
 * so R / Z is the exact posterior over programs, and log Z the log evidence of the whole
 * grammar. p(y | program) has a closed form ({@linkcode logMarginalLikelihood}).
 *
 * @throws InputError with every finding on the spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { conjugateProgramsEnvironment, defaultConjugatePrograms } from "./conjugate_programs.ts";
 * const spec = { ...defaultConjugatePrograms, terms: ["linear"] };
 * const objects = [...conjugateProgramsEnvironment(spec).enumerate()];
 * assert.equal(objects.length, 18);
 * const best = objects.reduce((a, b) => a.logReward! > b.logReward! ? a : b);
 * assert.ok(best.features.includes("narrow linear"));
 * ```
 */
export function conjugateProgramsEnvironment(
  spec: ConjugateProgramsSpec,
): Environment<TreeState<Choices>> {
  check(spec);
  const { terms, x, y } = spec;
  const chosen = terms.map((name) => bases[name]);
  const sums = regressionSums([x.map(() => 1), ...chosen.map(({ value }) => x.map(value))], y);
  const names = ["intercept", ...terms].flatMap((term) => widths.map((w) => `${w.name} ${term}`));
  const actionNames = [...noises.map(({ name }) => name), ...names, "exit"];
  const rules = grammarRules(terms.length, actionNames.length);
  const count = noises.length * widths.length * (widths.length + 1) ** terms.length;
  return treeEnvironment<Choices>({
    kind: "conjugate_programs",
    spec,
    actionNames,
    maxActions: terms.length + 3,
    count,
    initial: { noise: -1, columns: [], widths: [] },
    after: chooseAction,
    legal: (choices) => rules.masks[stageOf(choices)],
    logPrior: (choices) => rules.logPriors[stageOf(choices)],
    object: (choices, actions) => ({
      text: programText(choices, spec),
      features: actions.map((action) => actionNames[action]),
    }),
    logReward: (choices, logPrior) => logPrior + evidence(sums, choices),
    requireEnumerable: () => requireEnumerable("conjugate_programs", count),
  });
}

function chooseAction(choices: Choices, action: number): Choices {
  if (choices.noise < 0) return { ...choices, noise: action };
  const at = action - noises.length;
  return {
    ...choices,
    columns: [...choices.columns, Math.floor(at / widths.length)],
    widths: [...choices.widths, widths[at % widths.length].width],
  };
}

/** 0: the noise is next; 1: the intercept; j + 2: column j was the last. */
function stageOf({ noise, columns }: Choices): number {
  if (noise < 0) return 0;
  return columns.length === 0 ? 1 : 2 + columns[columns.length - 1];
}

/** Masks and log priors by stage. */
function grammarRules(terms: number, size: number) {
  const weightsOf = Array.from({ length: terms + 3 }, (_, stage) => {
    const weights = new Float64Array(size);
    if (stage === 0) noises.forEach(({ weight }, i) => weights[i] = weight);
    const [low, high] = stage === 1 ? [0, 0] : [stage - 1, terms];
    for (let column = low; stage > 0 && column <= high; column++) {
      widths.forEach(({ weight }, w) => {
        weights[noises.length + column * widths.length + w] = weight;
      });
    }
    if (stage >= 2) weights[size - 1] = exitWeight;
    return weights;
  });
  return {
    masks: weightsOf.map((weights) =>
      maskOf(size, [...weights.keys()].filter((a) => weights[a] > 0))
    ),
    logPriors: weightsOf.map((weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return weights.map((weight) => weight > 0 ? log(weight / total) : -Infinity);
    }),
  };
}

function evidence(sums: RegressionSums, choices: Choices): number {
  const { shape, scale } = noises[choices.noise];
  return logMarginalLikelihood(sums, {
    shape,
    scale,
    columns: choices.columns,
    widths: choices.widths,
  });
}

function programText(
  { noise, columns, widths }: Choices,
  { terms, columns: [predictor, response] }: ConjugateProgramsSpec,
): string {
  const { shape, scale } = noises[noise];
  const names = columns.map((column) => column === 0 ? "intercept" : terms[column - 1]);
  const priors = names.map((name, i) =>
    `    ${name} = pm.Normal("${name}", mu=0, sigma=${widths[i]} * sigma)`
  );
  const mean = names.map((name) => name === "intercept" ? name : `${name} * ${bases[name].text}`);
  return [
    "import pymc as pm",
    "",
    "with pm.Model() as model:",
    `    x = data["${predictor}"]`,
    `    variance = pm.InverseGamma("variance", alpha=${shape}, beta=${scale})`,
    "    sigma = pm.math.sqrt(variance)",
    ...priors,
    `    mean = ${mean.join(" + ")}`,
    `    y = pm.Normal("y", mu=mean, sigma=sigma, observed=data["${response}"])`,
    "",
  ].join("\n");
}

function check({ terms, x, y }: ConjugateProgramsSpec): void {
  const checks = new SpecChecks("conjugate_programs");
  for (const term of terms) checks.choice("a term", term, basisNames);
  const repeated = terms.find((name, i) => terms.indexOf(name) !== i);
  checks.require(repeated === undefined, `"${repeated}" stands twice`, "write each term once");
  checks.require(x.length > 0, "there are no data", "give at least one row");
  checks.require(x.length === y.length, `${x.length} x and ${y.length} y`, "give as many of both");
  const bad = [...x, ...y].find((value) => !Number.isFinite(value));
  checks.require(bad === undefined, `a datum is ${bad}`, "write finite numbers");
  const large = x.find((value) => Math.abs(value) > 20);
  checks.require(large === undefined, `x is ${large}`, "scale x to at most 20 in size");
  checks.done();
}

/** 4,374 programs. */
export const defaultConjugatePrograms: ConjugateProgramsSpec = {
  ...defaultData,
  ...parameters.parse({}),
};

/** The environment of conjugate programs, as pipelines make it. */
export const conjugatePrograms: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "conjugate_programs",
  description: "PyMC programs with conjugate priors; the reward is prior × marginal likelihood.",
  called: "the programs",
  parameters,
  specOf: ({ terms }): ConjugateProgramsSpec => ({ ...defaultData, terms }),
  make: conjugateProgramsEnvironment,
});
