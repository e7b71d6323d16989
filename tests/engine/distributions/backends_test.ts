/** Every family of numbers on both back ends: densities, cumulative functions and slopes, bit by bit. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { plainEvaluator } from "../../../src/engine/inference/density/plain.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { unguarded } from "../../../src/engine/inference/density/unguarded.ts";
import { wasmEvaluator } from "../../../src/engine/inference/density/wasm/evaluator.ts";
import { families, familyOf } from "../../../src/engine/language/distributions/table.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { readGolden } from "../../numerics/math/ulp.ts";
import { canonicalOf, type GoldenNumber, goldenNumber } from "./evaluate.ts";

interface Case {
  readonly name: string;
  readonly names: string[];
  readonly rows: { readonly args: GoldenNumber[]; readonly value: number }[];
}
const { cases } = readGolden<{ readonly cases: Case[] }>("distributions.json");

/** All that is asked of a family, over inputs of one row after another. */
function plan({ name, names, rows }: Case) {
  const g = new SimplifyingBuilder();
  const n = rows.length;
  const leaves = Array.from({ length: names.length + 1 }, (_, k) => g.input(k * n, [n]));
  const family = families[familyOf(name)!];
  const given = Object.fromEntries(names.map((key, k) => [key, leaves[k]]));
  const distribution = { family: familyOf(name)!, args: canonicalOf(g, family, given), shape: [n] };
  const value = leaves.at(-1)!;
  const roots: NodeId[] = [];
  for (const formula of [family.logDensity, family.logCdf, family.logSurvival]) {
    if (!formula) continue;
    const node = formula(g, value, distribution);
    const total = g.sum(unguarded(g, node));
    roots.push(node, ...gradientOf(g, total, family.discrete ? leaves.slice(0, -1) : leaves));
  }
  return { g, plan: { nodes: g.nodes, inputSize: leaves.length * n, tasks: [roots] } };
}

for (const golden of cases) {
  Deno.test(`${golden.name}(${golden.names.join(", ")}) has the same bits on both back ends`, () => {
    const { g, plan: one } = plan(golden);
    const columns = golden.names.map((_, k) =>
      golden.rows.map(({ args }) => goldenNumber(args[k]))
    );
    const values = golden.rows.map(({ value }) => value);
    const position = Float64Array.from([...columns.flat(), ...values]);
    const read = (evaluator: ReturnType<typeof plainEvaluator>) => {
      const result = evaluator.run(0, position, 0);
      const places = evaluator.places(0);
      return one.tasks[0].map((node, k) =>
        result.slice(places[k], places[k] + sizeOf(g.shapeOf(node)))
      );
    };
    const plain = read(plainEvaluator(one));
    const module = wasmEvaluator(one);
    assert.ok(module, "no module");
    read(module).forEach((array, k) =>
      array.forEach((x, i) =>
        assert.ok(Object.is(x, plain[k][i]), `${k}[${i}]: ${x}, ${plain[k][i]}`)
      )
    );
  });
}
