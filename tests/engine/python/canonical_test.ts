/** Distributions of the canonical graph: changes that keep hash and order, and changes that must not. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { accept, model } from "./programs.ts";

/** An expression that can be written in several ways. */
type Term =
  | { readonly kind: "variable"; readonly index: number }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "function"; readonly name: string; readonly argument: Term }
  | { readonly kind: "operator"; readonly op: string; readonly left: Term; readonly right: Term };

/** Numbers of the variables that precede each variable, and the likelihood's mean. */
interface Skeleton {
  readonly priors: readonly { readonly family: string; readonly location: number }[];
  readonly mean: Term;
}

interface Spelling {
  readonly names: readonly string[];
  readonly swap: boolean;
  readonly keywords: boolean;
  readonly wrapped: boolean;
  readonly inline: boolean;
  /** Operators and functions are called through `def` and `lambda` of the program. */
  readonly helpers: boolean;
  /** How the number 6 would be written; see `numberTexts`. */
  readonly numbers: number;
  readonly order: readonly number[];
}

const count = 4;

/** Spellings of one whole number. */
const numberTexts: readonly ((n: number) => string)[] = [
  (n) => `${n}`,
  (n) => `${n}.0`,
  (n) => `${n}e0`,
  (n) => `0x${n.toString(16)}`,
  (n) => `(${2 * n} / 2)`,
  (n) => `np.sqrt(${n * n})`,
  (n) => `len([${Array(n).fill("0").join(", ")}])`,
];

const helperTexts = `def plus(u, v):
    return u + v

def times(u, v, one=1):
    product = u * v
    return product * one

minus = lambda u, v: u - v

def call(f, x):
    return f(x)

`;
const helperNames: Readonly<Record<string, string>> = { "+": "plus", "*": "times", "-": "minus" };
const term: fc.Arbitrary<Term> = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant("variable" as const), index: fc.nat(count - 1) }),
    fc.record({ kind: fc.constant("number" as const), value: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant("column" as const), name: fc.constantFrom("age", "dose") }),
    fc.record({
      kind: fc.constant("function" as const),
      name: fc.constantFrom("tanh", "sigmoid"),
      argument: tie("term"),
    }),
    fc.record({
      kind: fc.constant("operator" as const),
      op: fc.constantFrom("+", "*", "-"),
      left: tie("term"),
      right: tie("term"),
    }),
  ),
})).term;

/** A prior's location is a number or an earlier variable; many variables are alike on purpose. */
const skeleton: fc.Arbitrary<Skeleton> = fc.record({
  priors: fc.array(
    fc.record({
      family: fc.constantFrom("Normal", "Laplace"),
      location: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: count, maxLength: count },
  ),
  mean: term,
});

const spelling: fc.Arbitrary<Spelling> = fc.record({
  names: fc.uniqueArray(
    fc.stringMatching(/^[a-k][a-k0-9]{0,4}$/).filter((s) => !/^(as|if)$/.test(s)),
    {
      minLength: count,
      maxLength: count,
    },
  ),
  swap: fc.boolean(),
  keywords: fc.boolean(),
  wrapped: fc.boolean(),
  inline: fc.boolean(),
  helpers: fc.boolean(),
  numbers: fc.nat(numberTexts.length - 1),
  order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: count, maxLength: count }),
});

/** Variables 0 and 1 may stand in any order, 2 depends on 0 and 3 on 1. */
function write({ priors, mean }: Skeleton, s: Spelling): string {
  const argument = s.wrapped ? "observed_data" : "data";
  const declare = (i: number): string => {
    const { family, location } = priors[i];
    const where = i >= 2 ? `${s.names[i - 2]} * ${location + 1}` : `${location}`;
    const scale = family === "Normal" ? "sigma" : "b";
    const given = s.keywords ? `${scale}=2, mu=${where}` : `${where}, 2`;
    return `${s.names[i]} = pm.${family}("${s.names[i]}_v", ${given})`;
  };
  const roots = s.order.filter((i) => i < 2);
  const leaves = s.order.filter((i) => i >= 2);
  const expression = spell(mean, s, argument);
  const observed = `observed=${argument}["length"]`;
  const tail = s.inline
    ? [`pm.Normal("obs", ${expression}, 1, ${observed})`]
    : [`mean_ = ${expression}`, `unused_ = mean_ + 1`, `pm.Normal("obs", mean_, 1, ${observed})`];
  const text = model(...[...roots, ...leaves].map(declare), ...tail);
  const helpers = s.helpers ? helperTexts : "";
  if (!s.wrapped) return helpers + text;
  const body = text.trimEnd().split("\n").map((line) => `    ${line}`).join("\n");
  return `import pymc as pm\n${helpers}def gen_model(observed_data):\n${body}\n    return model\n`;
}

function spell(t: Term, s: Spelling, data: string): string {
  switch (t.kind) {
    case "variable":
      return s.names[t.index];
    case "number":
      return numberTexts[s.numbers](t.value);
    case "column":
      return `${data}["${t.name}"]`;
    case "function":
      return s.helpers
        ? `call(pm.math.${t.name}, ${spell(t.argument, s, data)})`
        : `pm.math.${t.name}(${spell(t.argument, s, data)})`;
    case "operator": {
      const [a, b] = [spell(t.left, s, data), spell(t.right, s, data)];
      const [left, right] = s.swap && t.op !== "-" ? [b, a] : [a, b];
      return s.helpers ? `${helperNames[t.op]}(${left}, ${right})` : `(${left} ${t.op} ${right})`;
    }
  }
}

/** All that a score can depend on. */
function scored({ nodes, parameters, likelihood, hash }: CheckedProgram) {
  const { distribution, column } = likelihood;
  const priors = parameters.map(({ prior, transform }) => ({ prior, transform }));
  return { nodes, priors, likelihood: { distribution, column }, hash };
}

Deno.test("names, order of statements, operands, keywords, wrapper, helpers and numerals change nothing", () => {
  fc.assert(
    fc.property(skeleton, spelling, spelling, (program, one, other) => {
      const [a, b] = [write(program, one), write(program, other)];
      assert.deepEqual(scored(accept(a)), scored(accept(b)), `${a}\n${b}`);
    }),
    { numRuns: 300, seed: 20 },
  );
});

Deno.test("parameters keep their names through the canonical order", () => {
  const a = accept(model(
    'p = pm.Normal("p", 0, 1)',
    'q = pm.Normal("q", 0, 2)',
    'pm.Normal("y", p - q, 1, observed=data["length"])',
  ));
  const b = accept(model(
    'p = pm.Normal("q", 0, 2)',
    'q = pm.Normal("p", 0, 1)',
    'pm.Normal("y", q - p, 1, observed=data["length"])',
  ));
  assert.deepEqual(a, b);
});

Deno.test("every number, family, operator and column counts", () => {
  const lines = ['a = pm.Normal("a", 0, 1)', 'b = pm.HalfNormal("b", 2)'];
  const observed = 'observed=data["length"])';
  const variants = [
    [...lines, `pm.Normal("y", a - b * data["age"], b, ${observed}`],
    [...lines, `pm.Normal("y", b - a * data["age"], b, ${observed}`],
    [...lines, `pm.Normal("y", a - b * data["dose"], b, ${observed}`],
    [...lines, `pm.Normal("y", a - b / data["age"], b, ${observed}`],
    [...lines, `pm.Normal("y", (a - b) * data["age"], b, ${observed}`],
    [...lines, `pm.Normal("y", a - b * data["age"], 2, ${observed}`],
    [...lines, `pm.Laplace("y", a - b * data["age"], b, ${observed}`],
    [lines[0], 'b = pm.HalfNormal("b", 3)', `pm.Normal("y", a - b * data["age"], b, ${observed}`],
    [lines[0], 'b = pm.HalfCauchy("b", 2)', `pm.Normal("y", a - b * data["age"], b, ${observed}`],
    [lines[0], 'b = pm.HalfNormal("b", a ** 2)', `pm.Normal("y", a - b, b, ${observed}`],
  ];
  const hashes = variants.map((variant) => accept(model(...variant)).hash);
  assert.equal(new Set(hashes).size, variants.length);
});

Deno.test("deterministics are reported, and no part of the hash or of the scored nodes", () => {
  const lines = ['a = pm.Normal("a", 0, 1)', 'pm.Normal("y", a, 1, observed=data["length"])'];
  const without = accept(model(...lines));
  const extra = 'd = pm.Deterministic("d", pm.math.exp(a) + 7 * data["dose"])';
  const with_ = accept(model(lines[0], extra, lines[1]));
  assert.equal(with_.hash, without.hash);
  assert.deepEqual(with_.nodes.slice(0, without.nodes.length), without.nodes);
  assert.deepEqual(with_.deterministics, [{ name: "d", node: with_.nodes.length - 1 }]);
});

Deno.test("a variable without influence is kept, and warned of", () => {
  const program = accept(model(
    'a = pm.Normal("a", 0, 1)',
    'b = pm.Normal("b", a, 1)',
    'pm.Normal("y", a, 1, observed=data["length"])',
  ));
  assert.deepEqual(program.parameters.map(({ name }) => name).sort(), ["a", "b"]);
  assert.deepEqual(program.diagnostics.map(({ code }) => code), ["names/unused-variable"]);
});

Deno.test("many interchangeable variables are put into order at once", () => {
  const alike = Array.from({ length: 300 }, (_, i) => `pm.Normal("v${i}", 0, 1)`);
  const text = model(...alike, 'pm.Normal("y", 0, 1, observed=data["length"])');
  assert.equal(accept(text).parameters.length, 300);
});
