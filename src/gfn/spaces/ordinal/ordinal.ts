/** A space of ordinal regressions as a grammar: which terms move a response of ordered levels. */
import type { Column, Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import { checkRows, Predictor } from "../regression/predictor.ts";
import { Columns, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import type { SpacePriors } from "../writing/priors.ts";
import { SpaceWriter } from "../writing/space_writer.ts";
import type { OrdinalName } from "./family_names.ts";

/** Options of a space of ordinal regressions. */
interface OrdinalSpace {
  readonly formula: Formula;
  readonly families: readonly OrdinalName[];
  readonly priors?: SpacePriors;
  readonly margins?: boolean;
}

/** Levels up to which cutpoints are estimated one by one. */
const mostLevels = 20;

/**
 * The grammar of a space of cumulative models (McCullagh 1980, J. Royal Statistical Society B 42):
 * terms move a latent number that is cut into levels. Probit noise is 1.7 wide, so that effects are
 * log odds in both.
 *
 * @throws InputError where the response has no levels, fewer than 3, or one that no row has.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { ordinalGrammar } from "./ordinal.ts";
 * const data = makeDataset("survey", [
 *   { name: "mood", role: "response", type: "count", values: Float64Array.of(0, 1, 2, 1, 2) },
 *   { name: "sun", role: "predictor", type: "real", values: Float64Array.of(0, 2, 7, 3, 5) },
 * ]);
 * const formula = parseFormula("mood ~ [sun]");
 * const grammar = ordinalGrammar(data, { formula, families: ["ordered_logistic"] });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["sun", "family"]);
 * ```
 */
export function ordinalGrammar(dataset: Dataset, space: OrdinalSpace): GrammarSpec {
  const { formula, families, priors, margins } = space;
  const columns = new Columns(dataset);
  const response = columns.response(formula.response.column);
  checkPlain(formula);
  const shares = levelsOf(response);
  const writer = new SpaceWriter("ordinal", priors);
  const width = writer.spaceWidth();
  const cuts = cutsBetween(shares).map((cut) => literal(twoDigits(cut))).join(", ");
  writer.line(
    `cutpoints = pm.Normal("cutpoints", mu=[${cuts}], sigma=${width}1.5, ` +
      `transform=pm.distributions.transforms.ordered, shape=${shares.length - 1})`,
    "eta = 0",
  );
  const scale = {
    variable: "eta",
    prefix: "",
    scale: 1,
    width,
    margins,
    centresOffsets: true,
    ratio: "odds ratio",
  };
  const predictor = new Predictor(writer, columns, formula, scale);
  predictor.write();
  checkRows(predictor.coefficients + shares.length - 1, dataset.rows);
  const read = readOf(response.name);
  const observed = `observed=${read}`;
  const called = writer.nameOfObserved(columns.slug(response.name));
  const choices = families.map((answer) => {
    const [family, more] = answer === "ordered_logistic"
      ? ["OrderedLogistic", ""]
      : ["OrderedProbit", "sigma=1.7, "];
    const args = `eta=eta, cutpoints=cutpoints, ${more}compute_p=False`;
    return { answer, lines: [`pm.${family}(${called}, ${args}, ${observed})`] };
  });
  writer.ask("family", choices);
  return writer.grammar(["import numpy as np", "import pymc as pm"], predictor.sources);
}

function checkPlain({ response: { by, asked, trials, event, error }, others }: Formula): void {
  if (!by && !asked && !trials && !event && !error && others.length === 0) return;
  const message = "Cannot read the formula of a space of ordinal regressions";
  throw inputError("formula/ordinal", message, undefined, "write rating ~ terms");
}

/** The share of rows at each level, from the lowest on. */
function levelsOf({ name, type, values, categories }: Column): readonly number[] {
  const cannot = `Cannot use "${name}" as levels`;
  const row = values.findIndex((value) => !Number.isInteger(value) || value < 0);
  if (row >= 0) {
    const message = `${cannot}: it is ${values[row]} in row ${row + 1}`;
    throw inputError("space/levels", message, undefined, categoryHint(name));
  }
  const least = values.reduce((a, b) => Math.min(a, b));
  if (type !== "category" && least > 0) {
    const message = `${cannot}: its numbers begin with ${least}, and levels with 0`;
    throw inputError("space/levels", message, undefined, categoryHint(name));
  }
  const levels = categories?.length ?? values.reduce((a, b) => Math.max(a, b)) + 1;
  if (levels < 3 || levels > mostLevels) {
    const hint = levels < 3
      ? 'two levels are a yes or no: space = "regression", families = ["bernoulli"]'
      : 'so many are counts or measurements: space = "regression"';
    const message = `${cannot}: there are ${levels}, wanted 3 to ${mostLevels}`;
    throw inputError("space/levels", message, undefined, hint);
  }
  const counts = Array.from(
    { length: levels },
    (_, k) => values.reduce((sum, value) => sum + Number(value === k), 0),
  );
  const empty = counts.indexOf(0);
  if (empty >= 0) {
    const message = `${cannot}: no row is at level ${categories?.[empty] ?? empty}`;
    throw inputError("space/levels", message, undefined, "join it with its neighbour");
  }
  return counts.map((count) => count / values.length);
}

function categoryHint(name: string): string {
  return `in the stage of the data write ${name} = { role = "response", type = "category", levels = ` +
    '["lowest", "…", "highest"] }';
}

/** Log odds of lying below each cut, estimated from the rows at each level. */
function cutsBetween(shares: readonly number[]): number[] {
  let below = 0;
  return shares.slice(0, -1).map((share) => {
    below += share;
    return log(below / (1 - below));
  });
}
