/** Holes that lead back to themselves: total mass, bounds, laws, names, and what stays flat. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { checkGrammar } from "../../../../src/gfn/grammar/check.ts";
import { compileGrammar } from "../../../../src/gfn/grammar/compile.ts";
import { circlesOf } from "../../../../src/gfn/grammar/nested/branching.ts";
import { nestedHoles } from "../../../../src/gfn/grammar/nested/nested_holes.ts";
import { Rooms } from "../../../../src/gfn/grammar/nested/rooms.ts";
import { Sizes } from "../../../../src/gfn/grammar/nested/sizes.ts";
import { actionsOfDerivation } from "../../../../src/gfn/grammar/derivation.ts";
import type { GrammarSpec, HoleSpec } from "../../../../src/gfn/grammar/spec.ts";
import { grammarWith, kernels, production } from "./kernel_grammar.ts";

const minus = (weight: number, more: Partial<GrammarSpec> = {}) =>
  grammarWith([{
    name: "x",
    type: "expression",
    productions: [production("one", "1"), production("minus", "({x} - {x})", { weight })],
  }], more);

function growths(spec: GrammarSpec): number[] {
  const grammar = compileGrammar(spec);
  return circlesOf(grammar, nestedHoles(grammar)).map(({ growth }) => growth);
}

const close = (found: number, wanted: number, within = 1e-9) =>
  assert.ok(Math.abs(found - wanted) < within, `${found}, wanted ${wanted}`);

Deno.test("growth of one hole is its mean number of children", () => {
  close(growths(minus(0.5))[0], 2 / 3); // p = 1/3, two children
  close(growths(minus(3))[0], 1.5);
});

Deno.test("growth of two holes is the root of the product of their means", () => {
  const holes: HoleSpec[] = [
    {
      name: "a",
      type: "expression",
      productions: [production("a1", "1"), production("ab", "({b} - {b} - {b})")],
    },
    {
      name: "b",
      type: "expression",
      productions: [production("b1", "2", { weight: 3 }), production("ba", "({a} / 2)")],
    },
  ];
  // [[0, 3/2], [1/4, 0]]
  close(growths(grammarWith(holes))[0], Math.sqrt(3 / 8), 1e-7);
});

Deno.test("growth of a chain counts its operands, and what each must not be", () => {
  // Leaf 1, chain 1: on = 1/2, operands 2, 3 or 4: mean 2 + 1/2 + 1/4, each a leaf for certain.
  const spec = grammarWith([{
    name: "x",
    type: "expression",
    productions: [
      production("one", "1"),
      production("sum", "({x} + {x})", { associative: true, operands: 4 }),
      production("power", "({x})**2"),
    ],
  }]);
  // x → x: 1/3 (power); x → operand: 1/3 · (2 + 1/3 + 1/9); operand → x: 1/2 (power).
  const mean = 2 + 1 / 3 + 1 / 9;
  const [p, q] = [1 / 3, mean / 3 * (1 / 2)];
  close(growths(spec)[0], (p + Math.sqrt(p * p + 4 * q)) / 2);
});

Deno.test("mass within the bounds is that of the branching process", () => {
  for (const weight of [0.2, 0.9, 3]) {
    const p = weight / (1 + weight);
    let mass = 0;
    for (let depth = 1; depth <= 6; depth++) {
      mass = 1 - p + p * mass ** 2;
      const rooms = new Rooms(compileGrammar(minus(weight, { depth })));
      close(new Sizes(rooms).kept(rooms.entry(0)), mass, 1e-14);
    }
  }
});

Deno.test("a grammar whose derivations need not end is refused by the weights to change", () => {
  const check = (weight: number, more: Partial<GrammarSpec> = {}) => () =>
    checkGrammar(minus(weight, more), () => undefined);
  check(0.99)();
  check(1.01, { depth: 3 })();
  assert.throws(check(1.01), /weights that lead back: minus = 1.01/);
  assert.throws(check(1), /mass is infinite/);
});

Deno.test("fresh numbers count up in the order of the text", () => {
  const spec = grammarWith([{
    name: "x",
    type: "expression",
    productions: [
      production("leaf", 'f("a{#}", "b{#}")'),
      production("minus", "g({x}, {#}, {x})", { weight: 0.5 }),
    ],
  }], { depth: 2, template: "{#}: {x}" });
  const texts = [...grammarEnvironment(spec).enumerate()].map(({ text }) => text.trim());
  assert.deepEqual(texts, [
    '1: f("a2", "b2")',
    '1: g(f("a3", "b3"), 2, f("a4", "b4"))',
  ]);
});

Deno.test("derivations by names go through nested holes, and choices that are illegal are named", () => {
  const environment = grammarEnvironment(kernels(3, 3));
  const names = ["sum", "r", "product", "p", "l"];
  const derived = actionsOfDerivation(environment, names);
  assert.ok(derived.ok);
  assert.deepEqual(derived.actions, [3, 0, 4, 1, 2, 5]);
  const wrong = actionsOfDerivation(environment, ["sum", "p", "r"]);
  assert.ok(!wrong.ok && /it is not legal here/.test(wrong.diagnostic.message));
  assert.equal(wrong.diagnostic.hint, 'did you mean "p"? Legal here: p, l, product');
});

Deno.test("an infinite grammar is bounded by its choices, and no state of it is kept", () => {
  const { depth: _, ...unbounded } = kernels(1, 4);
  const environment = grammarEnvironment({
    ...unbounded,
    holes: unbounded.holes.map((hole) => ({
      ...hole,
      productions: hole.productions.map((one) =>
        one.text.includes("{") ? { ...one, weight: 0.8 } : one
      ),
    })),
  });
  assert.ok(environment.count! > 1e12 && environment.maxActions <= 64);
  const start = environment.initialState();
  const seen = environment.some!(400);
  assert.equal(new Set(seen.map(({ text }) => text)).size, seen.length);
  assert.equal(start.situation.next.size, 1, "only where the hole is filled");
});
