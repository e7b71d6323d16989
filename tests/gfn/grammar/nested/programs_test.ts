/** Programs of lines that repeat themselves: fresh names, and what is said where they are missing. */
import assert from "node:assert/strict";
import { InputError } from "../../../../src/base/diagnostic.ts";
import { makeDataset } from "../../../../src/base/dataset.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import { checkGrammarPrograms } from "../../../../src/gfn/grammar/programs.ts";
import { grammarOf } from "../small_grammar.ts";

const waves = `
format = 1
name = "waves"
depth = 3
template = '''
import numpy as np
import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("level", 0, 1)
    {waves}
    pm.Normal("y", mu, {noise}, observed=data["y"])
'''

[holes.waves]
type = "statements"
[[holes.waves.productions]]
name = "no_more"
weight = 2
text = ""
[[holes.waves.productions]]
name = "wave"
weight = 1
text = '''
size_{#} = pm.HalfNormal("size_{#}", 1)
mu = mu + size_{#} * np.sin({frequency} * data["x"])
{waves}'''

[holes.frequency]
number = [0.5, 8]
scale = "log"
bits = 1

[holes.noise]
number = [0, 1]
bits = 1
`;

const values = Float64Array.of(0.3, 1.1, 2.4);
const data = makeDataset("three", [
  { name: "x", role: "predictor", type: "real", values },
  { name: "y", role: "response", type: "real", values },
]);
const check = (text: string) => checkProgram(text, data);

Deno.test("lines that repeat themselves are programs, each its own model", () => {
  const report = checkGrammarPrograms(grammarOf(waves), check);
  assert.equal(report.programs, 14); // 2 noises; no wave, one of 2, or two of 2 · 2
  assert.equal(report.checked, 14);
  assert.deepEqual(report.twins, []);
});

Deno.test("a name that stands twice is found at its place, with how to mend it", () => {
  const isSaid = (error: Error) =>
    error instanceof InputError && error.diagnostics.length === 1 &&
    /^Cannot use production "wave": .* Cannot name a variable "size"/.test(
      error.diagnostics[0].message,
    ) &&
    /choose another name; \{#\} in the text is another number/.test(error.diagnostics[0].hint!);
  const same = grammarOf(waves.replaceAll("size_{#}", "size"));
  assert.throws(() => checkGrammarPrograms(same, check), isSaid);
});
