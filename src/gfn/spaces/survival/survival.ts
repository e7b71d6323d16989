/** A space of survival models as a grammar: which terms change how long it takes, and which distribution. */
import { type Column, type Dataset, limitNames } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import { headOf, withWindows } from "../regression/bounded_response.ts";
import { likelihoodOf } from "../regression/families.ts";
import type { ResponseBounds } from "../regression/family_table.ts";
import { logMeanExp, offsetsOf } from "../regression/offsets.ts";
import { checkRows, Predictor } from "../regression/predictor.ts";
import { Columns, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import { exponential, gammaShape, weibullShape } from "../writing/own_priors.ts";
import type { SpacePriors } from "../writing/priors.ts";
import { SpaceWriter } from "../writing/space_writer.ts";
import type { SurvivalName } from "./family_names.ts";

/** Options of a space of survival models. */
interface SurvivalSpace {
  /** `months | event(died) ~ [x]`. */
  readonly formula: Formula;
  /** Families, equally likely a priori unless `priors` gives others. */
  readonly families: readonly SurvivalName[];
  readonly priors?: SpacePriors;
  readonly margins?: boolean;
}

/**
 * The grammar of a space of accelerated failure times (Kalbfleisch and Prentice 2002, ch. 2): terms
 * add to the logarithm of the scale of the times, in every distribution, so that an effect of 0.7 means twice
 * as long. Rows without an event contribute the probability of a later one.
 *
 * @throws InputError where a time is not above 0, the event is no 0 and 1 column, or the formula does not
 * suit the data.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { survivalGrammar } from "./survival.ts";
 * const column = (name: string, role: "response" | "predictor" | "event" | "limit", ...values: number[]) =>
 *   ({ name, role, type: "real" as const, values: Float64Array.from(values) });
 * const data = makeDataset("trial", [
 *   column("months", "response", 3, 5, 8, 2, 9),
 *   column("died", "event", 1, 0, 1, 1, 0),
 *   column("months_limit", "limit", 18, 5, 18, 18, 9),
 *   column("dose", "predictor", 0, 1, 1, 0, 1),
 * ]);
 * const formula = parseFormula("months | event(died) ~ [dose]");
 * const grammar = survivalGrammar(data, { formula, families: ["weibull", "exponential"] });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["dose", "family"]);
 * ```
 */
export function survivalGrammar(dataset: Dataset, space: SurvivalSpace): GrammarSpec {
  const { formula, families, priors, margins } = space;
  const columns = new Columns(dataset);
  const times = columns.response(formula.response.column);
  checkPlain(formula);
  checkTimes(times);
  const bounds = boundsOf(dataset, formula);
  const writer = new SpaceWriter("survival", priors);
  const width = writer.spaceWidth();
  const added = logMeanExp(offsetsOf(columns, formula.parts));
  const centre = literal(twoDigits(log(meanTime(dataset, times)) - added));
  writer.line(`eta = pm.Normal("intercept", mu=${centre}, sigma=${width}2.5)`);
  const scale = { variable: "eta", prefix: "", scale: 1, width, margins, ratio: "time ratio" };
  const predictor = new Predictor(writer, columns, formula, scale);
  predictor.write();
  checkRows(predictor.coefficients, dataset.rows);
  const called = writer.nameOfObserved(columns.slug(times.name));
  const own = writer.widthOf("family");
  const observed = readOf(times.name);
  const choices = families.map((answer) => {
    const { prior, distribution } = distributions[answer];
    const likelihood = likelihoodOf(distribution, { called, observed }, bounds);
    return { answer, lines: [...prior(own), likelihood] };
  });
  writer.ask("family", choices);
  return writer.grammar(headOf(bounds), predictor.sources);
}

interface Distribution {
  readonly prior: (width: string) => readonly string[];
  readonly distribution: readonly [family: string, args: string];
}

/** One spread of the logarithm has one prior density in all of them; exponential times have 1.28. */
const distributions: Readonly<Record<SurvivalName, Distribution>> = {
  weibull: {
    prior: weibullShape,
    distribution: ["Weibull", "alpha=shape, beta=pm.math.exp(eta)"],
  },
  log_normal: {
    prior: (width) => [exponential("sigma", 1, width)],
    distribution: ["LogNormal", "mu=eta, sigma=sigma"],
  },
  gamma: {
    prior: gammaShape,
    distribution: ["Gamma", "alpha=shape, beta=shape / pm.math.exp(eta)"],
  },
  exponential: { prior: () => [], distribution: ["Exponential", "lam=pm.math.exp(-eta)"] },
};

function checkPlain({ response, intercept, others }: Formula): void {
  const { by, asked, trials, error } = response;
  if (!by && !asked && !trials && !error && intercept && others.length === 0) return;
  const message = "Cannot read the formula of a space of survival models";
  const hint = "write time | event(died) ~ terms: the logarithm is in the distributions already";
  throw inputError("formula/survival", message, undefined, hint);
}

function checkTimes({ name, values }: Column): void {
  const row = values.findIndex((time) => time <= 0);
  if (row < 0) return;
  const message = `Cannot use "${name}" as a time: it is ${values[row]} in row ${row + 1}`;
  const hint = "wanted numbers above 0; where 0 means less than a day, write half a day";
  throw inputError("space/time", message, undefined, hint);
}

/** The limits of censored rows; none where every event was observed. */
function boundsOf(dataset: Dataset, { response }: Formula): ResponseBounds | undefined {
  const event = dataset.columns.find(({ role }) => role === "event");
  const named = response.event ?? response.censored;
  const word = response.event === undefined ? "cens" : "event";
  if (named !== undefined && named !== event?.name) throw noEvent(dataset, word, named);
  if (event !== undefined && named === undefined) throw unsaid(event.name, response.column);
  if (event?.categories?.length === 4) return withWindows(response.column);
  const names = limitNames(response.column);
  const limits = dataset.columns.filter(({ role }) => role === "limit");
  const limitOf = (name: string) => limits.some((one) => one.name === name) ? readOf(name) : "None";
  const [lower, upper] = [names.below, names.above].map(limitOf);
  const said = limits.find(({ name }) => name !== names.below && name !== names.above);
  if (said) return { within: "Censored", lower, upper: readOf(said.name) };
  return limits.length > 0 ? { within: "Censored", lower, upper } : undefined;
}

function noEvent({ columns, name }: Dataset, word: string, named: string): Error {
  const found = columns.find((one) => one.name === named);
  const message = `Cannot use ${word}(${named}): ` +
    (found ? `its role is ${found.role}` : `data set "${name}" has no such column`);
  const hint = `give it the role in the stage of the data: ${named} = { role = "event" }; 1 for ` +
    "an event, 0 for a censored row";
  return inputError("formula/event", message, undefined, hint);
}

function unsaid(event: string, time: string): Error {
  const message =
    `Cannot tell what "${event}" is for: it is an event, and the formula does not say so`;
  return inputError("formula/event", message, undefined, `write ${time} | event(${event}) ~ …`);
}

/** All time over the number of events, the estimated mean of exponential times. */
function meanTime({ columns }: Dataset, { name, values }: Column): number {
  const names = limitNames(name);
  const limit = columns.find(({ role, name: own }) => role === "limit" && own !== names.below);
  const isEnd = (time: number, i: number) =>
    limit?.name === names.from ? true : limit === undefined || time < limit.values[i];
  const events = values.filter(isEnd).length;
  return values.reduce((sum, time) => sum + time, 0) / Math.max(1, events);
}
