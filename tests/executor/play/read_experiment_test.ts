/** Tests of the files of experiments: shipped ones are read, and faults are reported at their place. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { readExperiment } from "../../../src/executor/play/read_experiment.ts";
import { shippedExperiments } from "./local_theories.ts";

const line = `format = 1
name = "line"
program = "…"
response = { name = "y", type = "real" }
story = "A line."
plain_story = "A line."
words = "at {x} it is {y}"
inputs.x = { type = "real", low = 0, high = 1 }
`;

function findings(text: string): readonly string[] {
  try {
    readExperiment(text, "line.toml");
    return [];
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.diagnostics.map(({ message, span }) => `${span?.line ?? "?"}: ${message}`);
  }
}

Deno.test("experiments that ship are read, each under the name of its file", () => {
  const names = [...shippedExperiments().keys()];
  assert.ok(names.length >= 10, `${names}`);
});

const wrong: readonly (readonly [string, string, RegExp])[] = [
  ["a mistyped key", line + "rulez = []", /^9: .*unknown key "rulez"/],
  ["no program", line.replace('program = "…"\n', ""), /missing key "program"/],
  [
    "an input that ends before it begins",
    line.replace("low = 0", "low = 2"),
    /^8: .*goes from 2 to 1/,
  ],
  [
    "questions outside",
    line + 'questions.x = { draw = "uniform", low = 0, high = 3 }',
    /^9: .*outside of what may be asked/,
  ],
  [
    "questions about no input",
    line + 'questions.z = { draw = "uniform", low = 0, high = 1 }',
    /^9: .*"z", which is no input/,
  ],
  ["words of nothing", line.replace("{x}", "{age}"), /^7: .*\{age\}, which is neither/],
  ["a rule of nothing", line + 'rules = ["x <= most"]', /^9: .*"most", which is no input/],
  ["a rule that compares nothing", line + 'rules = ["x"]', /^9: .*wanted two sums/],
  ["a catalogue without end", line + 'inputs.catalogue = "all"', /^9: .*no end: x is real/],
  [
    "an entry that lacks an input",
    line + "inputs.catalogue = { rows = [{ z = 1 }] }",
    /entry 0 lacks x/,
  ],
  [
    "a response among the inputs",
    line.replace('name = "y"', 'name = "x"').replace("{y}", "{x}"),
    /is an input as well/,
  ],
];

for (const [what, text, message] of wrong) {
  Deno.test(`${what} is said at its place`, () => {
    const found = findings(text);
    assert.ok(found.some((one) => message.test(one)), found.join("\n") || "nothing was found");
  });
}
