/** Tests of the grammar of growth curves and of the examples for its warm start. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { sha256 } from "../../../src/base/digest.ts";
import { actionsOfDerivation } from "../../../src/gfn/grammar/derivation.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { checkGrammarPrograms } from "../../../src/gfn/grammar/programs.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import { checkEnvironment } from "../../../src/gfn/environments/check_environment.ts";
import { grammarOf, repositoryText } from "./small_grammar.ts";

const file = "grammars/growth_curves.toml";
const environment = grammarEnvironment(grammarOf(repositoryText(file), file));
const golden = JSON.parse(repositoryText("tests/golden/grammar_programs.json"));

Deno.test("the growth curves keep the laws of environments", () => {
  checkEnvironment(environment);
});

Deno.test("an expansion in Python finds the same programs and the same prior", () => {
  const objects = [...environment.enumerate()];
  const lengths = objects.map((object) => object.actions.length);
  assert.equal(objects.length, golden.count);
  assert.equal(sha256(objects.map((o) => o.text).sort().join("\0")), golden.texts_sha256);
  assert.equal(Math.min(...lengths), golden.actions_min);
  assert.equal(Math.max(...lengths), golden.actions_max);
  const entropy = -objects.reduce((sum, o) => sum + Math.exp(o.logPrior) * o.logPrior, 0);
  assert.ok(Math.abs(entropy - golden.prior_entropy) < 1e-10);
});

Deno.test("real PyMC has built every program, each with one observed variable", () => {
  assert.match(golden.pymc, /^5\./);
  assert.equal(golden.distinct_texts, golden.count);
});

Deno.test("every example of the warm start can be derived", () => {
  const { value } = parseTomlFile(
    repositoryText("configs/sft_small.toml"),
    "configs/sft_small.toml",
  );
  const examples = value.examples as unknown as { name: string; derivation: string[] }[];
  assert.ok(examples.length > 0 && examples.length <= 20);
  const results = examples.map(({ name, derivation }) =>
    actionsOfDerivation(environment, derivation, name)
  );
  assert.deepEqual(results.flatMap((result) => result.ok ? [] : [result.diagnostic.message]), []);
  const distinct = new Set(results.map((result) => result.ok ? result.actions.join(" ") : ""));
  assert.equal(distinct.size, examples.length);
});

Deno.test("every growth curve is a checked program, and no two are one model", () => {
  const spec = grammarOf(repositoryText(file), file);
  const data = dugongs();
  const { programs, twins } = checkGrammarPrograms(spec, (text) => checkProgram(text, data));
  assert.equal(programs, golden.count);
  assert.deepEqual(twins, []);
});

function dugongs(): Dataset {
  const lines = repositoryText("data/dugongs.csv").trim().split("\n").slice(1);
  const rows = lines.map((line) => line.split(",").map(Number));
  const column = (i: number) => Float64Array.from(rows, (row) => row[i]);
  return makeDataset("dugongs", [
    { name: "age", role: "predictor", type: "real", values: column(0) },
    { name: "length", role: "response", type: "real", values: column(1), resolution: 0.01 },
  ]);
}
