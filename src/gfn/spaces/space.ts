/** Makes the grammar of a model space of any kind, from its settings in a pipeline. */
import type { SpaceSpec } from "./space_spec.ts";
import { type Dataset, responseColumn } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { GrammarSpec } from "../grammar/spec.ts";
import { checkSpaceKeys } from "./check_keys.ts";
import { doseResponseGrammar } from "./curves/dose_response.ts";
import type { DoseCurveName } from "./curves/dose_curves.ts";
import { growthGrammar } from "./curves/growth.ts";
import type { GrowthCurveName } from "./curves/growth_curves.ts";
import type { NoiseName } from "./curves/noise_names.ts";
import type { Formula } from "./formula/formula.ts";
import { parseFormula } from "./formula/parse.ts";
import { atNames } from "./formula/at_names.ts";
import { gaussianProcessGrammar } from "./gaussian_process/gaussian_process.ts";
import { ordinalGrammar } from "./ordinal/ordinal.ts";
import type { OrdinalName } from "./ordinal/family_names.ts";
import { poolingGrammar } from "./pooling/pooling.ts";
import type { FamilyName } from "./regression/family_names.ts";
import { usualFamilies } from "./regression/usual_families.ts";
import { regressionGrammar } from "./regression/regression.ts";
import type { KernelName, SpaceName } from "./space_names.ts";
import type { SurvivalName } from "./survival/family_names.ts";
import { survivalGrammar } from "./survival/survival.ts";
import type { SeriesNoise } from "./time_series/noise_names.ts";
import { timeSeriesGrammar } from "./time_series/time_series.ts";
import { withGaps } from "./writing/gaps.ts";

/**
 * The grammar of a space over a data set.
 *
 * @throws InputError where a key is not one of the space's, or the space does not suit the data.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { spaceGrammar } from "./space.ts";
 * const data = makeDataset("made", [
 *   { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2, 4, 4.5, 6) },
 *   { name: "x", role: "predictor", type: "real", values: Float64Array.of(1, 2, 3, 4, 5) },
 * ]);
 * const asked = { space: "regression", formula: "y ~ [x]", families: ["normal"] } as const;
 * assert.deepEqual(spaceGrammar(data, asked).holes.map(({ question }) => question), ["x", "family"]);
 * ```
 */
export function spaceGrammar(dataset: Dataset, spec: SpaceSpec): GrammarSpec {
  checkSpaceKeys(spec);
  const formula = parseFormula(spec.formula);
  return atNames(spec.formula, () => {
    return withGaps(
      dataset,
      { formula, space: spec.space },
      () => {
        const grammar = { ...grammarOf(dataset, spec, formula), fromData: true as const };
        return asksTerms.has(spec.space)
          ? { ...grammar, formula: withoutQuestions(formula) }
          : grammar;
      },
    );
  });
}

/** Spaces whose questions are about terms of a sum. */
const asksTerms: ReadonlySet<SpaceName> = new Set(["regression", "survival", "ordinal"] as const);

/** Left side and terms of all programs: `y ~ 1 + x` of `y ~ x + [z]`. */
function withoutQuestions({ source, response, intercept, parts }: Formula): string {
  const left = response.asked?.source ?? source.slice(0, source.indexOf("~")).trim();
  const terms = parts.filter(({ asked }) => !asked).map((part) => part.source);
  return `${left} ~ ${[intercept ? "1" : "0", ...terms].join(" + ")}`;
}

/** @throws InputError where a space lacks a word of the left side that others have. */
function checkWords(space: SpaceName, { censored, truncated }: Formula["response"]): void {
  const hasCensored = space === "regression" || space === "survival";
  if ((hasCensored || censored === undefined) && (space === "regression" || !truncated)) return;
  const word = truncated ? "trunc(…)" : "cens(…)";
  const message = `Cannot use ${word} in a space of kind ${space}`;
  const hint = 'space = "regression" has it';
  throw inputError("formula/bounds", message, undefined, hint);
}

function grammarOf(dataset: Dataset, spec: SpaceSpec, formula: Formula): GrammarSpec {
  checkWords(spec.space, formula.response);
  const named = spec.families ?? familiesOf(spec.space, dataset, formula);
  const { priors, margins, period, depth } = spec;
  const own = { formula, priors };
  switch (spec.space) {
    case "regression":
      return regressionGrammar(dataset, {
        ...own,
        margins,
        effects: spec.effects,
        families: named as FamilyName[],
      });
    case "growth": {
      const curves = spec.curves as readonly GrowthCurveName[] | undefined;
      return growthGrammar(dataset, { ...own, curves, families: named as NoiseName[] });
    }
    case "dose_response": {
      const curves = spec.curves as readonly DoseCurveName[] | undefined;
      return doseResponseGrammar(dataset, { ...own, curves, families: named as FamilyName[] });
    }
    case "survival":
      return survivalGrammar(dataset, { ...own, margins, families: named as SurvivalName[] });
    case "time_series": {
      const families = named as SeriesNoise[];
      return timeSeriesGrammar(dataset, { ...own, margins, period, families });
    }
    case "ordinal":
      return ordinalGrammar(dataset, { ...own, margins, families: named as OrdinalName[] });
    case "gaussian_process": {
      const kernels = spec.kernels as readonly KernelName[] | undefined;
      return gaussianProcessGrammar(dataset, { ...own, kernels, depth, period });
    }
    case "pooling":
      return poolingGrammar(dataset, { ...own, families: named as FamilyName[] });
  }
}

/** Families that are compared where none is named. */
function familiesOf(space: SpaceName, dataset: Dataset, formula: Formula): readonly string[] {
  const { type } = responseColumn(dataset)!;
  switch (space) {
    case "growth":
      return ["normal", "student_t", "log_normal"];
    case "survival":
      return ["weibull", "log_normal", "gamma", "exponential"];
    case "time_series":
      return ["normal"];
    case "ordinal":
      return ["ordered_logistic"];
    case "gaussian_process":
      return [];
  }
  const isMeasured = space === "dose_response" && type === "count";
  return usualFamilies({ type: isMeasured ? "real" : type }, formula);
}
