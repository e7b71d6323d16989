/** Tests of the environment that a grammar spans. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import type { GrammarSpec, ProductionSpec } from "../../../src/gfn/grammar/spec.ts";
import { canonicalJson } from "../../../src/base/canonical_json.ts";
import { checkEnvironment } from "../../../src/gfn/environments/check_environment.ts";
import { documentedGrammar, grammarOf } from "./small_grammar.ts";

const small = () => grammarEnvironment(grammarOf(documentedGrammar()));

function production(name: string, text: string, more: Partial<ProductionSpec> = {}) {
  return { name, weight: 1, text, requires: [], requiresAny: [], excludes: [], ...more };
}

Deno.test("the documented grammar keeps the laws of environments", () => {
  checkEnvironment(small());
});

Deno.test("random grammars keep the laws of environments", () => {
  fc.assert(
    fc.property(randomGrammar(), (spec) => checkEnvironment(grammarEnvironment(spec))),
    {
      numRuns: 60,
    },
  );
});

Deno.test("clauses are taken in their order and each exit has its weight", () => {
  const spec: GrammarSpec = {
    format: 1,
    name: "clauses",
    exit: 3,
    template: "a = {a}\nb = {b}",
    holes: [
      { name: "a", type: "number", productions: [production("a1", "1")] },
      { name: "b", type: "number", productions: [production("b1", "1"), production("b2", "2")] },
    ],
    clauses: [{ hole: "b", default: "0", exit: 5 }, { hole: "a", default: "0", exit: 7 }],
  };
  const objects = [...grammarEnvironment(spec).enumerate()];
  const close = (object: { logPrior: number }, p: number) =>
    assert.ok(Math.abs(Math.exp(object.logPrior) - p) < 1e-12);
  assert.deepEqual(objects.map((object) => object.features.join(" ")), [
    "",
    "a1",
    "b1",
    "b1 a1",
    "b2",
    "b2 a1",
  ]);
  close(objects[0], 3 / 6);
  close(objects[1], 1 / 6);
  close(objects[2], 1 / 6 * 5 / 6);
  close(objects[3], 1 / 6 * 1 / 6);
});

Deno.test("weights are normalised over the legal actions", () => {
  const spec: GrammarSpec = {
    format: 1,
    name: "conditions",
    exit: 1,
    template: "a = {a}\nb = {b}",
    clauses: [],
    holes: [
      { name: "a", type: "number", productions: [production("a1", "1"), production("a2", "2")] },
      {
        name: "b",
        type: "number",
        productions: [
          production("b1", "1", { weight: 1 }),
          production("b2", "2", { weight: 2, requires: ["a1"] }),
          production("b3", "3", { weight: 3, excludes: ["a2"] }),
          production("b4", "4", { weight: 4, requiresAny: ["a1", "a2"] }),
        ],
      },
    ],
  };
  const environment = grammarEnvironment(spec);
  const after = (action: number) =>
    [...environment.logPrior(environment.step(environment.initialState(), action))]
      .map((value) => Math.round(Math.exp(value) * 1e12) / 1e12);
  assert.deepEqual(after(0), [0, 0, 0.1, 0.2, 0.3, 0.4, 0]);
  assert.deepEqual(after(1), [0, 0, 0.2, 0, 0, 0.8, 0]);
});

Deno.test("an environment survives its artifact: canonical JSON keeps its digest and order", () => {
  const before = small();
  const after = grammarEnvironment(JSON.parse(canonicalJson(before.spec)) as GrammarSpec);
  assert.equal(after.digest, before.digest);
  assert.deepEqual(after.actionNames, before.actionNames);
  assert.deepEqual([...after.enumerate()], [...before.enumerate()]);
});

Deno.test("comments and layout of the file are not part of the digest", () => {
  const text = documentedGrammar();
  const commented = grammarEnvironment(grammarOf(`# a comment\n\n${text}`));
  assert.equal(commented.digest, small().digest);
  const heavier = grammarEnvironment(grammarOf(text.replace("weight = 2.0", "weight = 2.5")));
  assert.notEqual(heavier.digest, small().digest);
});

/** Two to four holes in a row, nested numbers, a clause; texts are unique by construction. */
function randomGrammar(): fc.Arbitrary<GrammarSpec> {
  const weights = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), {
    minLength: 1,
    maxLength: 4,
  });
  const rows = fc.array(fc.tuple(weights, fc.boolean()), { minLength: 1, maxLength: 4 });
  return fc.tuple(rows, fc.double({ min: 0.01, max: 10, noNaN: true })).map(([holes, exit]) => ({
    format: 1 as const,
    name: "random",
    exit,
    template: holes.map((_, h) => `x${h} = {h${h}}`).join("\n"),
    holes: holes.map(([weights], h) => ({
      name: `h${h}`,
      type: "expression" as const,
      productions: weights.map((weight, i) => {
        const excludes = h > 0 && i > 0 && i % 2 === 0 ? [`p${h - 1}_0`] : [];
        return production(`p${h}_${i}`, `f(${i})`, { weight, excludes });
      }),
    })),
    clauses: holes.flatMap(([_, isOptional], h) =>
      isOptional ? [{ hole: `h${h}`, default: "0", exit: h + 1 }] : []
    ),
  }));
}
