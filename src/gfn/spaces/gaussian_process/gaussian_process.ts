/** A space of Gaussian processes as a grammar: which kernel, added and multiplied. */
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import { curveColumns } from "../curves/plain_formula.ts";
import type { Formula } from "../formula/formula.ts";
import { Columns, moments, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import type { SpacePriors } from "../writing/priors.ts";
import type { KernelName } from "../space_names.ts";
import { type Choice, SpaceWriter } from "../writing/space_writer.ts";

/** Options of a space of Gaussian processes. */
interface GaussianProcessSpace {
  /** `y ~ x`. */
  readonly formula: Formula;
  /** Kernels to be joined; linear and exp_quad, with a period also periodic, if left out. */
  readonly kernels?: readonly KernelName[];
  /** 1: kernels alone; 2: sums and products of two as well. */
  readonly depth?: 1 | 2;
  /** About which periods lie, in units of the column; a third of its range, if left out. */
  readonly period?: number;
  readonly priors?: SpacePriors;
}

/** Rows below which a kernel is not asked about, and above which a score takes minutes. */
const [leastRows, mostRows] = [10, 400];

/**
 * The grammar of a space of Gaussian processes whose kernels are sums and products of a few (Duvenaud
 * et al. 2013, Structure Discovery in Nonparametric Regression, ICML). Half of the prior is that of
 * kernels alone, a quarter each that of sums and of products.
 *
 * @throws InputError where the formula is no `y ~ x`, or there are too few or too many rows.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { gaussianProcessGrammar } from "./gaussian_process.ts";
 * const x = Float64Array.from({ length: 12 }, (_, i) => i);
 * const data = makeDataset("made", [
 *   { name: "y", role: "response", type: "real", values: x.map((one) => one + one % 4) },
 *   { name: "x", role: "predictor", type: "real", values: x },
 * ]);
 * const formula = parseFormula("y ~ x");
 * const kernels = ["linear", "periodic"] as const;
 * const grammar = gaussianProcessGrammar(data, { formula, kernels, depth: 2 });
 * const [{ productions }] = grammar.holes;
 * assert.deepEqual(productions.map(({ answer }) => answer), [
 *   "linear", "periodic", "linear + periodic", "linear * periodic",
 * ]);
 * ```
 */
export function gaussianProcessGrammar(
  dataset: Dataset,
  space: GaussianProcessSpace,
): GrammarSpec {
  const { formula, priors, depth = 2, period } = space;
  const columns = new Columns(dataset);
  checkLeft(formula);
  const { response, across } = curveColumns(columns, formula, "Gaussian processes", leastRows);
  if (dataset.rows > mostRows) throw tooMany(dataset.rows);
  const usual = ["linear", "exp_quad"] as const;
  const kernels = space.kernels ?? (period === undefined ? usual : [...usual, "periodic"]);
  const writer = new SpaceWriter("gaussian_process", priors);
  const width = writer.spaceWidth();
  const { mean, sd } = moments(response.values);
  const least = across.values.reduce((a, b) => Math.min(a, b));
  const range = across.values.reduce((a, b) => Math.max(a, b)) - least;
  const text = (value: number) => literal(twoDigits(value));
  const numbers = {
    width: writer.widthOf("kernel"),
    sd: text(sd),
    logLength: text(log(range / 5)),
    logPeriod: text(log(period ?? range / 3)),
    /** A given period is known to a tenth, an unknown one to a factor of two. */
    periodWidth: period === undefined ? "0.7" : "0.1",
    centre: text(moments(across.values).mean),
    range: text(range / 2),
  };
  writer.line(`x = ${readOf(across.name)}[:, None]`);
  writer.ask("kernel", [
    ...kernels.map((kernel) => alone(kernel, numbers, (depth === 1 ? 1 : 0.5) / kernels.length)),
    ...(depth === 1 ? [] : pairsOf(kernels).flatMap(([a, b], _, { length }) => [
      joined("+", a, b, numbers, 0.25 / length),
      joined("*", a, b, numbers, 0.25 / length),
    ])),
  ]);
  const called = writer.nameOfObserved(columns.slug(response.name));
  writer.line(
    `intercept = pm.Normal("intercept", mu=${text(mean)}, sigma=${width}${text(2.5 * sd)})`,
    `sigma = pm.HalfNormal("sigma", sigma=${width}${text(sd)})`,
    "gp = pm.gp.Marginal(mean_func=pm.gp.mean.Constant(intercept), cov_func=kernel)",
    `gp.marginal_likelihood(${called}, X=x, y=${readOf(response.name)}, sigma=sigma)`,
  );
  return writer.grammar(["import numpy as np", "import pymc as pm"]);
}

interface KernelNumbers {
  readonly width: string;
  readonly sd: string;
  readonly logLength: string;
  readonly logPeriod: string;
  readonly periodWidth: string;
  readonly centre: string;
  readonly range: string;
}

/** The statements of one kernel, whose variables end with its number, and its expression. */
function kernelOf(kernel: KernelName, n: number, numbers: KernelNumbers) {
  const { width, logLength, logPeriod, periodWidth, centre, range } = numbers;
  const length = `length${n} = pm.LogNormal("length${n}", mu=${logLength}, sigma=${width}1.0)`;
  switch (kernel) {
    case "linear": // of height 1 at the ends of the range
      return { lines: [], text: `pm.gp.cov.Linear(1, c=${centre}) * ${squared(range)}` };
    case "exp_quad":
      return { lines: [length], text: `pm.gp.cov.ExpQuad(1, ls=length${n})` };
    case "matern32":
      return { lines: [length], text: `pm.gp.cov.Matern32(1, ls=length${n})` };
    case "periodic":
      return {
        lines: [
          `period${n} = pm.LogNormal("period${n}", mu=${logPeriod}, sigma=${width}${periodWidth})`,
          `round${n} = pm.LogNormal("round${n}", mu=0, sigma=${width}0.7)`,
        ],
        text: `pm.gp.cov.Periodic(1, period=period${n}, ls=round${n})`,
      };
  }
}

/** 1 / range², as a factor. */
function squared(range: string): string {
  return literal(twoDigits(1 / (Number(range) * Number(range))));
}

function height(n: number, { width, sd }: KernelNumbers): string {
  return `height${n} = pm.HalfNormal("height${n}", sigma=${width}${sd})`;
}

function alone(kernel: KernelName, numbers: KernelNumbers, prior: number): Choice {
  const { lines, text } = kernelOf(kernel, 1, numbers);
  const sum = `kernel = height1 ** 2 * ${text}`;
  return { answer: kernel, prior, lines: [height(1, numbers), ...lines, sum] };
}

function joined(
  sign: "+" | "*",
  a: KernelName,
  b: KernelName,
  numbers: KernelNumbers,
  prior: number,
): Choice {
  const [one, two] = [kernelOf(a, 1, numbers), kernelOf(b, 2, numbers)];
  const heights = sign === "+" ? [height(1, numbers), height(2, numbers)] : [height(1, numbers)];
  const right = sign === "+" ? `height2 ** 2 * ${two.text}` : two.text;
  return {
    answer: `${a} ${sign} ${b}`,
    prior,
    name: `${a} ${sign === "+" ? "plus" : "times"} ${b}`,
    lines: [
      ...heights,
      ...one.lines,
      ...two.lines,
      `kernel = height1 ** 2 * ${one.text} ${sign} ${right}`,
    ],
  };
}

function pairsOf<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b] as const));
}

function checkLeft({ response: { trials, event, error } }: Formula): void {
  if (!trials && !event && !error) return;
  const message = "Cannot read the formula of a space of Gaussian processes: their noise is normal";
  throw inputError("formula/curve", message, undefined, "write y ~ x");
}

function tooMany(rows: number): Error {
  const message =
    `Cannot compare Gaussian processes of ${rows} rows: at most ${mostRows}, for the ` +
    "work grows with their cube";
  const hint = 'use spline(x, 5) in space = "regression"';
  return inputError("space/rows", message, undefined, hint);
}
