/** Priors of single parameters, which replace those that a space writes. */
import { inputError } from "../../../base/diagnostic.ts";
import { listed } from "../../../base/listed.ts";
import { nearest } from "../../../base/nearest.ts";
import { literal } from "./design.ts";
import type { AnswerPriors, SpacePriors } from "./priors.ts";

/** Distributions such as `Normal(0, 1)` by parameter: `b[age]`, `intercept` or the name of a variable. */
export type ParameterPriors = Readonly<Record<string, string>>;

/** Arguments of distributions, in the order in which they are written. */
const distributions: Readonly<Record<string, readonly string[]>> = {
  Normal: ["mu", "sigma"],
  StudentT: ["nu", "mu", "sigma"],
  Cauchy: ["alpha", "beta"],
  Laplace: ["mu", "b"],
  LogNormal: ["mu", "sigma"],
  HalfNormal: ["sigma"],
  HalfCauchy: ["beta"],
  HalfStudentT: ["nu", "sigma"],
  Exponential: ["lam"],
  Gamma: ["alpha", "beta"],
  InverseGamma: ["alpha", "beta"],
  Beta: ["alpha", "beta"],
  Uniform: ["lower", "upper"],
};

/** The sentences on answers and widths, and those on single parameters. */
export function partedPriors(
  priors: SpacePriors | undefined,
): { readonly answers: AnswerPriors | undefined; readonly parameters: ParameterPriors } {
  const all = Object.entries(priors ?? {});
  const parameters = all.filter(([, said]) => typeof said === "string");
  const answers = all.filter(([, said]) => typeof said !== "string");
  return {
    answers: priors && Object.fromEntries(answers) as AnswerPriors,
    parameters: Object.fromEntries(parameters) as ParameterPriors,
  };
}

/** A text with the place of a parameter's prior in it. */
type Rewrite = (text: string) => string;

/**
 * Writes the given priors instead of a space's own.
 *
 * @param texts all texts of programs.
 * @param effects variables by their labels in reports: `age` is `b_age`.
 * @throws InputError `space/prior` for a parameter that no text has, or no distribution.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withParameterPriors } from "./parameter_priors.ts";
 * const text = 'b_age = pm.Normal("b_age", mu=0, sigma=2.5)';
 * const effects = new Map([["age", "b_age"]]);
 * const write = withParameterPriors({ "b[age]": "normal(0, 1)" }, [text], effects);
 * assert.equal(write(text), 'b_age = pm.Normal("b_age", mu=0, sigma=1)');
 * ```
 */
export function withParameterPriors(
  priors: ParameterPriors,
  texts: readonly string[],
  effects: ReadonlyMap<string, string>,
): Rewrite {
  const known = new Set(
    texts.flatMap((text) => [...text.matchAll(scalar)].map(([, , name]) => name)),
  );
  const calls = new Map(
    Object.entries(priors).map(([asked, said]) => {
      const variable = variableOf(asked, effects, known);
      return [variable, callOf(asked, said, variable)] as const;
    }),
  );
  return (text) =>
    text.replace(scalar, (whole, start: string, name: string) => {
      const own = calls.get(name);
      return own === undefined ? whole : `${start}${own}`;
    });
}

/** A statement that gives one number a prior. */
const scalar = /^([ \t]*\w+ = )pm\.\w+\("(\w+)"(?:(?!shape=|observed=).)*\)$/gm;

/** The variable of a parameter that is called like a term, or by its own name. */
function variableOf(
  asked: string,
  effects: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): string {
  const [, term] = /^b\[(.+)\]$/.exec(asked) ?? [];
  const name = term === undefined
    ? asked.toLowerCase() === "intercept" ? "intercept" : asked
    : term;
  const variable = term === undefined ? name : effects.get(name) ?? "";
  if (known.has(variable)) return variable;
  const terms = [...effects].filter(([, own]) => known.has(own)).map(([label]) => `b[${label}]`);
  const coefficients = new Set(effects.values());
  const others = [...known].filter((one) => !coefficients.has(one));
  const meant = nearest(asked, [...terms, ...others]);
  const message = `Cannot use the prior of "${asked}": no program has such a parameter`;
  const hint = `${meant ? `did you mean "${meant}"? ` : ""}parameters: ${
    listed([...terms, ...others])
  }`;
  throw inputError("space/prior", message, undefined, hint);
}

function callOf(asked: string, said: string, variable: string): string {
  const [, word = "", inside = ""] = /^\s*(\w+)\s*\(([^()]*)\)\s*$/.exec(said) ?? [];
  const family = Object.keys(distributions)
    .find((name) => name.toLowerCase() === word.toLowerCase().replaceAll("_", ""));
  const parts = inside.split(",").map((one) => one.trim());
  const wanted = family === undefined ? [] : distributions[family];
  const numbers = parts.map((part, i) => {
    const [, name = wanted[i], value] = /^(?:(\w+)\s*=\s*)?([-+.\de]+)$/.exec(part) ?? [];
    return [name, Number(value)] as const;
  });
  const isWhole = numbers.length === wanted.length &&
    wanted.every((name) => numbers.filter(([own]) => own === name).length === 1) &&
    numbers.every(([, value]) => Number.isFinite(value));
  if (family !== undefined && isWhole) {
    const values = new Map(numbers);
    const args = wanted.map((name) => `${name}=${literal(values.get(name)!)}`).join(", ");
    return `pm.${family}("${variable}", ${args})`;
  }
  const message = `Cannot read the prior of "${asked}": ${JSON.stringify(said)}`;
  const hint = family === undefined
    ? `wanted a distribution with numbers, as Normal(0, 1): ${
      Object.keys(distributions).join(", ")
    }`
    : `wanted ${family}(${wanted.join(", ")}), each a number`;
  throw inputError("space/prior", message, undefined, hint);
}
