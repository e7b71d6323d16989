/** Programs that both front ends read: drawn from the shipped grammars, and a corpus of texts. */
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import type { Column } from "../../../src/base/dataset.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { readGrammar } from "../../../src/gfn/grammar/read.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import { readCases } from "../python/catalogue.ts";
import { datasets as corpusDatasets } from "../python/corpus_data.ts";

/** A program and the data that it is about. */
export interface SharedProgram {
  readonly name: string;
  readonly program: string;
  readonly dataset: Dataset;
}

const root = new URL("../../../", import.meta.url);

function column(file: string, name: string, rest: Omit<Column, "name" | "values">): Column {
  const lines = Deno.readTextFileSync(new URL(`data/${file}`, root)).trim().split("\n");
  const at = lines[0].split(",").indexOf(name);
  const values = Float64Array.from(lines.slice(1), (line) => Number(line.split(",")[at]));
  return { name, values, ...rest };
}

const predictor = { role: "predictor", type: "real" } as const;

const datasets: Readonly<Record<string, Dataset>> = {
  growth_curves: makeDataset("dugongs", [
    column("dugongs.csv", "age", predictor),
    column("dugongs.csv", "length", { role: "response", type: "real", resolution: 0.01 }),
  ]),
  count_trends: makeDataset("peregrines", [
    column("peregrines_french_jura_real.csv", "year", predictor),
    column("peregrines_french_jura_real.csv", "pairs", { role: "response", type: "count" }),
  ]),
  pooling: makeDataset("eight_schools", [
    column("eight_schools.csv", "sigma", predictor),
    column("eight_schools.csv", "y", { role: "response", type: "real", resolution: 1 }),
  ]),
  institutions: makeDataset("surgical", [
    column("surgical.csv", "n", { role: "trials", type: "count" }),
    column("surgical.csv", "r", { role: "response", type: "count" }),
  ]),
  discounting: makeDataset("choices", [
    ...([["immediate", [50, 20, 80]], ["delayed", [60, 90, 85]], ["days", [7, 100, 30]]] as const)
      .map(([name, values]) => ({ name, values: Float64Array.from(values), ...predictor })),
    { name: "choice", role: "response", type: "binary", values: Float64Array.of(0, 1, 0) },
  ]),
  kernels: makeDataset("mauna_loa", [
    column("mauna_loa.csv", "year", predictor),
    column("mauna_loa.csv", "co2", { role: "response", type: "real", resolution: 0.01 }),
  ]),
};

/** Names of the shipped grammars of programs; one of texts derives none. */
export function grammars(): string[] {
  const writesPrograms = (name: string) =>
    !/^writes = "text"/m.test(Deno.readTextFileSync(new URL(`grammars/${name}`, root)));
  return [...Deno.readDirSync(new URL("grammars/", root))].filter(({ isFile }) => isFile)
    .map(({ name }) => name)
    .filter(writesPrograms).map((name) => name.replace(".toml", "")).sort();
}

/** Programs of a grammar that is too large to enumerate: each production stands in one of these. */
const someOfMany = 400;

/** Every program that a shipped grammar derives, or some of too many, and the data that it is about. */
export function* allPrograms(grammar: string): Generator<{ text: string; dataset: Dataset }> {
  const environment = grammarNamed(grammar);
  const isMany = environment.count! > 1e6;
  const dataset = datasets[grammar.replace("_small", "")];
  if (!dataset) {
    throw new Error(`no data for grammars/${grammar}.toml: name some in ${import.meta.url}`);
  }
  for (const { text } of isMany ? environment.some!(someOfMany) : environment.enumerate()) {
    yield { text, dataset };
  }
}

/** Programs that a grammar derives, all of them. */
export function programCount(grammar: string): number {
  return grammarNamed(grammar).count!;
}

function grammarNamed(grammar: string): Environment {
  const path = new URL(`grammars/${grammar}.toml`, root).pathname;
  const spec = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
  return grammarEnvironment(spec);
}

/** Every k-th program of a grammar, and then the first with each production not yet met. */
function derived(grammar: string, count: number): SharedProgram[] {
  const all = [...grammarNamed(grammar).enumerate()];
  const step = all.length / count;
  const chosen = Array.from({ length: count }, (_, k) => all[Math.floor(k * step)]);
  const met = new Set(chosen.flatMap(({ features }) => features));
  for (const object of all) {
    if (object.features.every((feature) => met.has(feature))) continue;
    chosen.push(object);
    for (const feature of object.features) met.add(feature);
  }
  return chosen.map(({ text, features }) => {
    return { name: `${grammar}: ${features.join(" ")}`, program: text, dataset: datasets[grammar] };
  });
}

function corpus(): SharedProgram[] {
  const folder = new URL("../python/corpus/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return files.flatMap((file) => {
    const dataset = corpusDatasets[file.replace(".txt", "")];
    return readCases(Deno.readTextFileSync(new URL(file, folder))).map(({ title, program }) => {
      return { name: `${file}: ${title}`, program, dataset };
    });
  });
}

/** All of them, in a fixed order. */
export function sharedPrograms(): SharedProgram[] {
  const grammars = [["growth_curves", 60], ["count_trends", 40], ["pooling", 40]] as const;
  return [
    ...grammars.flatMap(([name, n]) => derived(name, n)),
    ...derived("institutions", 40),
    ...corpus(),
  ];
}

/** Writes the input of tools/golden/pymc_graphs.py. */
if (import.meta.main) {
  const jobs = sharedPrograms().map(({ name, program, dataset }) => {
    const columns = dataset.columns.map(({ name, type, values, shape }) => {
      return [name, { type, shape: shape ?? [values.length], values: [...values] }];
    });
    const response = dataset.columns.find(({ role }) => role === "response")!;
    const placeholders = [[...response.values]];
    return {
      name,
      program,
      response: response.name,
      columns: Object.fromEntries(columns),
      placeholders,
    };
  });
  console.log(JSON.stringify(jobs));
}
