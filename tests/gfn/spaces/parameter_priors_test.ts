/** Priors of single parameters stand in programs as they are said, and everything else as it was. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { spaceOptions } from "../../../src/cli/space_options.ts";
import { checkProgram } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/mod.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import type { SpacePriors } from "../../../src/gfn/spaces/mod.ts";

const rows = Array.from({ length: 20 }, (_, i) => i);
const column = (name: string, role: "response" | "predictor", values: readonly number[]) => ({
  name,
  role,
  type: "real" as const,
  values: Float64Array.from(values),
});
const data = makeDataset("made", [
  column("y", "response", rows.map((i) => 3 + Math.sin(i))),
  column("age", "predictor", rows.map((i) => (i * 7) % 20)),
  column("race", "predictor", rows.map((i) => 1 + i % 3)),
]);

function textsOf(priors?: SpacePriors): string[] {
  const formula = "y ~ [age] + factor(race)";
  const grammar = spaceGrammar(data, {
    space: "regression",
    formula,
    families: ["normal"],
    priors,
  });
  const texts = [...grammarEnvironment(grammar).enumerate()].map(({ text }) => text);
  for (const text of texts) assert(checkProgram(text, data).ok, text);
  return texts;
}

Deno.test("a prior of a coefficient, of the intercept and of sigma stand in every program that has it", () => {
  const said = {
    "b[age]": "Normal(0, 1)",
    "b[race: 3]": "student_t(3, 0, 2.5)",
    Intercept: "normal(sigma=5, mu=3)",
    sigma: "HalfNormal(2)",
  };
  for (const [i, text] of textsOf(said).entries()) {
    const plain = textsOf()[i].split("\n");
    const changed = text.split("\n").filter((line) => !plain.includes(line)).map((line) =>
      line.trim()
    );
    const age = 'b_age = pm.Normal("b_age", mu=0, sigma=1)';
    assert.deepEqual(changed.filter((line) => line !== age), [
      'intercept = pm.Normal("intercept", mu=3, sigma=5)',
      'b_race_3 = pm.StudentT("b_race_3", nu=3, mu=0, sigma=2.5)',
      'sigma = pm.HalfNormal("sigma", sigma=2)',
    ]);
    assert.equal(changed.includes(age), text.includes("b_age"));
  }
});

Deno.test("probabilities and widths are said beside priors of parameters", () => {
  const grammar = spaceGrammar(data, {
    ...{ space: "regression", formula: "y ~ [age]", families: ["normal"] } as const,
    priors: { age: 0.2, "b[age]": "Laplace(0, 1)" },
  });
  const [hole] = grammar.holes;
  assert.deepEqual(hole.productions.map(({ weight }) => weight), [0.8, 0.2]);
});

Deno.test("what is no parameter, no distribution or no number is refused with what there is", () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["b[aeg]", "Normal(0, 1)", /no program has such a parameter/],
    ["tau", "Normal(0, 1)", /no program has such a parameter/],
    ["b[age]", "Normla(0, 1)", /Cannot read the prior of "b\[age\]"/],
    ["b[age]", "Normal(0)", /Cannot read the prior/],
    ["b[age]", "Normal(0, s)", /Cannot read the prior/],
    ["b[age]", "Normal(0, 1)); import os; (", /Cannot read the prior/],
  ];
  for (const [name, said, message] of refused) {
    assert.throws(() => textsOf({ [name]: said }), message);
  }
});

Deno.test("the command line has a tilde for a parameter, and an equals sign for a question", () => {
  const { parseArg } = spaceOptions.prior;
  const first = parseArg!("b[age] ~ Normal(0, 1)", undefined as never);
  assert.deepEqual(parseArg!("age=0.2", first as never), { "b[age]": "Normal(0, 1)", age: 0.2 });
});
