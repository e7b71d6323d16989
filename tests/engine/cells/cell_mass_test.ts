/** Masses of cells: against quadrature of 40 digits, and of combs that are narrower than a cell. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { log } from "../../../src/numerics/math/elementary.ts";
import { logNormalInterval } from "../../../src/numerics/math/normal_interval.ts";
import { type CellEffort, logCellMass } from "../../../src/engine/inference/cells/cell_mass.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { Distribution } from "../../../src/engine/language/ir/program.ts";
import { evaluate } from "../distributions/evaluate.ts";

interface Case {
  readonly family: string;
  readonly parameters: readonly number[];
  readonly low: number;
  readonly high: number;
  readonly logMass: number;
}

const golden: { cells: readonly Case[] } = JSON.parse(
  readFileSync(new URL("../../golden/cells.json", import.meta.url), "utf8"),
);

type Make = (g: GraphBuilder) => Distribution;

/** log mass of one cell. */
function massOf(make: Make, low: number, high: number, effort: CellEffort = "whole"): number {
  const g = new GraphBuilder();
  const ends = {
    low: g.array(Float64Array.of(low), [1]),
    high: g.array(Float64Array.of(high), [1]),
  };
  return evaluate(g, logCellMass(g, ends, make(g), effort), [])[0];
}

const named = (family: string, parameters: readonly number[]): Make => (g) => ({
  family,
  args: parameters.map((x) => g.scalar(x)),
  shape: [1],
});

for (const family of new Set(golden.cells.map((one) => one.family))) {
  Deno.test(`masses of cells under ${family} are those of its density`, () => {
    for (
      const { parameters, low, high, logMass } of golden.cells.filter((c) => c.family === family)
    ) {
      const found = massOf(named(family, parameters), low, high);
      const tolerance = Math.max(2e-7, 1e-12 * Math.abs(logMass));
      assert.ok(Math.abs(found - logMass) < tolerance, `${low} … ${high}: ${found}, ${logMass}`);
      const quick = massOf(named(family, parameters), low, high, "quick");
      assert.ok(Number.isNaN(quick) || Math.abs(quick - logMass) < tolerance, `${quick}`);
    }
  });
}

/** A comb of `count` equal teeth, `step` apart. */
const comb = (count: number, step: number, sigma: number): Make => (g) => ({
  family: "normal_mixture",
  args: [
    g.array(new Float64Array(count).fill(1 / count), [1, count]),
    g.array(Float64Array.from({ length: count }, (_, k) => k * step), [1, count]),
    g.array(new Float64Array(count).fill(sigma), [1, count]),
  ],
  shape: [1],
});

Deno.test("a comb of teeth narrower than the cell has in it as many as lie there", () => {
  // 100 teeth of width 1e-7, 1e-4 apart: five lie whole in this cell, on each end half of another.
  const found = massOf(comb(100, 1e-4, 1e-7), 0.0020, 0.0026);
  assert.ok(Math.abs(found - log(6 / 100)) < 1e-9, `${found}`);
  assert.equal(massOf(comb(100, 1e-4, 1e-7), -1, 1), 0);
});

Deno.test("nodes of quadrature are no places to put mass at", () => {
  // Ten spikes on the points that Gauss-Legendre rules would look at: the cell has what is in it.
  const places = [-0.9894, -0.8656, -0.5774, -0.7746, -0.2816, 0, 0.2816, 0.5774, 0.7746, 0.9894];
  const spikes: Make = (g) => ({
    family: "mixture",
    args: [g.array(new Float64Array(10).fill(0.05).fill(0.55, 9), [1, 10])],
    components: places.map((x) => ({
      family: "skew_normal",
      args: [g.scalar(x), g.scalar(1e-9), g.scalar(2)],
      shape: [1],
    })),
    shape: [1],
  });
  assert.ok(Math.abs(massOf(spikes, -1, 0.98) - log(0.45)) < 1e-6);
});

Deno.test("a heavy tail is not taken for the spike in its middle", () => {
  const found = massOf(named("student_t", [1e-6, 0, 1e-9]), -0.005, 0.005);
  assert.ok(found < log(1e-4), `${found}`);
});

Deno.test("cells of truncated, censored and hurdle distributions hold their atoms", () => {
  const base = (g: GraphBuilder): Distribution => ({
    family: "normal",
    args: [g.scalar(0), g.scalar(1)],
    shape: [1],
  });
  const bounded = (family: string): Make => (g) => ({
    family,
    args: [g.scalar(-0.5), g.scalar(1)],
    components: [base(g)],
    shape: [1],
  });
  const between = logNormalInterval(-0.5, 1);
  const inside = logNormalInterval(0.2, 0.3);
  assert.ok(Math.abs(massOf(bounded("truncated"), 0.2, 0.3) - (inside - between)) < 1e-12);
  assert.ok(Math.abs(massOf(bounded("truncated"), -9, 9)) < 1e-12);
  assert.ok(Math.abs(massOf(bounded("censored"), 0.2, 0.3) - inside) < 1e-12);
  assert.ok(Math.abs(massOf(bounded("censored"), 0.9, 1.1) - logNormalInterval(0.9, 40)) < 1e-12);
  const hurdle = named("hurdle_gamma", [0.7, 2, 1]);
  assert.ok(Math.abs(massOf(hurdle, -0.005, 0) - log(0.3)) < 1e-12);
  assert.ok(Math.abs(massOf(hurdle, -1, 1e9)) < 1e-12);
});
