/** Factors: an effect of each level, of words and of numbers that are names, against one that is said. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/mod.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";

const rows = Array.from({ length: 24 }, (_, i) => i);
const column = (name: string, values: number[], own: Partial<Column> = {}): Column => ({
  ...{ name, role: "predictor", type: "real" },
  ...own,
  values: Float64Array.from(values),
});
const levels = { type: "category", categories: ["low", "mid", "high", "none"] } as const;
const dose = column("dose", rows.map((i) => i % 3), { ...levels, ordered: true });
const data = makeDataset("made", [
  column("y", rows.map((i) => Math.sin(i)), { role: "response" }),
  column("race", rows.map((i) => [1, 2, 10][i % 3])),
  column("sign", rows.map((i) => [-1, 0, 2.5][i % 3])),
  dose,
  { ...dose, name: "word", ordered: undefined },
]);
const grammarOf = (formula: string) =>
  spaceGrammar(data, { space: "regression", formula, families: ["normal"] });

/** Every program of a formula passes the checks of the language. */
function effectsOf(formula: string) {
  const grammar = grammarOf(formula);
  const environment = grammarEnvironment(grammar);
  let checked = 0;
  for (const { text } of environment.enumerate!()) {
    const result = checkProgram(text, data);
    assert(result.ok, text);
    checked++;
  }
  assert(checked > 0);
  return { effects: grammar.effects, against: grammar.against };
}

Deno.test("numbers in factor(…), C(…) and as.factor(…) have an effect of each against the first", () => {
  for (const called of ["factor", "C", "as.factor"]) {
    const { effects, against } = effectsOf(`y ~ [${called}(race)]`);
    assert.deepEqual(effects, { "race: 2": "b_race_2", "race: 10": "b_race_10" });
    assert.deepEqual(against, { "race: 2": "1", "race: 10": "1" });
  }
  const text = JSON.stringify(grammarOf("y ~ [factor(race)]"));
  assert.match(text, /b_race_10 \* \(data\[\\"race\\"\] == 10\)/);
  assert.deepEqual(Object.keys(effectsOf("y ~ factor(sign)").effects!), ["sign: 0", "sign: 2.5"]);
});

Deno.test("the level that others are compared with can be said", () => {
  const { against } = effectsOf('y ~ [factor(race, ref = "10")]');
  assert.deepEqual(against, { "race: 1": "10", "race: 2": "10" });
  assert.deepEqual(effectsOf("y ~ factor(race, ref = 2)").against, {
    "race: 1": "2",
    "race: 10": "2",
  });
  assert.throws(() => grammarOf('y ~ factor(race, ref = "3")'), /with "3": no row has it/);
  assert.throws(() => grammarOf("y ~ factor(race, 3)"), /ref = "level" is wanted/);
});

Deno.test("levels that no row has get no effect, and words are a factor with or without the function", () => {
  const own = { "dose: mid": "b_dose_1", "dose: high": "b_dose_2" };
  assert.deepEqual(effectsOf("y ~ [factor(dose)]").effects, own);
  assert.deepEqual(effectsOf("y ~ [dose]").effects, own);
});

Deno.test("a slope or an effect of each is one question, and products have factors", () => {
  effectsOf("y ~ [race | factor(race)]");
  effectsOf("y ~ sign * factor(race)");
});

Deno.test("mo(…) takes levels in an order that was said, and no other words", () => {
  assert.deepEqual(effectsOf("y ~ [mo(dose)]").effects, { "dose, lowest to highest": "b_mo_dose" });
  assert.throws(() => grammarOf("y ~ mo(word)"), /the order of its levels is not known/);
});
