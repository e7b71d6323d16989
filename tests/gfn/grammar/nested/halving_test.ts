/** Numbers by halving: digits that tell apart, prior mass under refinement, and the limit. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { endsOf, numberOfPart, tellsApart } from "../../../../src/gfn/grammar/nested/halving.ts";
import type { GrammarSpec, NumberRange } from "../../../../src/gfn/grammar/spec.ts";
import { checkEnvironment } from "../../../../src/gfn/environments/check_environment.ts";
import { grammarWith } from "./kernel_grammar.ts";

function numberGrammar(number: NumberRange): GrammarSpec {
  return grammarWith([{ name: "x", type: "number", productions: [], number }]);
}

const valueOf = (text: string) => Number(text.trim().slice("k = ".length));

Deno.test("numbers are short, within their interval, and all different", () => {
  const property = fc.property(
    fc.double({ min: -100, max: 100, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    fc.constantFrom("linear" as const, "log" as const),
    fc.integer({ min: 1, max: 6 }),
    (from, width, scale, bits) => {
      const low = scale === "log" ? Math.abs(from) + 1e-3 : from;
      const range = { low, high: low + width, scale, bits };
      fc.pre(tellsApart(range));
      const seen = new Set<string>();
      for (let halvings = 0; halvings <= bits; halvings++) {
        for (let index = 0; index < 2 ** halvings; index++) {
          const text = numberOfPart(range, { halvings, index });
          const [least, most] = endsOf(range, { halvings, index });
          assert.ok(Number(text) > least && Number(text) < most, `${text} ${least} ${most}`);
          seen.add(text);
        }
      }
      assert.equal(seen.size, 2 ** (bits + 1) - 1);
    },
  );
  fc.assert(property, { numRuns: 60 });
});

Deno.test("digits are few", () => {
  const texts = (range: NumberRange, halvings: number) =>
    Array.from({ length: 2 ** halvings }, (_, index) => numberOfPart(range, { halvings, index }));
  const unit = { low: 0, high: 1, scale: "linear", bits: 3 } as const;
  assert.deepEqual(texts(unit, 1), ["0.25", "0.75"]);
  assert.deepEqual(texts(unit, 3), ["0.06", "0.2", "0.3", "0.44", "0.56", "0.7", "0.8", "0.94"]);
  const even = { low: -1, high: 1, scale: "linear", bits: 2 } as const;
  assert.deepEqual([texts(even, 0), texts(even, 1)], [["0"], ["-0.5", "0.5"]]);
});

Deno.test("every number keeps the laws; of 5 bits there are 32, or 63 with stops", () => {
  for (const stop of [undefined, 0.25]) {
    const number = { low: 0.1, high: 10, scale: "log", bits: 5, ...(stop && { stop }) } as const;
    const environment = grammarEnvironment(numberGrammar(number));
    checkEnvironment(environment);
    assert.equal(environment.count, stop ? 63 : 32);
    assert.equal(environment.maxActions, 6);
  }
});

Deno.test("the prior mass of an interval is that of its halves and of stopping in it", () => {
  const number = { low: 0, high: 8, scale: "linear", bits: 4, stop: 0.3 } as const;
  const objects = [...grammarEnvironment(numberGrammar(number)).enumerate()];
  const massOf = (prefix: readonly number[]) =>
    objects.filter(({ actions }) => prefix.every((action, t) => actions[t] === action))
      .reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
  const [lower, upper, stop] = [0, 1, 2];
  for (const prefix of [[], [lower], [upper, upper], [upper, lower, upper]]) {
    const [a, b] = [massOf([...prefix, lower]), massOf([...prefix, upper])];
    assert.ok(Math.abs(a - b) < 1e-15);
    assert.ok(Math.abs(a - massOf(prefix) * 0.7 / 2) < 1e-15);
    assert.ok(Math.abs(massOf([...prefix, stop]) - massOf(prefix) * 0.3) < 1e-15);
  }
});

Deno.test("evidence under refinement goes to the integral: flat on the scale that is halved", () => {
  // ∫ N(1.3 | x, 0.4) dx / 4 over 0 … 4; erf(3.25/√2) and erf(6.75/√2) from CPython 3.11.7's math.erf
  const exact = 0.5 * (0.9988459499152185 + 0.9999999999852155) / 4;
  const density = (x: number) => Math.exp(-((1.3 - x) ** 2) / 0.32) / Math.sqrt(2 * Math.PI * 0.16);
  const errors = [3, 5, 7].map((bits) => {
    const range = { low: 0, high: 4, scale: "linear", bits } as const;
    const objects = [...grammarEnvironment(numberGrammar(range)).enumerate()];
    const z = objects.reduce((sum, { text, logPrior }) => {
      return sum + Math.exp(logPrior) * density(valueOf(text));
    }, 0);
    return Math.abs(z - exact);
  });
  assert.ok(errors[2] < 2e-4 && errors[2] < errors[0], errors.join());
  // On a logarithmic scale 1/x is flat: the mean of x over 0.1 … 10 is 9.9 / log 100.
  const log = { low: 0.1, high: 10, scale: "log", bits: 9 } as const;
  const mean = [...grammarEnvironment(numberGrammar(log)).enumerate()]
    .reduce((sum, { text, logPrior }) => sum + Math.exp(logPrior) * valueOf(text), 0);
  assert.ok(Math.abs(mean - 9.9 / Math.log(100)) < 2e-3, `${mean}`);
});
