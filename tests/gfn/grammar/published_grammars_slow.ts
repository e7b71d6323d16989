/** Tests of the grammars of the pipelines on published data: size, meaning, and published programs. */
import assert from "node:assert/strict";
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { actionsOfDerivation } from "../../../src/gfn/grammar/derivation.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { checkGrammarPrograms } from "../../../src/gfn/grammar/programs.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import { checkEnvironment } from "../../../src/gfn/environments/check_environment.ts";
import { grammarOf, repositoryText } from "./small_grammar.ts";

interface Derivation {
  readonly name: string;
  readonly derivation: readonly string[];
}

interface Pipeline {
  readonly name: string;
  readonly grammar: string;
  readonly data: string;
  /** Columns in use; the last one is the response. */
  readonly columns: readonly Omit<Column, "values">[];
}

const real = { role: "predictor", type: "real" } as const;
const pipelines: readonly Pipeline[] = [
  {
    name: "peregrines",
    grammar: "count_trends",
    data: "peregrines_french_jura_real",
    columns: [{ name: "year", ...real }, { name: "pairs", role: "response", type: "count" }],
  },
  {
    name: "eight_schools",
    grammar: "pooling",
    data: "eight_schools",
    columns: [
      { name: "sigma", ...real },
      { name: "y", role: "response", type: "real", resolution: 1 },
    ],
  },
  {
    name: "surgical",
    grammar: "institutions",
    data: "surgical",
    columns: [
      { name: "n", role: "trials", type: "count" },
      { name: "r", role: "response", type: "count" },
    ],
  },
];

function datasetOf({ name, data, columns }: Pipeline): Dataset {
  const [head, ...rows] = repositoryText(`data/${data}.csv`).trim().split("\n")
    .map((line) => line.replaceAll('"', "").split(","));
  const valuesOf = (column: string) =>
    Float64Array.from(rows, (row) => Number(row[head.indexOf(column)]));
  return makeDataset(name, columns.map((one) => ({ ...one, values: valuesOf(one.name) })));
}

/** The list at a path of keys in a TOML file of the repository. */
function listIn(file: string, ...path: readonly string[]): Derivation[] {
  let value: unknown = parseTomlFile(repositoryText(file), file).value;
  for (const key of path) value = (value as Record<string, unknown>)[key];
  return value as Derivation[];
}

for (const pipeline of pipelines) {
  const { name, grammar } = pipeline;
  const file = `grammars/${grammar}.toml`;
  const spec = grammarOf(repositoryText(file), file);
  const environment = grammarEnvironment(spec);

  Deno.test(`the grammar ${grammar} keeps the laws of environments`, () => {
    checkEnvironment(environment);
  });

  Deno.test(`${grammar} has at least 500 programs, all checked, and no two are one model`, () => {
    const data = datasetOf(pipeline);
    const report = checkGrammarPrograms(spec, (text) => checkProgram(text, data));
    assert.ok(report.programs >= 500, `${report.programs}`);
    assert.deepEqual(report.twins, []);
  });

  Deno.test(`${grammar} derives the published program and the examples of the warm start`, () => {
    const published = listIn(`pipelines/${name}.toml`, "stages", "evaluate", "references");
    const examples = listIn(`configs/sft_${name}.toml`, "examples");
    assert.ok(published.length > 0 && examples.length > 0);
    for (const { name, derivation } of [...published, ...examples]) {
      const result = actionsOfDerivation(environment, derivation, name);
      assert.ok(result.ok, name);
    }
  });
}
