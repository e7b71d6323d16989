/** A space of dose-response curves as a grammar: which curve, and which noise. */
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import { quoted } from "../formula/quoted.ts";
import { checkResponse, linkOf, statementsOf } from "../regression/families.ts";
import type { FamilyName } from "../regression/family_names.ts";
import { Columns, moments, quantiles, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import type { SpacePriors } from "../writing/priors.ts";
import { SpaceWriter } from "../writing/space_writer.ts";
import { type DoseCurveName, doseCurves, type DoseNumbers } from "./dose_curves.ts";
import { checkNotNegative, curveColumns } from "./plain_formula.ts";

/** Options of a space of dose-response curves. */
interface DoseResponseSpace {
  /** `effect ~ dose`, or `dead | trials(n) ~ dose`. */
  readonly formula: Formula;
  /** Equally likely a priori; all for which there are enough doses, if left out. */
  readonly curves?: readonly DoseCurveName[];
  readonly families: readonly FamilyName[];
  readonly priors?: SpacePriors;
}

/** Rows below which curves of four parameters and a noise are not asked about. */
const leastRows = 5;

/** Different doses that a curve needs, for as many parameters of its mean. */
const dosesNeeded: Partial<Record<DoseCurveName, number>> = {
  exponential: 3,
  quadratic: 3,
  emax: 3,
  hill: 4,
  hormesis: 5,
};

/**
 * The grammar of a space of dose-response curves. Curves are of the mean, or of its log odds where the
 * response is binary or counts successes among trials.
 *
 * @throws InputError where the formula is no `effect ~ dose`, a dose is negative, or there are too few
 * different doses for a curve that is named.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { doseResponseGrammar } from "./dose_response.ts";
 * const column = (name: string, role: "response" | "predictor", ...values: number[]) =>
 *   ({ name, role, type: "real" as const, values: Float64Array.from(values) });
 * const data = makeDataset("assay", [
 *   column("effect", "response", 0.1, 0.2, 1.4, 2.8, 3.1, 3.0),
 *   column("dose", "predictor", 0, 1, 2, 4, 8, 16),
 * ]);
 * const formula = parseFormula("effect ~ dose");
 * const curves = ["none", "emax", "hill"] as const;
 * const grammar = doseResponseGrammar(data, { formula, families: ["normal"], curves });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["curve", "family"]);
 * ```
 */
export function doseResponseGrammar(dataset: Dataset, space: DoseResponseSpace): GrammarSpec {
  const { formula, families, priors } = space;
  const columns = new Columns(dataset);
  const { response, across } = curveColumns(columns, formula, "dose-response curves", leastRows);
  checkNotNegative(across, "a dose");
  const link = linkOf(families, formula.response);
  if (link === "log") throw noLink(families[0]);
  if (link === "identity" && response.type === "count") throw ofCounts(families[0], formula);
  for (const family of families) checkResponse(family, response, response.values);
  const { trials } = formula.response;
  const shares = trials === undefined
    ? undefined
    : columns.numbers(trials).values.map((n, i) => response.values[i] / n);
  const writer = new SpaceWriter("dose_response", priors);
  writer.spaceWidth();
  writer.line(`dose = ${readOf(across.name)}`);
  const scale = link === "identity"
    ? measured(response.values, across.values)
    : odds(shares ?? response.values);
  const numbers = {
    ...scale,
    ...doses(across.values, Number(scale.effect)),
    width: writer.widthOf("curve"),
  };
  const names = curvesFor(across.values, space.curves);
  writer.ask("curve", names.map((name) => ({ answer: name, lines: doseCurves[name](numbers) })));
  const called = writer.nameOfObserved(columns.slug(response.name));
  const own = {
    response: formula.response,
    called,
    observed: readOf(response.name),
    unit: "",
    sd: moments(response.values).sd,
    varying: new Set<string>(),
    width: writer.widthOf("family"),
  };
  const choices = families.map((name) => ({ answer: name, lines: statementsOf(name, own) }));
  writer.ask("family", choices);
  return writer.grammar(["import numpy as np", "import pymc as pm"]);
}

function noLink(family: FamilyName): Error {
  const message = `Cannot use family ${family} in a space of dose-response curves`;
  const hint = "families: normal, student_t; bernoulli; binomial, beta_binomial with trials";
  return inputError("families/links", message, undefined, hint);
}

/** Counts are no measurements about a curve: of how many they are is missing. */
function ofCounts(family: FamilyName, { response: { column }, parts }: Formula): Error {
  const message = `Cannot use family ${family} of "${column}": it holds counts`;
  const hint =
    `successes among n: ${quoted(column)} | trials(n) ~ ${parts[0].source}; where it is a ` +
    `measurement in whole units, say --resolution 1, or resolution = 1 in place of type = "count"`;
  return inputError("families/response", message, undefined, hint);
}

function curvesFor(doses: Float64Array, asked: readonly DoseCurveName[] | undefined) {
  const different = new Set(doses).size;
  const hasNone = doses.includes(0);
  const needed = (name: DoseCurveName) =>
    name === "log_dose" && hasNone ? Infinity : dosesNeeded[name] ?? 2;
  const all = Object.keys(doseCurves) as DoseCurveName[];
  const strange = asked?.find((name) => needed(name) > different);
  if (strange === undefined) return asked ?? all.filter((name) => needed(name) <= different);
  const why = needed(strange) === Infinity
    ? "a dose is 0, which has no logarithm"
    : `there are ${different} different doses, wanted at least ${needed(strange)}`;
  const message = `Cannot use the curve ${strange}: ${why}`;
  const fits = all.filter((name) => needed(name) <= different).join(", ");
  throw inputError("space/curve", message, undefined, `curves that suit: ${fits}`);
}

const text = (value: number) => literal(twoDigits(value));

function doses(values: Float64Array, effect: number) {
  const most = values.reduce((a, b) => Math.max(a, b));
  const some = values.filter((dose) => dose > 0);
  const [middle] = quantiles(some, [0.5]);
  const perLog = text(effect / (moments(some.map(log)).sd || 1));
  return { most: text(most), middle: text(middle), logMiddle: text(log(middle)), perLog };
}

/** Priors of measurements: without a dose near those of the smallest one, effects of 2.5 sd. */
function measured(
  values: Float64Array,
  across: Float64Array,
): Pick<DoseNumbers, "start" | "startWidth" | "effect"> {
  const least = across.reduce((a, b) => Math.min(a, b));
  const { mean } = moments(values.filter((_, i) => across[i] === least));
  const { sd } = moments(values);
  return { start: text(mean), startWidth: text(sd), effect: text(2.5 * sd) };
}

/** Priors of odds: effects of up to e^10 between a share of almost none and almost all. */
function odds(shares: Float64Array): Pick<DoseNumbers, "start" | "startWidth" | "effect"> {
  const share = (moments(shares).mean + 0.05) / 1.1;
  return { start: text(log(share / (1 - share))), startWidth: "2.5", effect: "5.0" };
}
