/** A space of growth curves as a grammar: which curve, which noise, whether the spread grows too. */
import { numbersOf } from "./growth_numbers.ts";
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import { Columns, moments, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import type { SpacePriors } from "../writing/priors.ts";
import { type Choice, SpaceWriter } from "../writing/space_writer.ts";
import { type GrowthCurve, type GrowthCurveName, growthCurves } from "./growth_curves.ts";
import { noiseChoices } from "./noise.ts";
import type { NoiseName } from "./noise_names.ts";
import { checkNotNegative, curveColumns } from "./plain_formula.ts";

/** Options of a space of growth curves. */
interface GrowthSpace {
  /** `length ~ age`. */
  readonly formula: Formula;
  /** Equally likely a priori; all that suit the ages, if left out. */
  readonly curves?: readonly GrowthCurveName[];
  readonly families: readonly NoiseName[];
  readonly priors?: SpacePriors;
}

/** Rows below which curves of four parameters and a noise are not asked about. */
const leastRows = 8;

/**
 * The grammar of a space of growth curves: sizes of an organism of known age. Priors are scaled by
 * the data: sizes by the largest and the smallest, rates by the greatest age, in which a curve makes
 * about six e-folds, give or take a factor of three.
 *
 * @throws InputError where the formula is no `size ~ age`, a size or an age is negative, a size is 0,
 * or a curve is named that the ages do not suit.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { growthGrammar } from "./growth.ts";
 * const column = (name: string, role: "response" | "predictor", ...values: number[]) =>
 *   ({ name, role, type: "real" as const, values: Float64Array.from(values) });
 * const data = makeDataset("fish", [
 *   column("length", "response", 3, 5, 6, 7, 7.4, 7.7, 7.8, 7.9),
 *   column("age", "predictor", 1, 2, 3, 4, 5, 6, 7, 8),
 * ]);
 * const formula = parseFormula("length ~ age");
 * const grammar = growthGrammar(data, { formula, families: ["normal"], curves: ["linear", "gompertz"] });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["curve", "spread", "family"]);
 * ```
 */
export function growthGrammar(dataset: Dataset, space: GrowthSpace): GrammarSpec {
  const columns = new Columns(dataset);
  const { response, across } = curveColumns(columns, space.formula, "growth curves", leastRows);
  checkNotNegative(across, "an age");
  checkSizes(response.values, response.name);
  const writer = new SpaceWriter("growth", space.priors);
  writer.spaceWidth();
  writer.line(`age = ${readOf(across.name)}`);
  const names = curvesFor(across.values, space.curves);
  const numbers = numbersOf(response.values, across.values, writer.widthOf("curve"));
  const choices = names.map((name) => {
    const curve: GrowthCurve = growthCurves[name];
    return { answer: curve.answer ?? name, name, lines: curve.lines(numbers) };
  });
  writer.ask("curve", choices);
  const centre = literal(twoDigits(moments(response.values).mean));
  const called = writer.nameOfObserved(columns.slug(response.name));
  const noises = noiseChoices(space.families, {
    response,
    called,
    width: writer.widthOf("family"),
  });
  const asked = noises.some(({ answer }) => isAbsolute(answer)) ? askSpread(writer, centre) : "";
  writer.ask("family", noises.map((one) => withSpread(one, asked)));
  return writer.grammar(["import pymc as pm"]);
}

/** Whether the spread is that of the mean size, or grows with the curve; relative noises ask nothing. */
function askSpread(writer: SpaceWriter, centre: string): string {
  const choices = [
    { answer: "constant", name: "constant_spread", lines: ["relative = 1"] },
    { answer: "proportional", name: "proportional_spread", lines: [`relative = mu / ${centre}`] },
  ];
  return writer.ask("spread", choices, { inTemplate: false });
}

function isAbsolute(family: string): boolean {
  return family === "normal" || family === "student_t";
}

function withSpread(choice: Choice, asked: string): Choice {
  if (!isAbsolute(choice.answer)) return choice;
  const lines = choice.lines.map((line) => line.replace("sigma=sigma,", "sigma=sigma * relative,"));
  return { ...choice, lines: [asked, ...lines] };
}

function curvesFor(
  ages: Float64Array,
  asked: readonly GrowthCurveName[] | undefined,
): GrowthCurveName[] {
  const isBorn = ages.some((age) => age === 0);
  const all = Object.keys(growthCurves) as GrowthCurveName[];
  const suits = (name: GrowthCurveName) => !isBorn || !(growthCurves[name] as GrowthCurve).wantsAge;
  const strange = asked?.find((name) => !suits(name));
  if (strange === undefined) return asked ? [...asked] : all.filter(suits);
  const message = `Cannot use the curve ${strange}: an age is 0 in row ` +
    `${ages.findIndex((age) => age === 0) + 1}, where it is not finite`;
  const hint = `curves that suit: ${all.filter(suits).join(", ")}`;
  throw inputError("space/curve", message, undefined, hint);
}

function checkSizes(values: Float64Array, name: string): void {
  const row = values.findIndex((value) => value <= 0);
  if (row < 0) return;
  const message = `Cannot use "${name}" as a size: it is ${values[row]} in row ${row + 1}`;
  throw inputError("space/size", message, undefined, "wanted numbers above 0");
}
