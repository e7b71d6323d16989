/** Nested holes at greater length: 3,043 normal forms by brute force, and laws of random grammars. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import type { GrammarSpec, HoleSpec } from "../../../../src/gfn/grammar/spec.ts";
import { checkEnvironment } from "../../../../src/gfn/environments/check_environment.ts";
import { checkMasses, kernelOf } from "./check_masses.ts";
import { grammarWith, kernels, normalised, parsed, production } from "./kernel_grammar.ts";

Deno.test("the mass of each of 3,043 normal forms is that of all its orders", () => {
  checkMasses(3, 3, 3043);
});

/** Most operands of one sign in `+(l *(p r))`. */
function operandsOf(kernel: string): number {
  const counts = [0];
  let most = 0;
  for (const character of kernel) {
    if (character === "(") counts.push(1);
    else if (character === " ") counts[counts.length - 1]++;
    else if (character === ")") most = Math.max(most, counts.pop()!);
  }
  return most;
}

Deno.test("no kernel of the plain grammar is missing, and none is there twice", () => {
  const plain = [...grammarEnvironment(kernels(3, 2, false)).enumerate()];
  assert.equal(plain.length, 885); // 3 + 2 · 21², 21 = 3 + 2 · 3²
  const spelled = new Set(plain.map(({ text }) => normalised(parsed(kernelOf(text)))));
  const wanted = [...spelled].filter((kernel) => operandsOf(kernel) <= 3);
  const forms = [...grammarEnvironment(kernels(3, 3)).enumerate()]
    .map(({ text }) => normalised(parsed(kernelOf(text))));
  const found = new Set(forms);
  assert.equal(found.size, forms.length);
  assert.ok(wanted.length > 150 && wanted.length < spelled.size, `${wanted.length}`);
  for (const kernel of wanted) assert.ok(found.has(kernel), kernel);
});

Deno.test("random recursive grammars keep the laws of environments", () => {
  fc.assert(
    fc.property(randomGrammar(), (spec) => {
      const environment = grammarEnvironment(spec);
      fc.pre(environment.count! < 300);
      checkEnvironment(environment);
    }),
    { numRuns: 40 },
  );
});

/** One or two holes that lead to each other, some in normal forms, a number, a depth or choices. */
function randomGrammar(): fc.Arbitrary<GrammarSpec> {
  const weight = fc.double({ min: 0.05, max: 5, noNaN: true });
  const form = fc.constantFrom(
    {},
    { commutative: true } as const,
    { associative: true, operands: 3 } as const,
    { commutative: true, associative: true, operands: 3 } as const,
  );
  const parts = {
    weights: fc.array(weight, { minLength: 6, maxLength: 6 }),
    form,
    other: fc.boolean(),
    stop: fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true })),
    depth: fc.constantFrom(1, 2, 3, undefined),
    choices: fc.integer({ min: 3, max: 9 }),
  };
  return fc.record(parts).map(({ weights, form, other, stop, depth, choices }) => {
    const range = { low: 1, high: 2, scale: "linear", bits: 2, ...(stop && { stop }) } as const;
    const own: HoleSpec = {
      name: "x",
      type: "expression",
      productions: [
        production("a", "a", { weight: weights[0] }),
        production("b", "b({n})", { weight: weights[1] }),
        production("two", "({x} + {x})", { weight: weights[2], ...form }),
        ...(other ? [production("via", "f({y}, {x})", { weight: weights[3] })] : []),
      ],
    };
    const second: HoleSpec = {
      name: "y",
      type: "expression",
      productions: [
        production("c", "c", { weight: weights[4] }),
        production("back", "h({x})", { weight: weights[5] }),
      ],
    };
    const number: HoleSpec = { name: "n", type: "number", productions: [], number: range };
    const bound = depth === undefined ? { choices } : { depth, choices };
    const holes = other ? [own, second, number] : [own, number];
    return grammarWith(holes, { template: "k = {x}\nm = {n}", ...bound });
  });
}
