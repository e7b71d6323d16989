/** Spellings of one model are one object: their probabilities are summed before they are compared. */
import assert from "node:assert/strict";
import { enumeratedTarget } from "../../src/gfn/evaluation/exact.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { modelMeasures } from "../../stages/evaluation/model_measures.ts";
import { grammarWith, production } from "../gfn/grammar/nested/kernel_grammar.ts";

const spelled = { class: "partial" };

/** A flat target, and a policy of these probabilities, by the texts of the objects. */
function measured(environment: Environment, policy: Readonly<Record<string, number>>) {
  const objects = [...environment.enumerate()];
  const target = enumeratedTarget(environment, objects, new Float64Array(objects.length));
  const logP = Float64Array.from(objects, ({ text }) => Math.log(policy[text.trim()]));
  return modelMeasures(target, logP).map(({ measure, value }) => [measure, value] as const);
}

Deno.test("which spelling a policy prefers is no distance from the target", () => {
  const productions = [
    production("none", "0"),
    production("centred", "1", spelled),
    production("non_centred", "2", spelled),
  ];
  const hole = { name: "x", type: "expression", productions } as const;
  const environment = grammarEnvironment(grammarWith([hole])) as Environment;
  const [[, models], [, tv]] = measured(environment, {
    "k = 0": 1 / 3,
    "k = 1": 2 / 3 - 1e-9,
    "k = 2": 1e-9,
  });
  assert.equal(models, 2);
  assert.ok(tv < 1e-12, `${tv}`);
  const off = measured(environment, { "k = 0": 0.5, "k = 1": 0.25, "k = 2": 0.25 });
  assert.ok(Math.abs(off[1][1] - 1 / 6) < 1e-12);
});

Deno.test("spellings within a tree are one model, whatever their order; other trees are others", () => {
  const productions = [
    production("a", "a", spelled),
    production("b", "b"),
    production("c", "c", spelled),
    production("sum", "({x} + {x})", { commutative: true }),
  ];
  const hole = { name: "x", type: "expression", productions } as const;
  const spec = grammarWith([hole], { depth: 2 });
  const environment = grammarEnvironment(spec) as Environment;
  const objects = [...environment.enumerate()];
  assert.equal(objects.length, 9);
  const policy = Object.fromEntries(objects.map(({ text }) => [text.trim(), 1 / 9]));
  // partial, b, partial + partial, partial + b, b + b: (a + b) and (b + c) are one.
  assert.deepEqual(measured(environment, policy)[0], ["models", 5]);
});

Deno.test("where every model has one derivation nothing is said of models", () => {
  const hole = { name: "x", type: "expression", productions: [production("a", "a")] } as const;
  assert.deepEqual(
    measured(grammarEnvironment(grammarWith([hole])) as Environment, { "k = a": 1 }),
    [],
  );
});
