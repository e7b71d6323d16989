/** Data that forgeries by constants are about, each with its best honest programs. */
import { type Column, type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import type { Schedule } from "../../../../src/engine/score/execution/execution.ts";
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { exp } from "../../../../src/numerics/math/mod.ts";
import { dugongs } from "../../density/data.ts";
import { curve, model, observed } from "../reward_matrix/model_text.ts";

/** A data set, how it is scored, and programs that say honestly what it shows. */
export interface Ground {
  readonly data: Dataset;
  readonly schedule: Schedule;
  /** The best of them is what honesty earns. */
  readonly honest: readonly string[];
}

/** A trend with autocorrelated noise, recorded to a tenth. */
export const series: readonly number[] = [
  ...[
    18.9,
    20.4,
    19.3,
    19.4,
    18.3,
    18.0,
    20.3,
    21.3,
    20.8,
    20.0,
    18.5,
    19.0,
    19.7,
    20.1,
    20.5,
    19.7,
  ],
  ...[
    20.3,
    20.8,
    22.4,
    24.2,
    23.5,
    22.4,
    22.3,
    21.8,
    21.3,
    21.7,
    21.0,
    22.2,
    22.3,
    22.8,
    22.8,
    22.2,
  ],
  ...[
    21.6,
    22.0,
    21.9,
    22.7,
    23.0,
    21.9,
    22.6,
    21.7,
    21.9,
    22.3,
    20.9,
    22.1,
    23.0,
    23.4,
    23.4,
    23.5,
  ],
];

const column = (
  name: string,
  role: "predictor" | "response",
  type: "real" | "count" | "binary",
  values: readonly number[],
  resolution?: number,
): Column => ({
  ...{ name, role, type, values: Float64Array.from(values) },
  ...(resolution && { resolution }),
});

const random = new RandomStream("forgeries by constants");
const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const round = (x: number, digits: number) => Number(x.toFixed(digits));

/** Whether something succeeds, by a predictor of two decimals. */
const x = range(60).map(() => round(4 * random.uniform() - 2, 2));
const passed = x.map((one) => random.uniform() < 1 / (1 + exp(-(0.3 + 1.2 * one))) ? 1 : 0);

/** Six groups of five. */
const effects = [0.4, -0.9, 1.1, 0.2, -0.6, -0.1];
const group = range(30).map((i) => i % 6);
const inGroups = group.map((g) => round(2 + effects[g] + 0.9 * nearlyNormal(), 2));

function nearlyNormal(): number {
  return range(12).map(() => random.uniform()).reduce((a, b) => a + b) - 6;
}

/** Thirty counts that rise with a predictor. */
const counts = [
  ...[2, 1, 0, 3, 2, 4, 1, 3, 2, 5, 3, 2, 6, 4, 3, 5, 7, 4, 6, 3, 8, 5, 9, 6, 7, 10, 8, 6, 11, 9],
];
const step = counts.map((_, i) => round((i - 14.5) / 10, 2));

const ordered: Schedule = { ...defaultSchedule, rows: "ordered", literals: "scored" };
const exchangeable: Schedule = { ...defaultSchedule, literals: "scored" };

/** Success by a logistic curve. */
export const logistic = model([
  'a = pm.Normal("a", 0, 1)',
  'b = pm.Normal("b", 0, 1)',
  'pm.Bernoulli("pass", logit_p=a + b * data["x"], observed=data["pass"])',
]);

/** Success by a curve that levels off on both sides. */
const levelling = model([
  'a = pm.Normal("a", 0, 1)',
  'b = pm.Normal("b", 0, 1)',
  'pm.Bernoulli("pass", logit_p=a + b * np.tanh(data["x"]), observed=data["pass"])',
]);

/** Every ground by name. */
export const grounds = {
  series: {
    data: makeDataset("series", [
      column("t", "predictor", "real", range(48).map((i) => 2000 + i)),
      column("y", "response", "real", series, 0.1),
    ]),
    schedule: ordered,
    honest: [
      model([
        'i = (data["t"] - 2000) / 10',
        'a = pm.Normal("a", 20, 5)',
        'b = pm.Normal("b", 0, 1)',
        's = pm.HalfNormal("s", 2)',
        'pm.Normal("y", a + b * i, s, observed=data["y"])',
      ]),
      model([
        'i = (data["t"] - 2000) / 10',
        'a = pm.Normal("a", 20, 5)',
        'b = pm.Normal("b", 0, 1)',
        'e = pm.HalfNormal("e", 2)',
        's = pm.HalfNormal("s", 1)',
        "gp = pm.gp.Marginal(cov_func=e ** 2 * pm.gp.cov.Exponential(1, ls=3))",
        'w = pm.GaussianRandomWalk("w", sigma=e, init_dist=pm.Normal.dist(20, 5), shape=48)',
        'pm.Normal("y", w, s, observed=data["y"])',
      ].filter((line) => !line.startsWith("gp") && !/^[ab] /.test(line) && !line.startsWith("i "))),
    ],
  },
  dugongs: {
    data: dugongs(0.01),
    schedule: exchangeable,
    honest: [model([...curve, observed])],
  },
  binary: {
    data: makeDataset("tests passed", [
      column("x", "predictor", "real", x),
      column("pass", "response", "binary", passed),
    ]),
    schedule: exchangeable,
    honest: [logistic, levelling],
  },
  counts: {
    data: makeDataset("visits", [
      column("x", "predictor", "real", step),
      column("visits", "response", "count", counts),
    ]),
    schedule: exchangeable,
    honest: [
      model([
        'a = pm.Normal("a", 1, 1)',
        'b = pm.Normal("b", 0, 1)',
        'pm.Poisson("visits", pm.math.exp(a + b * data["x"]), observed=data["visits"])',
      ]),
    ],
  },
  groups: {
    data: makeDataset("groups", [
      {
        ...column("g", "predictor", "real", group),
        type: "category",
        categories: ["a", "b", "c", "d", "e", "f"],
      },
      column("y", "response", "real", inGroups, 0.01),
    ]),
    schedule: exchangeable,
    honest: [
      model([
        'm = pm.Normal("m", 2, 1)',
        't = pm.HalfNormal("t", 1)',
        'u = pm.Normal("u", m, t, shape=6)',
        's = pm.HalfNormal("s", 1)',
        'pm.Normal("y", u[data["g"]], s, observed=data["y"])',
      ]),
      model([
        'u = pm.Normal("u", 2, 0.5, shape=6)',
        's = pm.HalfNormal("s", 1)',
        'pm.Normal("y", u[data["g"]], s, observed=data["y"])',
      ]),
    ],
  },
} satisfies Record<string, Ground>;

/** Name of a ground. */
export type GroundName = keyof typeof grounds;

/** A column's numbers. */
export function numbersOf(name: GroundName, of: string): number[] {
  return [...grounds[name].data.columns.find((one) => one.name === of)!.values];
}
