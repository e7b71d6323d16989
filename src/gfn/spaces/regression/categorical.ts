/** Writes regressions of names without an order: a predictor for each level, against the first. */
import type { Column, Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import { termsIn } from "../formula/columns_in.ts";
import type { Formula } from "../formula/formula.ts";
import { Columns, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import { SpaceWriter } from "../writing/space_writer.ts";
import { checkRows, Predictor } from "./predictor.ts";
import type { RegressionSpace } from "./regression_space.ts";

/** Levels up to which each has coefficients of its own. */
const mostLevels = 20;

/**
 * The grammar of a space of softmax regressions: the log odds of each level against the first are a
 * linear predictor with coefficients of its own (Agresti 2013, Categorical Data Analysis, ch. 8.1). A
 * term is in all of them or in none.
 *
 * @throws InputError where the response has no levels, fewer than 3, or one that no row has, or the
 * formula does not suit.
 */
export function categoricalGrammar(
  dataset: Dataset,
  { formula, priors, margins }: RegressionSpace,
): GrammarSpec {
  const columns = new Columns(dataset);
  const response = columns.response(formula.response.column);
  checkPlain(formula);
  if (response.type !== "category") throw ofNumbers(response.name);
  const { levels, shares } = levelsOf(response);
  const writer = new SpaceWriter("regression", priors);
  const width = writer.spaceWidth();
  const each = levels.slice(1).map((label, i) => {
    return { variable: `eta_${i + 1}`, prefix: `${i + 1}_`, label };
  });
  each.forEach(({ variable }, i) => {
    const name = `intercept_${i + 1}`;
    const centre = literal(twoDigits(log(shares[i + 1] / shares[0])));
    writer.line(
      `${name} = pm.Normal("${name}", mu=${centre}, sigma=${width}2.5)`,
      `${variable} = ${name} + np.zeros(len(data))`,
    );
  });
  const own = { variable: "", prefix: "", scale: 1, width, margins, each, ratio: "odds ratio" };
  const predictor = new Predictor(writer, columns, formula, own);
  predictor.write();
  checkRows(predictor.coefficients, dataset.rows);
  const called = writer.nameOfObserved(columns.slug(response.name));
  const all = ["np.zeros(len(data))", ...each.map(({ variable }) => variable)].join(", ");
  const likelihood = `pm.Categorical(${called}, logit_p=pm.math.stack([${all}], axis=1), ` +
    `observed=${readOf(response.name)})`;
  writer.ask("family", [{ answer: "categorical", lines: [likelihood] }]);
  return writer.grammar(["import numpy as np", "import pymc as pm"], predictor.sources);
}

function checkPlain(formula: Formula): void {
  const { response, others, intercept } = formula;
  const { column: _, ...more } = response;
  const hasWords = Object.values(more).some((one) => one !== undefined);
  const hasOffset = termsIn(formula).some(({ kind }) => kind === "offset");
  if (!hasWords && !hasOffset && intercept && others.length === 0) return;
  const message = "Cannot read the formula of a categorical response";
  const hint = "write kind ~ terms, with an intercept and without offsets";
  throw inputError("formula/categorical", message, undefined, hint);
}

function ofNumbers(name: string): Error {
  const message = `Cannot use family categorical: "${name}" holds numbers, and no names`;
  const hint =
    `where they are codes, write ${name} = { role = "response", type = "category" } in ` +
    `the stage of the data, or --category ${name}`;
  return inputError("families/response", message, undefined, hint);
}

/** The levels of a response, and the share of rows at each. */
function levelsOf({ name, values, categories = [] }: Column) {
  const counts = categories.map((_, k) =>
    values.reduce((sum, value) => sum + Number(value === k), 0)
  );
  const empty = counts.indexOf(0);
  const wrong = categories.length < 3
    ? `there are ${categories.length} levels, wanted 3 to ${mostLevels}`
    : categories.length > mostLevels
    ? `there are ${categories.length} levels, wanted at most ${mostLevels}`
    : empty >= 0
    ? `no row is at level ${categories[empty]}`
    : undefined;
  if (wrong === undefined) {
    return { levels: categories, shares: counts.map((count) => count / values.length) };
  }
  const hint = empty >= 0
    ? "leave the level out, or join it with another"
    : 'two levels are a yes or no: families = ["bernoulli"]';
  throw inputError("space/levels", `Cannot use "${name}" as levels: ${wrong}`, undefined, hint);
}
