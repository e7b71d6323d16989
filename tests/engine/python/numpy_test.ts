/** Expressions on data have the values and shapes that NumPy and Python give them. */
import assert from "node:assert/strict";
import { renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { evaluateNode } from "../../../src/engine/language/ir/evaluate.ts";
import type { ArrayValue } from "../../../src/engine/language/ir/array_value.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

/** Made by tools/golden/numpy_expressions.py; the file names versions and command. */
interface Golden {
  readonly version: string;
  readonly data: Readonly<Record<string, { shape: number[]; values: number[] }>>;
  readonly expressions: readonly { text: string; shape: number[]; values: number[] }[];
}

const golden: Golden = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/numpy_expressions.json", import.meta.url)),
);
const columns: Column[] = Object.entries(golden.data).map(([name, { shape, values }]) => ({
  name,
  role: "predictor",
  type: "real",
  values: Float64Array.from(values),
  ...shape.length === 1 ? {} : { shape },
}));
const response: Column = {
  name: "y",
  role: "response",
  type: "real",
  values: Float64Array.of(1, 2, 3, 4, 5),
};
const data = makeDataset("golden", [...columns, response]);
/** Our exp, log and pow are rounded on their own; sums go in another order. */
const tolerance = 1e-12;

/** The value of an expression as the mean of a prior. */
function valueOf(text: string): ArrayValue {
  const program = `with pm.Model() as model:
    a = pm.Normal("a", ${text}, 1)
    pm.Normal("y", 0, 1, observed=data["y"])
`;
  const result = checkProgram(program, data, undefined, { rows: "ordered" });
  if (!result.ok) {
    assert.fail(renderDiagnostics(result.diagnostics, new Map([["program.py", program]])));
  }
  const { nodes, parameters } = result.program;
  const values: ArrayValue[] = [];
  for (const node of nodes) {
    const args = node.args.map((id) => values[id]);
    const known = node.kind === "column" ? golden.data[node.column].values : undefined;
    const leaf = node.kind === "parameter" || node.kind === "input";
    values.push({
      shape: node.shape,
      values: known
        ? Float64Array.from(known)
        : leaf
        ? new Float64Array(0)
        : evaluateNode(node, args),
    });
  }
  return values[parameters[0].prior.args[0]];
}

Deno.test("expressions on data have NumPy's values and shapes", async (t) => {
  assert.match(golden.version, /^NumPy /);
  assert.ok(golden.expressions.length >= 200, `${golden.expressions.length}`);
  for (const { text, shape, values } of golden.expressions) {
    await t.step(text, () => {
      const found = valueOf(text);
      assert.deepEqual(found.shape, shape);
      values.forEach((value, i) => {
        const near = Math.abs(found.values[i] - value) <= tolerance * Math.max(1, Math.abs(value));
        assert.ok(near, `[${i}]: ${found.values[i]} is not ${value}`);
      });
    });
  }
});
