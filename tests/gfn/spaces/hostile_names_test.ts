/** A program of a space whose column names are code that an attacker would like to have run. */
import assert from "node:assert/strict";
import { type ColumnRole, makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";

const numbers = (k: number) => Float64Array.from({ length: 20 }, (_, i) => ((i * k) % 19) / 2);
const column = (name: string, role: ColumnRole, k: number) =>
  ({ name, role, type: "real", values: numbers(k) }) as const;

function programs(formula: string, response: string, ...names: readonly string[]) {
  const data = makeDataset("hostile", [
    column(response, "response", 7),
    ...names.map((name, i) => column(name, "predictor", 3 + 2 * i)),
  ]);
  const spec = spaceGrammar(data, { space: "regression", formula, families: ["normal"] });
  const texts = [...grammarEnvironment(spec).enumerate()].map(({ text }) => text);
  for (const text of texts) assert.ok(checkProgram(text, data).ok, text);
  return { texts, spec };
}

Deno.test("a response called sigma, and columns called like the end of a line and a hole", () => {
  const { texts } = programs(
    "sigma ~ `a\nimport os` + `{q_family}`",
    "sigma",
    "a\nimport os",
    "{q_family}",
  );
  assert.deepEqual(texts.map((text) => text.trimEnd()), [
    `import numpy as np
import pymc as pm

with pm.Model() as model:
    intercept = pm.Normal("intercept", mu=4.3, sigma=7.3)
    eta = intercept
    b_a_import_os = pm.Normal("b_a_import_os", mu=0, sigma=2.5)
    eta = eta + b_a_import_os * (data["a\\u000aimport os"] - 4.28)
    b_q_family = pm.Normal("b_q_family", mu=0, sigma=2.5)
    eta = eta + b_q_family * (data["{q_family}"] - 4.28)
    sigma = pm.Exponential("sigma", lam=0.34)
    pm.Normal("sigma_observed", mu=eta, sigma=sigma, observed=data["sigma"])`,
  ]);
});

Deno.test("columns whose names are one to Python have coefficients of their own", () => {
  const { spec } = programs("y ~ [年龄] + [体重] + [__proto__]", "y", "年龄", "体重", "__proto__");
  assert.deepEqual(Object.entries(spec.effects!), [
    ["年龄", "b_x"],
    ["体重", "b_x_v2"],
    ["__proto__", "b_proto"],
  ]);
});

Deno.test("an interaction wants the column that it is made of, and no other that begins like it", () => {
  const { spec } = programs("y ~ [x_v2] + [x] + [z] + [x:z]", "y", "x_v2", "x", "z");
  const crossed = spec.holes[3].productions.find(({ answer }) => answer === "in")!;
  const made = spec.holes.slice(1, 3).map(({ productions }) =>
    productions.find(({ answer }) => answer === "in")!.name
  );
  assert.deepEqual([...crossed.requires!].sort(), [...made].sort());
});

Deno.test("a response called like a year, or like what results keep, has a name that it may have", () => {
  const observedAs = (response: string) => {
    const { texts } = programs(`\`${response}\` ~ \`2018\``, response, "2018");
    return /pm\.Normal\("(\w+)", mu=eta/.exec(texts[0])![1];
  };
  assert.deepEqual(["2020", "draw", "chain"].map(observedAs), [
    "y_2020",
    "draw_observed",
    "chain_observed",
  ]);
});

Deno.test("questions of a survey, and their interaction, have names that a variable may have", () => {
  const asked = (what: string) =>
    `How satisfied are you with the quality of ${what} that was provided (1-7)`;
  const [one, other] = [asked("the service"), asked("the staff")];
  const response = "score total of the questionnaire that was filled in by all participants";
  const formula = `\`${response}\` ~ [\`${one}\`] + [\`${other}\`] + [\`${one}\`:\`${other}\`]`;
  const { spec } = programs(formula, response, one, other);
  assert.deepEqual(Object.values(spec.effects!), [
    "b_How_satisfied_are_you",
    "b_How_satisfied_are_you_v2",
    "b_How_satisfied_are_you_x_How_satisfied_are_you_v2",
  ]);
});

Deno.test("a column called like a question of the space is asked about in backticks", () => {
  assert.throws(() => programs("y ~ [family]", "y", "family"), /Cannot ask \[family\]/);
  const { spec } = programs("y ~ [`family`]", "y", "family");
  const asked = spec.holes.map(({ question }) => question);
  assert.deepEqual(asked, ["`family`", "family"]);
});
