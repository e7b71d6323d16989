/** Logarithms of probabilities that are written as logistic, exponential or normal functions. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { families } from "../../../src/engine/language/distributions/table.ts";
import { logOf } from "../../../src/engine/language/distributions/stable_log.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { logNormalCdf } from "../../../src/numerics/math/normal.ts";
import { agree, evaluate } from "./evaluate.ts";

type Write = (g: GraphBuilder, u: NodeId) => NodeId;
const one = (g: GraphBuilder) => g.scalar(1);

/** Ways to write σ(u). */
const logistic: Readonly<Record<string, Write>> = {
  "sigmoid(u)": (g, u) => g.map("sigmoid", u),
  "1 / (1 + exp(-u))": (g, u) => g.div(one(g), g.add(one(g), g.exp(g.neg(u)))),
  "exp(u) / (1 + exp(u))": (g, u) => g.div(g.exp(u), g.add(one(g), g.exp(u))),
  "1 - sigmoid(-u)": (g, u) => g.sub(one(g), g.map("sigmoid", g.neg(u))),
  "sigmoid(u)[index]": (g, u) =>
    g.take(g.map("sigmoid", u), g.array(Float64Array.of(0, 1, 2, 3), [4])),
};
/** Ways to write Φ(u). */
const normal: Readonly<Record<string, Write>> = {
  "0.5 (1 + erf(u / sqrt 2))": (g, u) =>
    g.mul(g.scalar(0.5), g.add(one(g), g.map("erf", g.div(u, g.scalar(Math.SQRT2))))),
  "0.5 erfc(-u / sqrt 2)": (g, u) =>
    g.mul(g.scalar(0.5), g.map("erfc", g.neg(g.div(u, g.scalar(Math.SQRT2))))),
};

const far = Float64Array.of(-800, -30, 30, 800);
const log1pExp = (u: number) => u > 0 ? u + Math.log1p(Math.exp(-u)) : Math.log1p(Math.exp(u));

function check(
  name: string,
  write: Write,
  wanted: (u: number, y: number) => number,
  make: () => GraphBuilder,
) {
  for (const y of [0, 1]) {
    const g = make();
    const distribution = {
      family: "bernoulli" as const,
      args: [write(g, g.input(0, [4]))],
      shape: [4],
    };
    const response = g.array(new Float64Array(4).fill(y), [4]);
    const node = families.bernoulli.logDensity(g, response, distribution);
    evaluate(g, node, [far]).forEach((ours, i) => {
      const value = wanted(far[i], y);
      // y u − log(1 + e^u) rounds to the last place of u.
      assert.ok(
        agree(ours, value, 1e-12, 1e-14),
        `${name}, y = ${y}, u = ${far[i]}: ${ours}, ${value}`,
      );
    });
  }
}

for (const make of [() => new GraphBuilder(), () => new SimplifyingBuilder()]) {
  const which = make() instanceof SimplifyingBuilder ? "simplified" : "plain";
  for (const [name, write] of Object.entries(logistic)) {
    Deno.test(`Bernoulli(p = ${name}) keeps its logarithm far out, ${which}`, () =>
      check(name, write, (u, y) => -log1pExp(y === 1 ? -u : u), make));
  }
  for (const [name, write] of Object.entries(normal)) {
    Deno.test(`Bernoulli(p = ${name}) keeps its logarithm far out, ${which}`, () =>
      check(name, write, (u, y) => logNormalCdf(y === 1 ? u : -u), make));
  }
}

Deno.test("a chance 1 − e^(−rate) keeps the logarithm of small rates", () => {
  const g = new SimplifyingBuilder();
  const rate = g.exp(g.input(0, []));
  const args = [g.sub(one(g), g.exp(g.neg(rate)))];
  const node = families.bernoulli.logDensity(g, one(g), { family: "bernoulli", args, shape: [] });
  const [ours] = evaluate(g, node, [Float64Array.of(-60)]);
  assert.ok(agree(ours, -60, 1e-13, 0), `${ours}`);
  const [slope] = gradientOf(g, node, [g.input(0, [])]).map((x) =>
    evaluate(g, x, [Float64Array.of(-60)])[0]
  );
  assert.ok(agree(slope, 1, 1e-12, 0), `${slope}`);
});

Deno.test("counts with a mean e^u have the density of u, where e^u overflows or vanishes", () => {
  const g = new GraphBuilder();
  const u = g.input(0, [2]);
  const y = g.array(Float64Array.of(0, 3), [2]);
  const node = families.poisson.logDensity(g, y, {
    family: "poisson",
    args: [g.exp(u)],
    shape: [2],
  });
  const low = evaluate(g, node, [Float64Array.of(-800, -800)]);
  assert.equal(Math.abs(low[0]), 0);
  assert.ok(agree(low[1], -2400 - Math.log(6), 1e-14, 0));
  assert.deepEqual([...evaluate(g, node, [Float64Array.of(800, 800)])], [-Infinity, -Infinity]);
});

Deno.test("the logarithm of a softmax never underflows", () => {
  const g = new GraphBuilder();
  const logits = g.input(0, [3]);
  const family = families.categorical;
  const [p] = family.signature.forms[1].canonical(g, { logit_p: logits });
  const values = evaluate(g, logOf(g, p), [Float64Array.of(0, 900, -900)]);
  assert.deepEqual([...values], [-900, 0, -1800]);
});

Deno.test("logarithms of products split where a part is known or an exponential", () => {
  const g = new GraphBuilder();
  const u = g.input(0, [2]);
  const exposure = g.array(Float64Array.of(2, 4), [2]);
  const wanted = g.add(g.log(exposure), u);
  assert.equal(logOf(g, g.mul(exposure, g.exp(u))), wanted);
  assert.equal(logOf(g, g.map("sqrt", g.exp(u))), g.mul(g.scalar(0.5), u));
  // Of numbers that may be negative a product is not split.
  const product = g.mul(u, g.exp(u));
  assert.equal(logOf(g, product), g.log(product));
});

Deno.test("the logarithm of a product of a thousand factors is found in linear time", () => {
  const g = new GraphBuilder();
  let product = g.exp(g.input(0, []));
  for (let k = 1; k <= 1000; k++) product = g.mul(product, g.exp(g.input(k, [])));
  const [value] = evaluate(g, logOf(g, product), [new Float64Array(1001).fill(0.5)]);
  assert.equal(value, 500.5);
});
