/** Transforms against PyMC: values and log Jacobians; and the Jacobians against the slopes of the values. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import {
  forward,
  logJacobian,
  unconstrainedShape,
} from "../../../src/engine/language/distributions/transforms.ts";
import type { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { Transform } from "../../../src/engine/language/ir/program.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { readGolden } from "../../numerics/math/ulp.ts";
import { agree, evaluate } from "./evaluate.ts";

interface Case {
  readonly name: string;
  readonly unconstrained: number[];
  readonly shape: number[];
  readonly points: {
    readonly q: number[];
    readonly value: number[];
    readonly logJacobian: number;
  }[];
}

/** The transform that a case's name stands for. */
function transformOf(g: GraphBuilder, name: string): Transform {
  const [kind, ...words] = name.split(" ");
  const bound = (text: string) =>
    g.scalar(text.includes("inf") ? parseSign(text) * Infinity : Number(text));
  switch (kind) {
    case "interval":
      return { kind, lower: bound(words[0]), upper: bound(words[1]) };
    case "zero_sum":
      return { kind, axes: Number(words[0]) };
    case "cholesky_factor":
      return { kind, n: Number(words[0]) };
    case "chain":
      // The default transform is named first; the one that was asked for is nearest to q.
      return { kind, parts: words.map((word) => transformOf(g, word)).reverse() };
    default:
      return { kind: kind as "log" };
  }
}

const parseSign = (text: string) => text.startsWith("-") ? -1 : 1;

const { cases } = readGolden<{ readonly cases: Case[] }>("transforms.json");

for (
  const { name, unconstrained, shape, points } of cases.filter((one) => one.name !== "circular")
) {
  Deno.test(`the transform ${name} is PyMC's`, () => {
    const g = new SimplifyingBuilder();
    const transform = transformOf(g, name);
    assert.deepEqual(unconstrainedShape(transform, shape), unconstrained);
    const q = g.reshape(g.input(0, [sizeOf(unconstrained)]), unconstrained);
    const value = forward(g, transform, q);
    assert.deepEqual(g.shapeOf(value), shape);
    const total = g.sum(logJacobian(g, transform, q));
    for (const point of points) {
      const at = [Float64Array.from(point.q)];
      evaluate(g, value, at).forEach((x, i) => {
        const message = `${name} at ${point.q}: ${x}, PyMC ${point.value[i]}`;
        // PyMC's interval is σ b + (1 − σ) a, ours a + (b − a) σ: they differ by a rounding.
        assert.ok(agree(x, point.value[i], 1e-12, 1e-14), message);
      });
      const [jacobian] = evaluate(g, total, at);
      const message = `${name} at ${point.q}: ${jacobian}, PyMC ${point.logJacobian}`;
      assert.ok(agree(jacobian, point.logJacobian, 1e-11, 1e-12), message);
    }
  });
}

Deno.test("an angle is PyMC's, of a point in the plane instead of a line", () => {
  const g = new SimplifyingBuilder();
  const { shape, points } = cases.find(({ name }) => name === "circular")!;
  const transform = { kind: "circular" } as const;
  const size = sizeOf(shape);
  assert.deepEqual(unconstrainedShape(transform, shape), [...shape, 2]);
  const q = g.reshape(g.input(0, [2 * size]), [...shape, 2]);
  const value = forward(g, transform, q);
  const total = g.sum(logJacobian(g, transform, q));
  for (const { q: angles, value: wanted } of points) {
    for (const radius of [1e-3, 1, 40]) {
      const plane = angles.flatMap((a) => [radius * Math.cos(a), radius * Math.sin(a)]);
      const at = [Float64Array.from(plane)];
      evaluate(g, value, at).forEach((x, i) => assert.ok(agree(x, wanted[i], 1e-12, 1e-14)));
      const [jacobian] = evaluate(g, total, at);
      const away = Math.log(radius) / 0.2;
      const ring = -0.5 * away * away - 2 * Math.log(radius) -
        Math.log(0.2 * Math.sqrt(2 * Math.PI));
      assert.ok(agree(jacobian, size * ring, 1e-11, 1e-12));
    }
  }
});

const elementwise = ["log", "logodds", "interval -2 5", "interval 1 inf", "interval -inf 2.5"];
for (const name of elementwise) {
  Deno.test(`the log Jacobian of ${name} is the logarithm of its slope`, () => {
    const g = new SimplifyingBuilder();
    const q = g.input(0, [4]);
    const transform = transformOf(g, name);
    const value = forward(g, transform, q);
    const [slope] = gradientOf(g, g.sum(value), [q]);
    const at = [Float64Array.of(-5, -0.3, 0.7, 6)];
    const wanted = evaluate(g, slope, at).map((x) => Math.log(Math.abs(x)));
    evaluate(g, logJacobian(g, transform, q), at).forEach((x, i) =>
      assert.ok(agree(x, wanted[i], 1e-12, 1e-12))
    );
  });
}
