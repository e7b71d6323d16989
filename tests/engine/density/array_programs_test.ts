/** Programs over arrays: PyMC's log densities and gradients, both backends, leaving out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { assertClose } from "./closeness.ts";

type Numbers = Record<string, (number | string)[]>;

interface GoldenProgram {
  response: string;
  text: string;
  points: { position: Numbers; logp: number | string; gradient: Numbers }[];
}

const golden: {
  columns: Record<string, number[]>;
  programs: Record<string, GoldenProgram>;
} = JSON.parse(
  readFileSync(new URL("../../golden/logp_arrays.json", import.meta.url), "utf8"),
);

const types: Record<string, Column["type"]> = {
  count: "count",
  trials: "count",
  hits: "count",
  g: "count",
  kind: "category",
  binary: "binary",
};

function datasetFor(response: string): Dataset {
  return makeDataset(
    "golden",
    Object.entries(golden.columns).map(([name, values]): Column => ({
      name,
      role: name === response ? "response" : "predictor",
      type: types[name] ?? "real",
      values: Float64Array.from(values),
      ...(name === "kind" && { categories: ["a", "b", "c"] }),
    })),
  );
}

function checked(text: string, dataset: Dataset): CheckedProgram {
  const result = checkProgram(text, dataset, undefined, { rows: "ordered" });
  assert.ok(result.ok, result.ok ? "" : result.diagnostics.map((d) => d.message).join("; "));
  return result.program;
}

for (const [name, { response, text, points }] of Object.entries(golden.programs)) {
  const vectorOf = (program: CheckedProgram, by: Numbers) =>
    Float64Array.from(program.parameters.flatMap((one) => by[one.name].map(Number)));

  Deno.test(`"${name}" has PyMC's log density and gradient`, () => {
    const dataset = datasetFor(response);
    const program = checked(text, dataset);
    const density = compileLogDensity(program, dataset);
    assert.ok(points.length >= 6);
    for (const { position, logp, gradient: slopes } of points) {
      const gradient = new Float64Array(density.dimension);
      const value = density.logDensity(vectorOf(program, position), gradient, 0);
      assertClose(value, Number(logp), 1e-10, name);
      const scale = Math.max(1, Math.abs(Number(logp)));
      vectorOf(program, slopes).forEach((wanted, j) =>
        assertClose(gradient[j] / scale, wanted / scale, 1e-9, `${name} d${j}`)
      );
    }
  });

  Deno.test(`"${name}" has the same bits on both backends, and can leave rows out`, () => {
    const dataset = datasetFor(response);
    const program = checked(text, dataset);
    const [wasm, plain] = (["wasm", "plain"] as const).map((backend) =>
      compileLogDensity(program, dataset, { backend })
    );
    const n = wasm.dimension;
    const [a, b] = [new Float64Array(n), new Float64Array(n)];
    const [p, q] = [wasm, plain].map(({ observations }) => new Float64Array(observations));
    for (const { position } of points) {
      for (const scale of [1, 0.3, -1, 20]) {
        const x = vectorOf(program, position).map((one) => scale * one);
        assert.equal(wasm.logDensity(x, a, 0), plain.logDensity(x, b, 0));
        assert.deepEqual([...a.map((one) => one + 0)], [...b.map((one) => one + 0)]);
        wasm.logLikelihood(x, 0, p, 0);
        plain.logLikelihood(x, 0, q, 0);
        assert.deepEqual([...p.map((one) => one + 0)], [...q.map((one) => one + 0)]);
      }
      const x = vectorOf(program, position);
      const whole = wasm.logDensity(x, a, 0);
      wasm.logLikelihood(x, 0, p, 0);
      const left = wasm.without([0, 4]).logDensity(x, a, 0);
      assertClose(left, whole - p[0] - p[4], 1e-10, `${name} without two rows`);
    }
  });
}
