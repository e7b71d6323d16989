/** All 5,216 programs of the growth curves, printed from their graphs, are read back as themselves. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { printProgram } from "../../../src/engine/score/print_program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../../src/gfn/grammar/read.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";

const root = new URL("../../../", import.meta.url);
const rows = Deno.readTextFileSync(new URL("data/dugongs.csv", root)).trim().split("\n").slice(1)
  .map((line) => line.split(",").map(Number));
const dataset = makeDataset("dugongs", [
  { name: "age", role: "predictor", type: "real", values: Float64Array.from(rows, (r) => r[0]) },
  { name: "length", role: "response", type: "real", values: Float64Array.from(rows, (r) => r[1]) },
]);

Deno.test("all 5,216 programs of the growth curves are printed with the same hash", () => {
  const path = new URL("grammars/growth_curves.toml", root).pathname;
  const grammar = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
  let count = 0;
  for (const { text } of grammarEnvironment(grammar).enumerate()) {
    const checked = checkProgram(text, dataset);
    assert.ok(checked.ok, text);
    const printed = printProgram(checked.program, dataset);
    assert.ok(printed.ok && printed.proof.kind === "same", `${text}\n${JSON.stringify(printed)}`);
    count++;
  }
  assert.equal(count, 5216);
});
