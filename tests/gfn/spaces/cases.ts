/** One space of every kind, on data of the repository, for the laws that all spaces obey. */
import { fileURLToPath } from "node:url";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { readDataset } from "../../../src/data/read_dataset.ts";
import { type ColumnSpec, typedDataset } from "../../../src/data/typed_dataset.ts";
import { parseTable } from "../../../src/data/raw_table.ts";
import { inTimeOrder } from "../../../src/data/time_order.ts";
import type { CheckOptions } from "../../../src/engine/language/pymc/check.ts";
import type { SpaceSpec } from "../../../src/gfn/spaces/space_spec.ts";

/** A space, its data, and what its programs are checked with. */
export interface SpaceCase {
  readonly spec: SpaceSpec;
  readonly dataset: Dataset;
  readonly options: CheckOptions;
  /** How many programs it has. */
  readonly programs: number;
}

async function dataOf(file: string, columns: Readonly<Record<string, ColumnSpec>>) {
  const path = fileURLToPath(new URL(`../../../data/${file}.csv`, import.meta.url));
  return await readDataset({ path, columns, missing: "error" });
}

const predictor = { role: "predictor" } as const;
const dugongs = await dataOf("dugongs", {
  age: predictor,
  length: { role: "response", resolution: 0.01 },
});
const seeds = await dataOf("seeds", {
  seed_type: { role: "predictor", type: "binary" },
  root_extract: { role: "predictor", type: "binary" },
  germinated: { role: "response", type: "count" },
  total: { role: "trials", type: "count" },
});
const beetles = await dataOf("beetles_bliss", {
  dose: predictor,
  beetles: { role: "trials", type: "count" },
  killed: { role: "response", type: "count" },
});
const remission = await dataOf("leukaemia_remission", {
  treatment: { role: "predictor", type: "category" },
  weeks: { role: "response", resolution: 1 },
  relapse: { role: "event", type: "binary" },
});
const cheese = await dataOf("cheese_tasting", {
  cheese: { role: "predictor", type: "category" },
  liking: { role: "response", type: "category", levels: [..."123456789"] },
});
const schools = await dataOf("eight_schools", {
  school: { role: "group", type: "category" },
  y: { role: "response", resolution: 1 },
  sigma: predictor,
});
const peregrines = await dataOf("peregrines_french_jura_real", {
  year: { role: "time" },
  pairs: { role: "response", resolution: 1 },
});
const ordered = inTimeOrder(peregrines, { column: "year" });

/** All of them. */
export const spaceCases: readonly SpaceCase[] = [
  {
    spec: {
      space: "regression",
      formula: "[length | log(length)] ~ [age | log(age)]; sigma ~ [age]",
      families: ["normal", "student_t"],
      priors: { width: [0.5, 1] },
    },
    ...{ dataset: dugongs, options: {}, programs: 32 },
  },
  {
    spec: {
      space: "regression",
      formula: "germinated | trials(total) ~ [seed_type] + [root_extract] + " +
        "[seed_type:root_extract]",
      priors: { seed_type: 0.2 },
    },
    ...{ dataset: seeds, options: {}, programs: 10 },
  },
  {
    spec: { space: "growth", formula: "length ~ age" },
    ...{ dataset: dugongs, options: {}, programs: 95 },
  },
  {
    spec: { space: "dose_response", formula: "killed | trials(beetles) ~ dose" },
    ...{ dataset: beetles, options: {}, programs: 18 },
  },
  {
    spec: { space: "survival", formula: "weeks | event(relapse) ~ [treatment]" },
    ...{ dataset: remission, options: {}, programs: 8 },
  },
  {
    spec: {
      ...{ space: "time_series", formula: "pairs ~ 1", period: 10 },
      families: ["normal", "student_t"],
    },
    ...{ dataset: ordered.dataset, options: { rows: "ordered", time: ordered.time } },
    programs: 32,
  },
  {
    spec: {
      ...{ space: "ordinal", formula: "liking ~ [cheese]" },
      families: ["ordered_logistic", "ordered_probit"],
    },
    ...{ dataset: cheese, options: {}, programs: 4 },
  },
  {
    spec: { space: "gaussian_process", formula: "length ~ age", period: 10 },
    ...{ dataset: dugongs, options: {}, programs: 9 },
  },
  {
    spec: { space: "pooling", formula: "y | error(sigma) ~ (1 | school)" },
    ...{ dataset: schools, options: {}, programs: 8 },
  },
];

const radon = await dataOf("radon", {
  county: { role: "group", type: "category" },
  floor: { role: "predictor", type: "category" },
  radon: { role: "response", resolution: 0.1 },
});
const bikes = await dataOf("bikes", {
  ...{ temp: predictor, workingday: { role: "predictor", type: "binary" } },
  ...{ hum: predictor, casual: { role: "response", type: "count" } },
});
const relapsed = await dataOf("leukaemia_remission", {
  ...{ treatment: { role: "predictor", type: "category" }, weeks: predictor },
  relapse: { role: "response", type: "binary" },
});
const plots = await readDataset({
  path: fileURLToPath(new URL("../../../data/penguins.csv", import.meta.url)),
  columns: {
    island: { role: "group", type: "category" },
    species: { role: "predictor", type: "category" },
    sex: { role: "predictor", type: "category" },
    flipper_length_mm: predictor,
    body_mass_g: { role: "response", resolution: 25 },
  },
  missing: "drop",
});

/** The dugongs, every fifth of which has an unknown age. */
const ageless = typedDataset(
  "ageless",
  await parseTable(
    new TextEncoder().encode(
      Deno.readTextFileSync(new URL("../../../data/dugongs.csv", import.meta.url)).split("\n")
        .map((line, i) => i % 5 === 4 ? line.replace(/^[^,]*/, "") : line).join("\n"),
    ),
    "dugongs.csv",
  ),
  { age: predictor, length: { role: "response", resolution: 0.01 } },
  "model",
);

const kinds = await readDataset({
  path: fileURLToPath(new URL("../../../data/penguins.csv", import.meta.url)),
  columns: {
    species: { role: "response", type: "category" },
    sex: { role: "predictor", type: "category" },
    flipper_length_mm: predictor,
  },
  missing: "drop",
});

/** Shares of which every fourth is 0. */
const covers = makeDataset("covers", [
  {
    ...{ name: "cover", role: "response", type: "real", resolution: 0.01 },
    values: Float64Array.from({ length: 24 }, (_, i) => i % 4 === 0 ? 0 : 0.2 + (i % 7) / 10),
  },
  {
    ...{ name: "slope", role: "predictor", type: "real" },
    values: Float64Array.from({ length: 24 }, (_, i) => (i * i) % 11),
  },
]);

/** Catches of at least one. */
const catches = makeDataset("catches", [
  {
    ...{ name: "caught", role: "response", type: "count" },
    values: Float64Array.from({ length: 24 }, (_, i) => 1 + (i * 5) % 9),
  },
  ...covers.columns.slice(1),
]);

/** Times of which every fourth is known, lies between two visits, or is a limit from below or from above. */
export const visits = typedDataset(
  "visits",
  await parseTable(
    new TextEncoder().encode(
      "slope,weeks,side,until\n" +
        Array.from({ length: 24 }, (_, i) => {
          const low = 1 + ((i * 5) % 9) / 4;
          const side = ["none", "interval", "left", "right"][i % 4];
          return `${((i * i) % 11) / 20},${low},${side},${i % 4 === 1 ? low + 0.5 + i % 3 : ""}\n`;
        }).join(""),
    ),
    "visits.csv",
  ),
  {
    slope: predictor,
    weeks: { role: "response", resolution: 0.25 },
    side: { role: "event", type: "category", levels: ["left", "none", "right", "interval"] },
    until: { role: "limit" },
  },
  "error",
);

/** A space for each type of data, of which real PyMC runs a program. */
export const exportCases: readonly Omit<SpaceCase, "programs">[] = [
  ...spaceCases,
  {
    spec: {
      space: "survival",
      formula: "weeks | cens(side, until) ~ [slope]",
      families: ["log_normal", "weibull"],
    },
    ...{ dataset: visits, options: {} },
  },
  ...[
    ["log(radon) ~ [floor] + (1 | county)", "normal", radon],
    ["casual ~ [temp | poly(temp, 2)] + workingday * hum", "negative_binomial", bikes],
    ["casual ~ spline(temp, 5)", "zero_inflated_poisson", bikes],
    ["species ~ flipper_length_mm + [sex]", "categorical", kinds],
    ["cover ~ [slope]", "hurdle_gamma", covers],
    ["cover ~ [slope]", "hurdle_log_normal", covers],
    ["caught ~ [slope]", "zero_truncated_negative_binomial", catches],
    ["weeks | cens(side, until) ~ [slope]", "student_t", visits],
    ["weeks | cens(side, until) ~ [slope]", "gamma", visits],
    ["casual ~ [temp]", "hurdle_negative_binomial", bikes],
    ["germinated | trials(total) ~ [seed_type]", "zero_inflated_binomial", seeds],
    ["relapse ~ treatment + [weeks]", "bernoulli", relapsed],
    ["relapse ~ treatment + [weeks]", "bernoulli_probit", relapsed],
    ["killed | trials(beetles) ~ [dose]", "binomial_cloglog", beetles],
    ["length ~ [age | poly(age, 2)]", "normal", ageless],
    // Rows without a sex are left out of it.
    [
      "body_mass_g ~ [sex] + flipper_length_mm + (1 + flipper_length_mm | island/species)",
      "student_t",
      plots,
    ],
  ].map(([formula, family, dataset]) => ({
    spec: { space: "regression", formula, families: [family] } as SpaceSpec,
    ...{ dataset: dataset as Dataset, options: {} },
  })),
];
