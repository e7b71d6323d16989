/** Facts that the page derives from data: bins, the predictor to draw over, PIT bands, picture labels. */
import assert from "node:assert/strict";
import {
  binsOf,
  mainPredictor,
  typicalValue,
  withFormula,
} from "../../../src/report/html_report/data_facts.ts";
import { looPitVerdict, pitCurve } from "../../../src/report/html_report/pit.ts";
import { plain, share, shareRange } from "../../../src/report/html_report/words.ts";
import { linesOf, textWidth } from "../../../src/report/figures/text_width.ts";
import { replicatedBins, summariesAt } from "../../../src/cli/html_report/predictive_summary.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { leadSection } from "../../../src/report/html_report/sections/lead.ts";
import { answersSection } from "../../../src/report/html_report/sections/answers.ts";
import { answerOf } from "../../../src/answers/mod.ts";
import { dataset, hostile, pageFacts } from "./page_facts.ts";

const column = (values: number[], more = {}) =>
  ({ name: "x", role: "predictor", type: "real", values, ...more }) as const;

Deno.test("bins hold every value once, and whole numbers of a small range have one each", () => {
  for (
    const values of [[1.77, 2.72, 2.1, 2.3], [0, 0, 1e9, 3e8], [-5, -5, -5], [1e-8, 3e-8, 2e-8]]
  ) {
    const bins = binsOf(column(values));
    assert.equal(bins.reduce((sum, { count }) => sum + count, 0), values.length);
    assert.ok(bins[0].from <= Math.min(...values) && bins.at(-1)!.to > Math.max(...values) - 1e-12);
  }
  const counts = binsOf(column([0, 1, 1, 4], { type: "count" }));
  assert.deepEqual(counts.map(({ count }) => count), [1, 2, 0, 0, 1]);
  assert.deepEqual([counts[0].from, counts[0].to], [-0.5, 0.5]);
});

Deno.test("the response is drawn over the number that goes with it most, else over a category", () => {
  const data = dataset(hostile);
  assert.equal(mainPredictor(data)!.name, hostile.column);
  const [response, x, site] = data.columns;
  const noise = { ...x, name: "noise", values: x.values.map((_, i) => (i * 17) % 40) };
  assert.equal(mainPredictor({ ...data, columns: [response, noise, x] })!.name, hostile.column);
  assert.equal(mainPredictor({ ...data, columns: [response, site] })!.name, site.name);
  assert.equal(mainPredictor({ ...data, columns: [response] }), undefined);
});

Deno.test("others are held at the median of numbers and the most frequent level", () => {
  assert.equal(typicalValue(column([9, 1, 2, 3, 4])), 3);
  assert.equal(typicalValue(column([2, 1, 1, 0, 2, 1], { categories: ["a", "b", "c"] })), 1);
});

Deno.test("trials and exposure of a formula are known by their place in it", () => {
  const names = ["y", "n", "hours", "x"];
  const columns = names.map((name) => ({
    ...{ name, type: "real" as const, values: [1, 2] },
    role: name === "y" ? "response" as const : "predictor" as const,
  }));
  const data = { name: "d", rows: 2, dropped: 0, columns };
  const roles = (formula: string) => withFormula(data, formula).columns.map(({ role }) => role);
  assert.deepEqual(roles("y | trials(n) ~ [x]").slice(1), ["trials", "predictor", "predictor"]);
  assert.deepEqual(roles("y ~ x + offset(log(hours))")[2], "exposure");
  assert.equal(withFormula(data, undefined), data);
});

Deno.test("nine of ten uniform samples stay in the PIT band; shifted, narrow and wide ones leave it", () => {
  const random = new RandomStream("test", "pit");
  const sample = (n: number, of: (u: number) => number) =>
    Array.from({ length: n }, () => of(random.uniform()));
  const inside = (pit: number[]) => looPitVerdict(pit).inside;
  const held =
    Array.from({ length: 60 }, () => inside(sample(50, (u) => u))).filter(Boolean).length;
  // 54 expected; the binomial standard deviation is 2.3, and that of a band from 400 draws 0.9.
  assert.ok(held >= 54 - 3 * 2.5 && held < 60, `${held} of 60`);
  assert.match(looPitVerdict(sample(200, (u) => Math.sqrt(u))).sentence, /too low/);
  assert.match(looPitVerdict(sample(200, (u) => u * u)).sentence, /too high/);
  const tails = (u: number) => u < 0.5 ? u * u * 2 : 1 - 2 * (1 - u) ** 2;
  assert.match(looPitVerdict(sample(400, tails)).sentence, /too sure/);
  assert.match(looPitVerdict(sample(400, (u) => 0.25 + u / 2)).sentence, /too vague/);
  assert.equal(pitCurve([0.5]).at.length, 101);
});

Deno.test("summaries of predictive draws are those of the mixture", () => {
  const ones = { draws: Float64Array.of(1, 10, 1, 10), times: 3 };
  const fives = { draws: Float64Array.of(5, 50, 5, 50), times: 1 };
  const [first, second] = summariesAt([ones, fives], [0, 1]);
  assert.deepEqual([first.x, first.mean, first.q05, first.q95], [0, 2, 1, 5]);
  assert.deepEqual([second.mean, summariesAt([ones, fives], [0, 1], 10)[1].mean], [20, 2]);
  const thirds = { draws: Float64Array.of(1, 9, 9, 4, 9, 9), times: 1 };
  assert.equal(summariesAt([thirds], [0], 1, 3)[0].mean, 2.5, "the first and the fourth");
  const bins = [{ from: 0, to: 1, count: 1 }, { from: 1, to: 2, count: 1 }];
  const made = replicatedBins(bins, Float64Array.of(0.5, 0.5, 0.5, 1.5), 2);
  assert.deepEqual(made.map(({ mean }) => mean), [1.5, 0.5]);
});

Deno.test("labels are broken and never cut; numbers and shares read as a person writes them", () => {
  const long = "hyperbolic_tangent_with_a_very_long_name and more";
  assert.equal(linesOf(long, 12).join("").replaceAll(" ", ""), long.replaceAll(" ", ""));
  assert.ok(linesOf(long, 12).every((line) => line.length <= 12));
  assert.deepEqual(linesOf("", 12), [""]);
  assert.deepEqual(linesOf("Metropolis–Hastings", 17), ["Metropolis–", "Hastings"]);
  assert.ok(textWidth("WWW", 10) > textWidth("iii", 10));
  assert.deepEqual([plain(31.5), plain(1.50), plain(-2), plain(1e-9)], [
    "31.5",
    "1.5",
    "−2",
    "1e−9",
  ]);
  assert.deepEqual([share(0.4048), share(0.0641), share(0.9996), share(0.00001)], [
    ...["40\u00a0%", "6.4\u00a0%", "more than 99.9\u00a0%", "less than 0.1\u00a0%"],
  ]);
  assert.equal(shareRange(0.07, 0.56), "7 to 56\u00a0%");
});

Deno.test("the page says the error of a difference that the sentences say", () => {
  const facts = pageFacts();
  const { se, error } = facts.report.answer!.questions[0].difference!;
  assert.notEqual(se.toFixed(1), error.toFixed(1));
  assert.match(leadSection(facts).text, new RegExp(`±\\s${error.toFixed(1)}`));
});

/** Two programs in files; the second has a constant of many digits. */
function answered(literals?: Float64Array) {
  return answerOf({
    programs: 2,
    derivations: Int32Array.of(1, 1),
    failed: 0,
    logPrior: Float64Array.of(Math.log(0.5), Math.log(0.5)),
    priorWeight: 1,
    logReward: Float64Array.of(-5, -4),
    pointwise: Float64Array.of(-2, -1, -2, -1, -1.5, -1.5),
    rows: 3,
    unit: "row",
    mcse: Float64Array.of(0.02, 0.02),
    questions: [{
      question: "program",
      answers: [{ answer: "line.py", prior: 0.5 }, { answer: "wave.py", prior: 0.5 }],
      given: Int32Array.of(0, 1),
    }],
    effects: [],
    ...(literals && { literals }),
  });
}

Deno.test("the page has a column for charged constants where some are charged", () => {
  const charged = answersSection(answered(Float64Array.of(0, -11.5)), new Map()).text;
  assert.match(charged, /constants, nats/);
  assert.match(charged, /−11\.5/);
  for (const literals of [undefined, new Float64Array(2)]) {
    assert.doesNotMatch(answersSection(answered(literals), new Map()).text, /constants, nats/);
  }
});
