/** Laws of a score: changes that keep every bit of it, and changes that move it by a known amount. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule, type Score } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const x = [-1.5, -1, -0.75, -0.25, 0, 0.5, 0.75, 1.25, 1.5, 2];
const y = [0.2, 0.9, 0.4, 1.4, 1.1, 2.2, 1.7, 2.9, 2.4, 3.6];

function datasetOf(xs: readonly number[], ys: readonly number[]): Dataset {
  return makeDataset("ten", [
    { name: "x", role: "predictor", type: "real", values: Float64Array.from(xs) },
    { name: "y", role: "response", type: "real", values: Float64Array.from(ys) },
  ]);
}

/** A line whose response is measured in units of 1 / `scale`. */
const line = (scale: number) =>
  `import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 0, ${2 * scale})
    b = pm.StudentT("b", nu=4, mu=${scale}, sigma=${scale})
    s = pm.HalfNormal("s", ${scale})
    pm.Normal("obs", a + b * data["x"], s, observed=data["y"])
`;

function scoreOf(text: string, data: Dataset): Score {
  const { score, diagnostics } = scoreNow(text, data, defaultSchedule);
  assert.ok(score, JSON.stringify(diagnostics));
  return score;
}

const plain = scoreOf(line(1), datasetOf(x, y));

/** Four standard errors of a difference, and the bias that smoothing leaves in each. */
const tolerance = (one: Score, other: Score) =>
  4 * Math.sqrt(one.mcse * one.mcse + other.mcse * other.mcse) + 0.02;

/** One spelling of the line. */
function spelled(
  names: readonly string[],
  { swapped, helper, wrapped, two }: {
    readonly swapped: boolean;
    readonly helper: boolean;
    readonly wrapped: boolean;
    readonly two: string;
  },
): string {
  const [a, b, s] = names;
  const data = wrapped ? "observed_data" : "data";
  const priors = [
    `${a} = pm.Normal("${a}_", sigma=${two}, mu=0)`,
    `${b} = pm.StudentT("${b}_", nu=${two} ** 2, mu=${two} - 1, sigma=1.0)`,
    `${s} = pm.HalfNormal("${s}_", 1)`,
  ];
  const mean = helper ? `line(${b}, ${data}["x"], ${a})` : `${b} * ${data}["x"] + ${a}`;
  const lines = [
    "with pm.Model() as model:",
    ...(swapped ? priors.toReversed() : priors).map((text) => `    ${text}`),
    `    pm.Normal("out", sigma=${s}, mu=${mean}, observed=${data}["y"])`,
  ];
  const helpers = "import pymc as pm\ndef line(k, t, c):\n    rise = t * k\n    return c + rise\n";
  if (!wrapped) return `${helpers}${lines.join("\n")}\n`;
  const body = lines.map((text) => `    ${text}`).join("\n");
  return `${helpers}def gen_model(observed_data):\n${body}\n    return model\n`;
}

Deno.test("names, order, helpers, wrapper and numerals leave every bit of a score", () => {
  const data = datasetOf(x, y);
  const name = fc.stringMatching(/^[a-h]{1,4}$/).filter((one) => one !== "def");
  const arbitrary = fc.record({
    swapped: fc.boolean(),
    helper: fc.boolean(),
    wrapped: fc.boolean(),
    two: fc.constantFrom("2", "2.0", "20e-1", "(6 / 3)", "len([0, 0])"),
  });
  const names = fc.uniqueArray(name, { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(names, arbitrary, (names, spelling) => {
      const { params: _, ...score } = scoreOf(spelled(names, spelling), data);
      const { params: __, ...expected } = plain;
      assert.deepEqual(score, expected);
    }),
    { numRuns: 10, seed: 21 },
  );
});

Deno.test("data and priors in other units shift ELPD-LOO by the Jacobian", () => {
  fc.assert(
    fc.property(fc.constantFrom(1e-3, 0.125, 1 / 3, 7, 1000, 4096), (scale) => {
      const scaled = scoreOf(line(scale), datasetOf(x, y.map((one) => one * scale)));
      const shift = y.length * Math.log(scale);
      const difference = scaled.elpdLoo + shift - plain.elpdLoo;
      assert.ok(Math.abs(difference) < tolerance(scaled, plain), `${scale}: ${difference}`);
    }),
    { numRuns: 6, seed: 22 },
  );
});

Deno.test("rows in another order permute the pointwise values and leave their sum", () => {
  const order = fc.shuffledSubarray(x.map((_, i) => i), { minLength: x.length });
  fc.assert(
    fc.property(order, (order) => {
      const data = datasetOf(order.map((i) => x[i]), order.map((i) => y[i]));
      const permuted = scoreOf(line(1), data);
      const most = tolerance(permuted, plain);
      assert.ok(Math.abs(permuted.elpdLoo - plain.elpdLoo) < most);
      order.forEach((i, place) => {
        const difference = permuted.elpdPointwise[place] - plain.elpdPointwise[i];
        assert.ok(Math.abs(difference) < most, `row ${i} at ${place}: ${difference}`);
      });
      const sum = permuted.elpdPointwise.reduce((total, one) => total + one, 0);
      assert.ok(Math.abs(sum - permuted.elpdLoo) < 1e-9);
    }),
    { numRuns: 6, seed: 22 },
  );
});
