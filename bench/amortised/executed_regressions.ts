/** Regressions of any family with the engine's scores of all their programs. */
import { type Column, type Dataset, makeDataset } from "../../src/base/dataset.ts";
import { defaultSchedule } from "../../src/engine/score/execution/mod.ts";
import { scoreNow } from "../../src/engine/score/mod.ts";
import { grammarEnvironment, meaningOf, spaceGrammar } from "../../src/gfn/grammar/mod.ts";
import { type RawRows, type ScoredData, standardRows } from "../../src/gfn/train/mod.ts";

const types = { poisson: "count", binomial: "count", student_t: "real", normal: "real" } as const;

/** A data set, all its programs executed: those of the model space `regression`. */
export function executedRegression(id: string, raw: RawRows): ScoredData {
  const rows = standardRows(raw);
  const dataset = datasetOf(id, raw);
  const { family = "normal", trials } = raw;
  const names = raw.columns.map((_, j) => `x${j + 1}`);
  const formula = `y${trials ? " | trials(n)" : ""} ~ ${names.map((x) => `[${x}]`).join(" + ")}`;
  const families = [family === "binomial" && !trials ? "bernoulli" : family];
  const spec = spaceGrammar(dataset, { space: "regression", formula, families });
  const { of, questions } = meaningOf(spec);
  const places = names.map((x) => questions.findIndex(({ question }) => question === x));
  const scored = [...grammarEnvironment(spec).enumerate()].flatMap(({ features, text }) => {
    const { answers } = of(features);
    const bits = places.reduce((sum, q, j) => answers[q] === "in" ? sum + 2 ** j : sum, 0);
    const elpd = scoreNow(text, dataset, defaultSchedule).score?.elpdLoo;
    return elpd === undefined ? [] : [{ bits, elpd }];
  }).sort((a, b) => a.bits - b.bits);
  return {
    id,
    rows,
    programs: Int32Array.from(scored, ({ bits }) => bits),
    logRewards: Float64Array.from(scored, ({ elpd }) => elpd),
  };
}

/** Complete rows as a table with the columns y, x1, x2, … and n for trials. */
function datasetOf(id: string, { columns, y, family, trials }: RawRows): Dataset {
  const all = [y, ...columns, ...(trials ? [trials] : [])];
  const complete = Array.from(y, (_, i) => i)
    .filter((i) => all.every((column) => !Number.isNaN(column[i])));
  const of = (values: ArrayLike<number>) => Float64Array.from(complete, (i) => values[i]);
  const isFlag = (values: Float64Array) => values.every((one) => one === 0 || one === 1);
  const type = family === "binomial" && !trials ? "binary" : types[family ?? "normal"];
  const predictors = columns.map((column, j): Column => {
    const values = of(column);
    return {
      name: `x${j + 1}`,
      role: "predictor",
      type: isFlag(values) ? "binary" : "real",
      values,
    };
  });
  return makeDataset(id, [
    { name: "y", role: "response", type, values: of(y) },
    ...predictors,
    ...(trials
      ? [{ name: "n", role: "predictor", type: "count", values: of(trials) } as const]
      : []),
  ]);
}
