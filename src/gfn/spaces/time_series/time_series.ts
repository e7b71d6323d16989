/** A space of time series as a grammar: level, trend, season, memory, regressors, and which noise. */
import { type Column, type Dataset, responseColumn } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import { lessOffsets, offsetsOf } from "../regression/offsets.ts";
import { checkRows, Predictor } from "../regression/predictor.ts";
import { Columns, moments, twoDigits, valuesBy } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import { exponential, heavyTails } from "../writing/own_priors.ts";
import type { SpacePriors } from "../writing/priors.ts";
import { type Choice, SpaceWriter } from "../writing/space_writer.ts";
import type { SeriesNoise } from "./noise_names.ts";

/** Options of a space of time series. */
interface TimeSeriesSpace {
  /** `y ~ 1`, with regressors: `y ~ [x]`, `log(y) ~ [x]`. */
  readonly formula: Formula;
  /** Families, equally likely a priori unless `priors` gives others. */
  readonly families: readonly SeriesNoise[];
  /** Period of the season, in the units of the time column; no season is asked about, if left out. */
  readonly period?: number;
  readonly priors?: SpacePriors;
  readonly margins?: boolean;
}

/** Rows below which the future is not asked about. */
const leastRows = 12;
/** Pairs of waves of a season (Prophet has three for a week, ten for a year: Taylor and Letham 2018). */
const mostWaves = 3;

/**
 * The grammar of a space of time series (Harvey 1989, Forecasting, Structural Time Series Models and
 * the Kalman Filter, ch. 2): a level that is constant or a random walk, a linear trend, a season of waves, memory
 * of the value before, and regressors. Scored by rows given those before them (`elpd_lfo`).
 *
 * @param dataset rows in any order; one column has the role `time`.
 * @throws InputError where no column has the role `time`, times do not follow each other at even steps,
 * or the formula does not suit the data.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { timeSeriesGrammar } from "./time_series.ts";
 * const month = Float64Array.from({ length: 24 }, (_, i) => i);
 * const data = makeDataset("sales", [
 *   { name: "y", role: "response", type: "real", values: month.map((t) => t + (t % 12)) },
 *   { name: "month", role: "time", type: "real", values: month },
 * ]);
 * const formula = parseFormula("y ~ 1");
 * const grammar = timeSeriesGrammar(data, { formula, families: ["normal"], period: 12 });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), [
 *   "level", "trend", "season", "memory", "family",
 * ]);
 * ```
 */
export function timeSeriesGrammar(dataset: Dataset, space: TimeSeriesSpace): GrammarSpec {
  const { formula, families, period, priors, margins } = space;
  const columns = new Columns(dataset);
  checkPlain(formula);
  const time = timeOf(dataset);
  const step = stepOf(time);
  const response = columns.response(formula.response.column);
  const values = valuesBy(response, formula.response.by);
  if (moments(values).sd === 0) throw nothing(response);
  const { mean, sd } = moments(lessOffsets(values, offsetsOf(columns, formula.parts)));
  const writer = new SpaceWriter("time_series", priors);
  const width = writer.spaceWidth();
  const numbers = {
    width,
    read: readOf(time.name),
    rows: dataset.rows,
    step,
    period,
    centre: literal(twoDigits(mean)),
    sd,
    ...spanOf(time.values),
  };
  const asking = (question: string) => ({ ...numbers, width: writer.widthOf(question) });
  writer.ask("level", levels(asking("level")));
  writer.ask("trend", trends(asking("trend")));
  writer.effect("trend, from first to last", "trend");
  if (period !== undefined) writer.ask("season", seasons(asking("season"), period));
  const scale = { variable: "eta", prefix: "", scale: sd, width, margins };
  const predictor = new Predictor(writer, columns, formula, scale);
  predictor.write();
  checkRows(predictor.coefficients + 4, dataset.rows);
  const read = readOf(response.name);
  const observed = formula.response.by ? `np.${formula.response.by}(${read})` : read;
  writer.ask("memory", memories(observed));
  writer.effect("memory", "rho");
  const own = writer.widthOf("family");
  const called = writer.nameOfObserved(columns.slug(response.name));
  writer.ask(
    "family",
    families.map((answer): Choice => ({
      answer,
      lines: [
        exponential("sigma", twoDigits(1 / sd), own),
        ...(answer === "normal"
          ? [`pm.Normal(${called}, mu=mean, sigma=sigma, observed=series)`]
          : [
            ...heavyTails(own),
            `pm.StudentT(${called}, nu=nu, mu=mean, sigma=sigma, observed=series)`,
          ]),
      ],
    })),
  );
  return writer.grammar(["import numpy as np", "import pymc as pm"], predictor.sources);
}

interface SeriesNumbers {
  readonly width: string;
  readonly read: string;
  readonly rows: number;
  readonly step: number;
  readonly centre: string;
  readonly sd: number;
  readonly first: number;
  readonly span: number;
}

const text = (value: number) => literal(twoDigits(value));

function levels({ width, rows, centre, sd }: SeriesNumbers): Choice[] {
  const start = `intercept = pm.Normal("intercept", mu=${centre}, sigma=${width}${text(2.5 * sd)})`;
  return [
    { answer: "constant", lines: [start, "eta = intercept"] },
    {
      answer: "walk",
      lines: [
        start,
        `step = pm.HalfNormal("step", sigma=${width}${text(sd / 2)})`,
        `walk = pm.GaussianRandomWalk("walk", sigma=step, init_dist=pm.Normal.dist(0, ` +
        `${text(sd / 10)}), shape=${rows})`,
        "eta = intercept + walk",
      ],
    },
  ];
}

function trends({ width, read, first, span, sd }: SeriesNumbers): Choice[] {
  return [
    { answer: "out", name: "no_trend", lines: [] },
    {
      answer: "in",
      name: "trend",
      lines: [
        `trend = pm.Normal("trend", mu=0, sigma=${width}${text(2.5 * sd)})`,
        `eta = eta + trend * ((${read} - ${literal(first)}) / ${literal(span)} - 0.5)`,
      ],
    },
  ];
}

/** Waves of the period and of its half and third, whose heights have one spread. */
function seasons({ width, read, step, sd }: SeriesNumbers, period: number): Choice[] {
  const most = Math.floor(period / step / 2 - 1e-9);
  if (!(period > 2 * step)) {
    const message = `Cannot use period = ${period}: rows are ${step} apart, wanted more than ` +
      `${2 * step}`;
    throw inputError("space/period", message, undefined, "a period is in units of the time column");
  }
  const waves = Math.max(1, Math.min(mostWaves, most));
  const phase = `phase = ${read} * ${literal(Number((2 * Math.PI / period).toPrecision(12)))}`;
  const sum = Array.from({ length: waves }, (_, k) => {
    const angle = k === 0 ? "phase" : `${k + 1} * phase`;
    return `season[${2 * k}] * np.sin(${angle}) + season[${2 * k + 1}] * np.cos(${angle})`;
  });
  return [
    { answer: "out", name: "no_season", lines: [] },
    {
      answer: "in",
      name: "season",
      lines: [
        `swing = pm.HalfNormal("swing", sigma=${width}${text(sd)})`,
        `season = pm.Normal("season", mu=0, sigma=swing, shape=${2 * waves})`,
        phase,
        `eta = eta + ${sum.join(" + ")}`,
      ],
    },
  ];
}

/** Whether residuals carry over to the next row: a first-order autoregression. */
function memories(observed: string): Choice[] {
  return [
    { answer: "out", name: "no_memory", lines: ["mean = eta", `series = ${observed}`] },
    {
      answer: "in",
      name: "memory",
      lines: [
        'rho = pm.Uniform("rho", lower=-1, upper=1)',
        "eta = eta + np.zeros(len(data))",
        `mean = eta[1:] + rho * (${observed}[:-1] - eta[:-1])`,
        `series = ${observed}[1:]`,
      ],
    },
  ];
}

function checkPlain({ response, intercept, others }: Formula): void {
  const { asked, trials, event, error } = response;
  if (!asked && !trials && !event && !error && intercept && others.length === 0) return;
  const message = "Cannot read the formula of a space of time series";
  const hint = "write y ~ 1, or y ~ [x] with regressors; level, trend, season and memory are asked";
  throw inputError("formula/time-series", message, undefined, hint);
}

function timeOf(dataset: Dataset): Column {
  const found = dataset.columns.find(({ role }) => role === "time");
  if (found && found.type !== "category") return found;
  const message = `Cannot tell the order of the rows of "${dataset.name}": ` +
    (found ? `"${found.name}" holds words` : "no column has the role time");
  const names = dataset.columns.filter((one) => one !== responseColumn(dataset) && !one.categories)
    .map(({ name }) => name);
  const hint = names.length === 0
    ? "add a column of years, days or numbers"
    : `write ${names[0]} = { role = "time" }, or --time ${names[0]}`;
  throw inputError("space/time", message, undefined, hint);
}

/** Time step between rows. @throws InputError where it is not constant, or rows are too few. */
function stepOf({ name, values }: Column): number {
  if (values.length < leastRows) {
    const message = `Cannot compare time series of ${values.length} rows: wanted at least ` +
      `${leastRows}`;
    throw inputError("space/rows", message, undefined, "each row is told from those before it");
  }
  const sorted = [...values].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((time, i) => time - sorted[i]);
  const least = steps.reduce((a, b) => Math.min(a, b));
  if (least <= 0) {
    const at = sorted[steps.indexOf(least)];
    const message = `Cannot order the rows by "${name}": two rows have the time ${at}`;
    throw inputError("space/time", message, undefined, "give each row a time of its own");
  }
  const gap = steps.findIndex((step) => step > least * 1.5);
  if (gap < 0) return least;
  const message = `Cannot use "${name}" as the time of a series: rows are ${least} apart, but ` +
    `${sorted[gap]} is followed by ${sorted[gap + 1]}`;
  const hint =
    "fill the gap in, use the rows behind it, or number the rows where gaps do not count";
  throw inputError("space/time", message, undefined, hint);
}

function spanOf(times: Float64Array) {
  const first = times.reduce((a, b) => Math.min(a, b));
  return { first, span: times.reduce((a, b) => Math.max(a, b)) - first };
}

function nothing({ name, values }: Column): Error {
  const message = `Cannot explain "${name}": every value is ${values[0]}`;
  return inputError("formula/response", message, undefined, "there is nothing to explain");
}
