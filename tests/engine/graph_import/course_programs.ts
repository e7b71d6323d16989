/** Programs as a teacher of a PyMC course writes them, and their data: 24 rows of each kind. */
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { readCases } from "../python/catalogue.ts";
import type { SharedProgram } from "./programs.ts";

const rows = 24;
const random = new RandomStream("course");
const numbers = (f: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => f(i));
const round = (x: number) => Math.round(100 * x) / 100;
const x = numbers((i) => round(6 * (i + random.uniform()) / rows));
const z = numbers(() => round(2 * random.uniform() - 1));

const predictors: readonly Column[] = [
  { name: "x", role: "predictor", type: "real", values: x },
  { name: "z", role: "predictor", type: "real", values: z },
  {
    ...{ name: "group", role: "group", type: "category", categories: ["a", "b", "c", "d"] },
    values: numbers((i) => (7 * i + 3) % 4),
  },
  { name: "year", role: "predictor", type: "count", values: numbers((i) => 2000 + i * 5 % 6) },
  { name: "exposure", role: "exposure", type: "real", values: numbers((i) => 1 + i % 3) },
];

function data(name: string, type: Column["type"], values: Float64Array) {
  const more = name === "ratings" ? { categories: ["bad", "fair", "good", "great"] } : {};
  return makeDataset(name, [...predictors, { name: "y", role: "response", type, values, ...more }]);
}

const datasets = {
  normal: data("normal", "real", numbers((i) => round(1 + 0.8 * x[i] - z[i] + random.uniform()))),
  counts: data("counts", "count", numbers((i) => Math.floor(x[i] / 2 + 3 * random.uniform()))),
  binary: data("binary", "binary", numbers((i) => x[i] / 6 > random.uniform() ? 1 : 0)),
  ratings: data("ratings", "category", numbers(() => Math.floor(4 * random.uniform()))),
};

/** All of them, in a fixed order. */
export function coursePrograms(): SharedProgram[] {
  return Object.entries(datasets).flatMap(([kind, dataset]) => {
    const file = new URL(`./course/${kind}.txt`, import.meta.url);
    return readCases(Deno.readTextFileSync(file)).map(({ title, program }) => {
      return { name: `${kind}: ${title}`, program, dataset };
    });
  });
}

/** Writes the input of tools/golden/course_graphs.py. */
if (import.meta.main) {
  const jobs = coursePrograms().map(({ name, program, dataset }) => {
    const columns = dataset.columns.map((column) => {
      const { name, type, values, shape, categories } = column;
      return [name, { type, shape: shape ?? [values.length], values: [...values], categories }];
    });
    const response = dataset.columns.find(({ role }) => role === "response")!;
    const placeholders = [[...response.values]];
    return {
      ...{ name, program, response: response.name, placeholders },
      columns: Object.fromEntries(columns),
    };
  });
  console.log(JSON.stringify(jobs));
}
