/** Constants cost their digits, however they are spelled; a program without any costs nothing. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { lengthOf, lengthOfArray } from "../../../src/engine/language/ir/code_length.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { literalsOf } from "../../../src/engine/score/literals/charge.ts";
import { predictedFit } from "../../../src/engine/score/literals/predicted_fit.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { forgeries } from "./literals/forgeries.ts";
import { grounds } from "./literals/grounds.ts";
import { charged, isOverpaid } from "./literals/pay.ts";
import { model } from "./reward_matrix/model_text.ts";

const { data, schedule, honest } = grounds.dugongs;

function chargeOf(text: string): number {
  const checked = checkProgram(text, data);
  assert.ok(checked.ok);
  return literalsOf(checked.program, data);
}

const wave = (spelled: string) =>
  model([
    'x = data["age"]',
    'a = pm.Normal("a", 2, 1)',
    'b = pm.HalfNormal("b", 1)',
    's = pm.Exponential("s", 10)',
    'c = pm.Normal("c", 0, 1)',
    `pm.Normal("length", a + b * np.log(x) + c * np.sin(${spelled} * x ** 2), s, observed=data["length"])`,
  ]);

Deno.test("a number costs ln 10 for each digit, regular ones nothing", () => {
  for (const one of [0, -1, 2, 10, 0.5, Math.PI, 2 * Math.PI]) assert.equal(lengthOf(one), 0);
  for (const one of [Math.E, Math.SQRT2, 1 / 9.81]) assert.equal(lengthOf(one), Math.LN10);
  assert.equal(lengthOf(7), Math.LN10);
  assert.ok(lengthOf(578.67) > 5 * Math.LN10);
  assert.equal(lengthOf(27, new Set([27])), 0);
});

Deno.test("a grid costs what its ends do, a table all of its entries", () => {
  const grid = Float64Array.from({ length: 48 }, (_, i) => i);
  const random = new RandomStream("a table");
  const table = Float64Array.from(grid, () => 10 + random.below(90));
  assert.ok(lengthOfArray(grid) < 8);
  assert.ok(lengthOfArray(table) > 48 * 1.9 * Math.LN10);
});

Deno.test("a list of regular numbers costs which they are, a multiple of the identity its number", () => {
  assert.ok(lengthOfArray(Float64Array.of(2, 1, 2, 2, 1, 2)) > 5 * Math.LN2 - 1e-9);
  const identity = Float64Array.from({ length: 81 }, (_, i) => i % 10 === 0 ? 1e-6 : 0);
  assert.equal(lengthOfArray(identity, 9), lengthOf(1e-6));
});

Deno.test("arithmetic on numbers that cost nothing costs its steps and its choices", () => {
  const charge = chargeOf(wave("(np.pi / 4) * (np.pi / 4)"));
  assert.ok(charge < -6, `${charge}`);
});

Deno.test("a number costs no more than one that the data give would lose", () => {
  const program = (location: string, scale: string, threshold: string) =>
    model([
      'x = data["age"]',
      `m = pm.Normal("m", ${location}, ${scale}, shape=2)`,
      's = pm.HalfNormal("s", 1)',
      `pm.Normal("length", m[(x > ${threshold}).astype(int)], s, observed=data["length"])`,
    ]);
  assert.ok(chargeOf(program("2.337", "0.289", "10.94")) > -0.5);
  assert.ok(chargeOf(program("2.337", "0.00289", "10.94")) < -4, "a needle at the mean");
});

Deno.test("an amplitude that begins where it is flat hides no digits", () => {
  const text = model([
    'x = data["age"]',
    'a = pm.Normal("a", 2, 1)',
    'b = pm.HalfNormal("b", 1)',
    's = pm.Exponential("s", 10)',
    'd = pm.Normal("d", -10, 3)',
    'pm.Normal("length", a + b * np.log(x) + pm.math.exp(d) * np.sin(-578.67 * x ** 2), s, observed=data["length"])',
  ]);
  assert.ok(chargeOf(text) < -11);
});

Deno.test("constants of a program whose mode was not found are charged as they stand", () => {
  const checked = checkProgram(honest[0], data);
  assert.ok(checked.ok);
  const { elpd } = predictedFit(checked.program, data);
  assert.ok(literalsOf(checked.program, data, elpd + 2) > -0.1);
  assert.ok(literalsOf(checked.program, data, elpd + 4) < -4);
});

Deno.test("one number in nine spellings costs its digits in each", () => {
  const spellings = [
    ...["578.67", "(500 + 78 + 0.67)", "57867 / 100", 'float("578.67")', "(600 - 21.33)"],
    ...["-(-578.67)", "np.array([578.67])[0]", "(lambda q: q)(578.67)", "max([578.67, 3])"],
  ];
  const charges = spellings.map((one) => chargeOf(wave(one)));
  for (const [i, charge] of charges.entries()) {
    assert.ok(charge < -11 && charge > -16, `${spellings[i]}: ${charge}`);
  }
});

Deno.test("priors' constants cost what the likelihood misses: next to nothing", () => {
  assert.ok(chargeOf(honest[0]) > -0.1);
  const centred = model([
    'x = data["age"] - data["age"].mean()',
    'a = pm.Normal("a", 2.37, 0.73)',
    'b = pm.Normal("b", 0, 0.13)',
    's = pm.HalfNormal("s", 0.37)',
    'pm.Normal("length", a + b * x, s, observed=data["length"])',
  ]);
  assert.ok(chargeOf(centred) > -1);
});

Deno.test("the fit by which digits are judged is ELPD to the first order", () => {
  const checked = checkProgram(honest[0], data);
  assert.ok(checked.ok);
  const { elpd, parameters } = predictedFit(checked.program, data);
  const { score } = scoreNow(honest[0], data, schedule);
  assert.ok(Math.abs(elpd - score!.elpdLoo) < 1, `${elpd}, ${score!.elpdLoo}`);
  assert.ok(Math.abs(parameters - score!.pLoo) < 1, `${parameters}, ${score!.pLoo}`);
});

Deno.test("a score has a charge where the schedule asks for it, and the same bits without", () => {
  const { literals: _, ...plain } = schedule;
  const [free, paid] = [plain, schedule].map((one) => scoreNow(honest[0], data, one).score!);
  assert.equal(free.literals, undefined);
  assert.ok(paid.literals! <= 0);
  const { literals: __, ...rest } = paid;
  assert.deepEqual(rest, free);
});

Deno.test("tables, searched waves and memorised signs earn no more than honesty", () => {
  const few = [
    ...["sums of ones", "a wave of 578.67", "a dictionary by age"],
  ];
  for (const name of few) {
    const forgery = forgeries.find((one) => one.name === name)!;
    const pay = charged(forgery.text, grounds[forgery.about]);
    assert.ok(pay.paid !== undefined, name);
    assert.ok(!isOverpaid(forgery, pay), `${name}: ${pay.paid} ${pay.literals}`);
  }
});
