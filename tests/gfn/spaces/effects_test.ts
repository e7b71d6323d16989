/** Effects of a space of regressions: terms, spreads of groups, places of interactions, ratios. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { readGrammar } from "../../../src/gfn/grammar/read.ts";
import { grammarText } from "../../../src/gfn/grammar/write.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/mod.ts";

const numbers = (f: (i: number) => number) => Float64Array.from({ length: 24 }, (_, i) => f(i));
const x = { name: "x", role: "predictor", type: "real", values: numbers((i) => i % 7) } as const;
const z = { name: "z", role: "predictor", type: "binary", values: numbers((i) => i % 2) } as const;
const group = {
  ...{ name: "g", role: "group", type: "category", categories: ["a", "b", "c", "d"] } as const,
  values: numbers((i) => i % 4),
};
const y = (type: "real" | "count" | "binary", values: Float64Array) =>
  ({ name: "y", role: "response", type, values }) as const;
const real = makeDataset("real", [y("real", numbers((i) => i + (i % 5))), x, z, group]);
const counts = makeDataset("counts", [y("count", numbers((i) => i % 6)), x, z, group]);
const binary = makeDataset("binary", [
  y("binary", numbers((i) => i % 3 === 0 ? 1 : 0)),
  x,
  z,
  group,
]);

const made = (data: typeof real, formula: string, families: string[]) =>
  spaceGrammar(data, { space: "regression", formula, families });

Deno.test("the effect of a predictor is reported beside slopes that vary by group", () => {
  for (const bars of ["|", "||"]) {
    const { effects, formula } = made(real, `y ~ x + [(1 + x ${bars} g)] + [z]`, ["normal"]);
    assert.deepEqual(Object.keys(effects!).sort(), ["sd(Intercept | g)", "sd(x | g)", "x", "z"]);
    assert.equal(formula, "y ~ 1 + x");
  }
});

Deno.test("an interaction says where the effects of its factors hold", () => {
  const { at } = made(real, "y ~ x + z + [x:z]", ["normal"]);
  assert.deepEqual(at, { "x × z": "x at z = 0, z at x = 2.75" });
});

Deno.test("effects on logarithms are ratios, named after what the family is of", () => {
  const ratiosOf = (data: typeof real, family: string) =>
    made(data, "y ~ [x] + (1 | g)", [family]).ratios ?? {};
  assert.deepEqual(ratiosOf(real, "normal"), {});
  assert.deepEqual(ratiosOf(counts, "poisson"), { x: "rate ratio" });
  assert.deepEqual(ratiosOf(binary, "bernoulli"), { x: "odds ratio" });
  assert.deepEqual(ratiosOf(binary, "bernoulli_cloglog"), { x: "rate ratio" });
});

Deno.test("a written grammar keeps what reports say of it", () => {
  const spec = made(counts, "y ~ x + z + [x:z] + (1 | g)", ["poisson"]);
  const again = readGrammar(parseTomlFile(grammarText(spec), "a.toml"), "a.toml");
  const { effects, at, ratios, formula } = spec;
  assert.equal(Object.hasOwn(ratios!, "sd(Intercept | g)"), false);
  assert.deepEqual(
    [again.effects, again.at, again.ratios, again.formula],
    [effects, at, ratios, formula],
  );
});

Deno.test("the intercept and the parameters of families are reported where they are asked for", () => {
  const termsOf = (data: typeof real, formula: string, families: string[]) => {
    const asked = { space: "regression", formula, families, effects: "all" } as const;
    return Object.keys(spaceGrammar(data, asked).effects!).sort();
  };
  assert.deepEqual(termsOf(real, "y ~ x", ["normal", "student_t"]), [
    ...["Intercept", "sigma", "tails", "x"],
  ]);
  assert.deepEqual(termsOf(real, "y ~ 0 + x", ["normal"]), ["sigma", "x"]);
  assert.deepEqual(termsOf(counts, "y ~ x; zi ~ z", ["zero_inflated_negative_binomial"]), [
    ...["Intercept", "dispersion", "x", "zi: Intercept", "zi: z"],
  ]);
  assert.throws(
    () => spaceGrammar(real, { space: "pooling", formula: "y ~ (1 | g)", effects: "all" }),
    /it has no key effects/,
  );
});
