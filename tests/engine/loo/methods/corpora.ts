/** The programs whose leave-one-out methods are counted: grammars, course models, a corpus, torture sets. */
import { type Column, type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import type { Environment } from "../../../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../../../src/gfn/grammar/read.ts";
import { parseTomlFile } from "../../../../src/pipeline/toml/parse.ts";
import { randomProgram } from "../../gaussian/random_programs.ts";
import { courseModels } from "../../integrity/course_models/course_models.ts";
import { readCases } from "../../python/catalogue.ts";
import { datasets, rowsOf } from "../../python/corpus_data.ts";
import { environments, experimentData } from "../../score/corpus/experiments.ts";
import { countProgram } from "../torture/count_programs.ts";

/** A program to score, with its data. */
export interface Subject {
  readonly text: string;
  readonly data: Dataset;
  readonly rows?: "ordered" | "exchangeable";
}

/** A named set of programs; `most` limits random and enumerated ones. */
export interface Corpus {
  readonly name: string;
  readonly programs: (most: number) => Iterable<Subject>;
}

const home = new URL("../../../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, home));

/** Column `index` of a data file by the row, numbers all. */
function column(path: string, index: number, own: Omit<Column, "values">): Column {
  const rows = read(path).trim().split("\n").slice(1);
  return { ...own, values: Float64Array.from(rows, (row) => Number(row.split(",")[index])) };
}

const real = { type: "real" } as const;
const count = { type: "count" } as const;

/** Shipped grammars with the data of their pipelines. */
const grammars: Readonly<Record<string, readonly Column[]>> = {
  growth_curves: [
    column("data/dugongs.csv", 0, { name: "age", role: "predictor", ...real }),
    column("data/dugongs.csv", 1, { name: "length", role: "response", ...real, resolution: 0.01 }),
  ],
  pooling: [
    column("data/eight_schools.csv", 2, { name: "sigma", role: "predictor", ...real }),
    column("data/eight_schools.csv", 1, { name: "y", role: "response", ...real, resolution: 1 }),
  ],
  institutions: [
    column("data/surgical.csv", 1, { name: "n", role: "trials", ...count }),
    column("data/surgical.csv", 2, { name: "r", role: "response", ...count }),
  ],
  count_trends: [
    column("data/peregrines_french_jura_real.csv", 0, { name: "year", role: "predictor", ...real }),
    column("data/peregrines_french_jura_real.csv", 1, {
      name: "pairs",
      role: "response",
      ...count,
    }),
  ],
  kernels: [
    column("data/mauna_loa.csv", 0, { name: "year", role: "predictor", ...real }),
    column("data/mauna_loa.csv", 1, { name: "co2", role: "response", ...real, resolution: 0.01 }),
  ],
};

/** Distinct programs of a grammar, drawn by its weights. */
function* ofGrammar(name: string, most: number): Iterable<Subject> {
  const text = read(`grammars/${name}.toml`);
  const environment = grammarEnvironment(readGrammar(parseTomlFile(text, name), name));
  const data = makeDataset(name, [...grammars[name]]);
  const random = new RandomStream("methods", name);
  const seen = new Set<string>();
  for (let tries = 0; seen.size < most && tries < 20 * most; tries++) {
    const program = draw(environment as Environment, random);
    if (!seen.has(program)) yield { text: program, data, rows: "exchangeable" };
    seen.add(program);
  }
}

function draw(environment: Environment, random: RandomStream): string {
  for (let state = environment.initialState();;) {
    let u = random.uniform();
    const action = environment.logPrior(state).findIndex((log) => (u -= Math.exp(log)) < 0);
    if (action === environment.exitAction) return environment.terminal(state).text;
    state = environment.step(state, action);
  }
}

/** Programs of the corpus, with experiments of their environments where there are some. */
function* ofCorpus(): Iterable<Subject> {
  for (const name of Object.keys(datasets)) {
    const own = environments.includes(name);
    const data = own ? experimentData(name, 10, 0) : datasets[name];
    const folders = [
      "tests/engine/python/corpus",
      ...(own ? ["tests/engine/score/corpus/more"] : []),
    ];
    for (
      const { title, program } of folders.flatMap((at) => readCases(read(`${at}/${name}.txt`)))
    ) {
      yield { text: program, data, rows: rowsOf(title) };
    }
  }
}

function* numbered(most: number, make: (seed: number) => Subject): Iterable<Subject> {
  for (let seed = 0; seed < most; seed++) yield { ...make(seed), rows: "ordered" };
}

/** All corpora. */
export const corpora: readonly Corpus[] = [
  ...Object.keys(grammars).map((name) => ({
    name: `grammar ${name}`,
    programs: (most: number) => ofGrammar(name, most),
  })),
  { name: "course models", programs: () => courseModels() },
  { name: "corpus of experiments", programs: ofCorpus },
  { name: "random count models", programs: (most) => numbered(most, countProgram) },
  { name: "random linear-Gaussian", programs: (most) => numbered(most, randomProgram) },
];
