/** A space of regressions as a grammar: one program for each set of answers to its questions. */
import type { Column, Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import { Columns, moments, twoDigits, valuesBy } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import { SpaceWriter } from "../writing/space_writer.ts";
import type { RegressionSpace } from "./regression_space.ts";
import { categoricalGrammar } from "./categorical.ts";
import type { FamilyName } from "./family_names.ts";
import {
  checkParameters,
  checkResponse,
  haveOneUnit,
  linkOf,
  type PredictorScale,
  predictorScale,
  ratioOf,
  statementsOf,
} from "./families.ts";
import { boundsOf, headOf } from "./bounded_response.ts";
import { logitOf, zeroShares } from "./family_table.ts";
import { checkErrors, knownErrorStatements } from "./known_errors.ts";
import { lessOffsets, offsetsOf } from "./offsets.ts";
import { checkRows, Predictor } from "./predictor.ts";
import { takesEffectOfEachRow } from "./usual_families.ts";

/**
 * The grammar of a space of regressions over a data set. Numbers of the data stand in its programs
 * as constants of two digits: means and spreads of predictors, and the scale of the response.
 *
 * @throws InputError where formula, families or priors do not suit the data.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { regressionGrammar } from "./regression.ts";
 * const column = (name: string, role: "response" | "predictor", ...values: number[]) =>
 *   ({ name, role, type: "real" as const, values: Float64Array.from(values) });
 * const data = makeDataset("made", [
 *   column("y", "response", 1, 2, 4, 4.5, 6),
 *   column("x", "predictor", 1, 2, 3, 4, 5),
 * ]);
 * const formula = parseFormula("y ~ [x | poly(x, 2)]");
 * const grammar = regressionGrammar(data, { formula, families: ["normal", "student_t"] });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["x | poly(x, 2)", "family"]);
 * ```
 */
export function regressionGrammar(dataset: Dataset, space: RegressionSpace): GrammarSpec {
  const { formula, families, priors, margins } = space;
  if (linkOf(families, formula.response) === "softmax") return categoricalGrammar(dataset, space);
  const columns = new Columns(dataset);
  const scale = scaleOf(columns, space);
  checkParameters(families, formula.others.map(({ parameter }) => parameter));
  const writer = new SpaceWriter("regression", priors);
  const { observed, unit, middle } = writeResponse(writer, columns, formula, scale);
  const width = `${writer.spaceWidth()}${unit}`;
  const units = unit === "" ? scale.scale : 1;
  writer.line(...interceptLines(formula, middle, width, units));
  const own = {
    scale: units,
    width,
    unit,
    margins,
    reported: unit === "" && haveOneUnit(families),
    ratio: ratioOf(families),
  };
  const perRow = formula.response.error !== undefined || families.every(takesEffectOfEachRow);
  const mean = { variable: "eta", prefix: "", perRow, ...own };
  const predictor = new Predictor(writer, columns, formula, mean);
  predictor.write();
  let coefficients = predictor.coefficients;
  for (const { parameter, parts } of formula.others) {
    const isShare = zeroShares.includes(parameter);
    const variable = isShare ? logitOf(parameter) : `log_${parameter}`;
    writer.line(`${variable} = 0`);
    // An effect on a logarithm: a factor of e or 1/e for one standard deviation of the predictor.
    const scale = isShare ? 1 : 0.4;
    const ratio = isShare ? "odds ratio" : undefined;
    const own = {
      variable,
      prefix: `${parameter}_`,
      scale,
      width: writer.baseWidth,
      margins,
      perRow: false,
      ratio,
    };
    const other = new Predictor(writer, columns, { parts }, own);
    other.write();
    coefficients += other.coefficients;
  }
  const varying = new Set(formula.others.map(({ parameter }) => parameter));
  const called = writer.nameOfObserved(columns.slug(formula.response.column));
  const written = { response: formula.response, called, observed, sd: scale.scale, unit, varying };
  const { error } = formula.response;
  const bounds = boundsOf(dataset, formula.response, families);
  const spread = { ...written, width: writer.widthOf("family"), bounds };
  const linesOf = (name: FamilyName) =>
    error === undefined
      ? statementsOf(name, spread)
      : knownErrorStatements(name, { ...spread, scale: readOf(error) });
  const choices = families.map((name) => ({ answer: name, lines: linesOf(name) }));
  if (space.effects === "all" && own.reported) {
    if (formula.intercept) writer.effect("Intercept", "intercept");
    for (const name of parametersIn(choices.flatMap(({ lines }) => lines))) {
      writer.effect(name.replace(/^(psi|zi|hu)_intercept$/, "$1: Intercept"), name, {
        isSpread: !name.endsWith("_intercept"),
      });
    }
  }
  writer.ask("family", choices);
  checkRows(coefficients, dataset.rows);
  const sources = [formula, ...formula.others].flatMap(({ parts }) =>
    parts.map(({ source }) => source)
  );
  return writer.grammar(headOf(bounds), sources);
}

/** Variables with a prior, in lines of a program. */
function parametersIn(lines: readonly string[]): readonly string[] {
  const names = lines.flatMap((line) => /^(\w+) = pm\.\w+\("\1"/.exec(line)?.[1] ?? []);
  return [...new Set(names)];
}

/** The scale of the predictor; refuses families that do not suit the data. */
function scaleOf(
  columns: Columns,
  { formula, families }: RegressionSpace,
): PredictorScale {
  const { response, parts } = formula;
  if (response.event !== undefined) {
    const message = "Cannot use event(…) in a space of regressions";
    throw inputError("formula/response", message, undefined, 'space = "survival" has it');
  }
  checkKnownErrors(columns, formula, families);
  const column = columns.response(response.column);
  const link = linkOf(families, response);
  for (const by of response.asked?.by ?? [response.by]) {
    const values = valuesOf(column, by);
    for (const family of families) checkResponse(family, column, values);
  }
  if (response.asked && link !== "identity") {
    const message = `Cannot ask about the left side with the family ${families[0]}: its link has ` +
      "a logarithm already";
    const hint = "families of the left side in question: normal, student_t";
    throw inputError("families/left", message, undefined, hint);
  }
  const counted = response.trials === undefined
    ? undefined
    : columns.numbers(response.trials).values;
  checkTrialNumbers(column, response.trials, counted);
  const offsets = offsetsOf(columns, parts);
  return predictorScale(link, valuesOf(column, response.by), { trials: counted, offsets });
}

function checkKnownErrors(
  columns: Columns,
  { response, others }: Formula,
  families: readonly FamilyName[],
): void {
  const { error, by, asked, trials, censored, truncated } = response;
  if (error === undefined) return;
  checkErrors(error, columns.numbers(error).values, families);
  if (!by && !asked && !trials && !censored && !truncated && others.length === 0) return;
  const message = `Cannot use se(${error}) beside a logarithm, trials, bounds or terms of sigma`;
  const hint = "known errors are those of the response as it stands: y | se(s) ~ terms";
  throw inputError("formula/error", message, undefined, hint);
}

function valuesOf(column: Column, by: "log" | undefined): Float64Array {
  const values = valuesBy(column, by);
  const { sd } = moments(values);
  if (sd > 0) return values;
  const message = `Cannot explain "${column.name}": every value is ${column.values[0]}`;
  throw inputError("formula/response", message, undefined, "there is nothing to explain");
}

function checkTrialNumbers(column: Column, name?: string, counted?: Float64Array): void {
  if (name === undefined || counted === undefined) return;
  const row = column.values.findIndex((y, i) => y > counted[i] || !Number.isInteger(counted[i]));
  if (row < 0) return;
  const message = `Cannot use trials(${name}): ${column.name} is ${column.values[row]} of ` +
    `${counted[row]} in row ${row + 1}`;
  const hint = "trials are whole numbers, and successes are some of them";
  throw inputError("formula/trials", message, undefined, hint);
}

/** Observed expression and its scale: constants, or variables where the left side is a question. */
interface WrittenResponse {
  readonly observed: string;
  /** Factor that begins widths in units of the response, such as `unit * `. */
  readonly unit: string;
  readonly middle: string;
}

function writeResponse(
  writer: SpaceWriter,
  columns: Columns,
  { response: { column: name, by, asked }, parts }: Formula,
  { mean }: PredictorScale,
): WrittenResponse {
  const read = (by: "log" | undefined) => by ? `np.${by}(${readOf(name)})` : readOf(name);
  if (!asked) return { observed: read(by), unit: "", middle: literal(twoDigits(mean)) };
  const column = columns.response(name);
  const offsets = offsetsOf(columns, parts);
  const choices = asked.by.map((by) => {
    const { mean, sd } = moments(lessOffsets(valuesBy(column, by), offsets));
    const lines = [
      `observed = ${read(by)}`,
      `middle = ${literal(twoDigits(mean))}`,
      `unit = ${literal(twoDigits(sd))}`,
    ];
    return { answer: by ? `${by}(${name})` : name, lines };
  });
  writer.ask(asked.source, choices);
  return { observed: "observed", unit: "unit * ", middle: "middle" };
}

function interceptLines(
  { intercept }: Formula,
  middle: string,
  width: string,
  scale: number,
): string[] {
  if (!intercept) return ["eta = 0"];
  const sigma = `${width}${literal(twoDigits(2.5 * scale))}`;
  return [
    `intercept = pm.Normal("intercept", mu=${middle}, sigma=${sigma})`,
    "eta = intercept",
  ];
}
