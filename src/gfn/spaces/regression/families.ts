/** Families of the response: the data that each allows, and the statements it writes. */
import type { Column } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { Response } from "../formula/formula.ts";
import { type FamilyName, familyNames } from "./family_names.ts";
import {
  families,
  type Link,
  type ResponseBounds,
  type Written,
  zeroShares,
} from "./family_table.ts";
import { lessOffsets, logMeanExp } from "./offsets.ts";
import { moments } from "../writing/columns.ts";
import { readOf } from "../writing/design.ts";

/** Where the linear predictor lies a priori: the intercept about `mean`, effects in `scale`. */
export interface PredictorScale {
  readonly mean: number;
  readonly scale: number;
}

/**
 * The link that the families of a space share.
 *
 * @throws InputError `families/links` where they do not, `families/trials` where the number of
 * trials is missing, or given without a family that reads it.
 */
export function linkOf(names: readonly FamilyName[], { trials }: Response): Link {
  const links = new Map(names.map((name) => [families[name].link, name]));
  if (links.size > 1) {
    const [[a, one], [b, other]] = links;
    const message = `Cannot compare the families ${one} and ${other}: the terms of one are of ` +
      `its mean by the link ${a}, those of the other by ${b}`;
    const hint = "their coefficients are not the same questions: rank them in two spaces";
    throw inputError("families/links", message, undefined, hint);
  }
  for (const name of names) checkTrials(name, trials);
  return [...links.keys()][0];
}

/** Whether effects of all families are of one unit, so that an average of them means something. */
export function haveOneUnit(names: readonly FamilyName[]): boolean {
  const own = names.filter((name) => families[name].ownUnit).length;
  return own === 0 || own === names.length;
}

/** Whether a family counts successes among trials. */
function hasTrials(name: FamilyName): boolean {
  return families[name].likelihood[1].includes("TRIALS");
}

/** The exponential of an effect, where it is a ratio of odds, of rates or of means. */
export function ratioOf([name]: readonly FamilyName[]): string | undefined {
  const { link, ownUnit, suits } = families[name];
  if (link === "identity") return undefined;
  if (link === "logit") return ownUnit ? "rate ratio" : "odds ratio";
  return suits(0.5) ? "ratio" : "rate ratio";
}

function checkTrials(name: FamilyName, trials: string | undefined): void {
  const asked = hasTrials(name);
  if (asked === (trials !== undefined)) return;
  const message = asked
    ? `Cannot use family ${name}: the formula does not say how many trials there were`
    : `Cannot use family ${name}: it has no trials, and the formula says trials(${trials})`;
  const hint = asked
    ? "write y | trials(n) ~ …"
    : `use ${familyNames.filter(hasTrials).join(", ")}`;
  throw inputError("families/trials", message, undefined, hint);
}

/** @throws InputError `families/response` at the first row whose response a family cannot have. */
export function checkResponse(name: FamilyName, column: Column, values: Float64Array): void {
  const { link, wants } = families[name];
  if (link !== "softmax" && column.type === "category") throw ofNames(name, column);
  const row = values.findIndex((value) => !families[name].suits(value));
  if (row < 0) return;
  const message = `Cannot use family ${name}: it is for ${wants}, and ` +
    `${column.name} is ${values[row]} in row ${row + 1}`;
  const fits = familyNames.filter((other) =>
    families[other].link !== "softmax" && values.every((value) => families[other].suits(value))
  );
  throw inputError(
    "families/response",
    message,
    undefined,
    `families that fit: ${fits.join(", ")}`,
  );
}

function ofNames(name: FamilyName, { name: column, categories = [] }: Column): Error {
  const message =
    `Cannot use family ${name}: "${column}" is a category of ${categories.length} levels`;
  const hint = 'names without an order are families = ["categorical"], ordered ones ' +
    'space = "ordinal"';
  return inputError("families/response", message, undefined, hint);
}

/**
 * The scale of the linear predictor (rstanarm's: 2.5 sd of the response where the link is none), less
 * the offsets that are added to it.
 */
export function predictorScale(
  link: Link,
  values: Float64Array,
  { trials, offsets }: { readonly trials?: Float64Array; readonly offsets?: Float64Array } = {},
): PredictorScale {
  if (link === "identity") {
    const { mean, sd } = moments(lessOffsets(values, offsets));
    return { mean, scale: sd || moments(values).sd };
  }
  const { mean } = moments(values);
  if (link === "log") return { mean: log(mean) - logMeanExp(offsets), scale: 1 };
  const share = (mean + 0.5) / (trials ? moments(trials).mean + 1 : 2);
  const middle = offsets ? moments(offsets).mean : 0;
  return { mean: log(share / (1 - share)) - middle, scale: 1 };
}

/** Parameters of a family that are above 0, whose logarithm may depend on terms. */
function positiveParameters(name: FamilyName): string[] {
  const { likelihood: [, args] } = families[name];
  return ["sigma", "shape", "alpha", "kappa"].filter((one) =>
    new RegExp(`\\b${one}\\b(?!=)`).test(args)
  );
}

/** Names of the share of zeros, of a family that has one. */
function zeroSharesOf(name: FamilyName): readonly string[] {
  if (name.startsWith("hurdle_")) return zeroShares.filter((one) => one !== "zi");
  return name.startsWith("zero_inflated_") ? zeroShares.filter((one) => one !== "hu") : [];
}

/** @throws InputError `families/parameter` where a family lacks a parameter that has terms. */
export function checkParameters(
  names: readonly FamilyName[],
  parameters: readonly string[],
): void {
  const shares = parameters.filter((one) => zeroShares.includes(one));
  if (shares.length > 1) {
    const message = `Cannot use ${
      shares.join(" and ")
    } in one formula: all are of the share of zeros`;
    throw inputError("families/parameter", message, undefined, "write one of them");
  }
  for (const name of names) {
    const known = [...positiveParameters(name), ...zeroSharesOf(name)];
    const strange = parameters.find((one) => !known.includes(one));
    if (strange === undefined) continue;
    const message = `Cannot use ${strange} ~ …: family ${name} has no parameter ${strange}`;
    const hint = known.length > 0 ? `it has ${known.join(", ")}` : "it has none but the mean";
    throw inputError("families/parameter", message, undefined, hint);
  }
}

/** Priors and likelihood of a family: the last statements of a program. */
export function statementsOf(name: FamilyName, written: Written): string[] {
  const { priors, likelihood: [distribution, args], bounds = written.bounds } = families[name];
  const { response: { trials }, varying } = written;
  const scaled = positiveParameters(name).filter((one) => varying.has(one)).map((one) =>
    `${one} = ${one} * pm.math.exp(log_${one})`
  );
  const weights = zeroShares.some((one) => varying.has(one))
    ? "[1 - psi, psi], axis=-1"
    : "[1 - psi, psi]";
  const own = args.replace("TRIALS", () => trials === undefined ? "" : readOf(trials))
    .replace("STACKED", `pm.math.stack(${weights})`);
  return [...priors(written), ...scaled, likelihoodOf([distribution, own], written, bounds)];
}

/** The observed variable of a distribution with these arguments, within bounds or without. */
export function likelihoodOf(
  [distribution, args]: readonly [string, string],
  { called, observed }: Pick<Written, "called" | "observed">,
  bounds: ResponseBounds | undefined,
): string {
  if (!bounds) return `pm.${distribution}(${called}, ${args}, observed=${observed})`;
  const { within, ...ends } = bounds;
  const limits = Object.entries(ends).map(([end, text]) => `${end}=${text}`).join(", ");
  if (within === "interval_censored") {
    const given = `${limits}, observed=${observed}, ${args}`;
    return `interval_censored(${called}, pm.${distribution}, ${given})`;
  }
  return `pm.${within}(${called}, pm.${distribution}.dist(${args}), ${limits}, observed=${observed})`;
}

/** Whether a family counts: its values are whole numbers, of which there are more than two. */
export function isCounted(name: FamilyName): boolean {
  const { link, suits } = families[name];
  return link !== "softmax" && suits(2) && !suits(0.5);
}

/** Whether a family is of measurements, which lie between whole numbers. */
export function isMeasured(name: FamilyName): boolean {
  return families[name].suits(0.5);
}

/** Whether a family's noise is not identifiable beside an effect of each row: a spread, or a yes or no. */
export function hidesEffectsOfRows(name: FamilyName): boolean {
  return positiveParameters(name).length > 0 || !families[name].suits(2) && !isMeasured(name);
}
