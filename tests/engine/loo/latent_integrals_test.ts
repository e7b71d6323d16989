/** Latents that observations share, integrated along their lines, against closed forms. */
import assert from "node:assert/strict";
import { LatentIntegrals } from "../../../src/engine/loo/latent_integrals.ts";
import {
  canIntegrate,
  crossesLatents,
  integratesFirst,
  unitPosterior,
} from "../../../src/engine/loo/units.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";

const halfLog2Pi = 0.9189385332046727;

/** Two elements, standard normal: two and three observations see them, the last one a third. */
const elementOfRow = Int32Array.of(0, 1, 0, 1, 1, 2);
const y = [0.5, -1, 1.5, 2, 0.25, 3];

/** log p(y_i | z), of unit variance; the second observation says that its element is not negative. */
function logLikelihood(i: number, z: number): number {
  if (i === 1) return z < 0 ? -Infinity : 0;
  return -0.5 * (y[i] - z) * (y[i] - z) - halfLog2Pi;
}

const logPrior = (z: number) => -0.5 * z * z - halfLog2Pi;

const density = {
  dimension: 4,
  observations: 6,
  latents: {
    ...{ offset: 1, elements: 3, elementOfRow },
    logPrior(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
      for (let e = 0; e < 3; e++) out[outOffset + e] = logPrior(position[offset + 1 + e]);
    },
    logJoint(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
      elementOfRow.forEach((e, i) => {
        const z = position[offset + 1 + e];
        out[outOffset + i] = logPrior(z) + logLikelihood(i, z);
      });
    },
  },
} as unknown as PointwiseDensity;

/** The same rows, all of them normal, each recorded to a cell whose mean likelihood is twice that of its value. */
const normal = {
  ...density,
  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    elementOfRow.forEach((e, i) => {
      const rest = y[i] - position[offset + 1 + e];
      out[outOffset + i] = -0.5 * rest * rest - halfLog2Pi;
    });
  },
  logCells(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    normal.logLikelihood(position, offset, out, outOffset);
    elementOfRow.forEach((_, i) => out[outOffset + i] += Math.LN2);
  },
} as unknown as PointwiseDensity;

/** log ∫ N(z | 0, 1) Π N(y | z, 1) dz. */
function logEvidence(values: readonly number[]): number {
  const n = values.length;
  const sum = values.reduce((a, b) => a + b, 0);
  const squares = values.reduce((a, b) => a + b * b, 0);
  return -n * halfLog2Pi - 0.5 * Math.log(1 + n) - 0.5 * (squares - sum * sum / (1 + n));
}

const aroundZero = (coordinates: Int32Array) => ({
  centre: new Float64Array(coordinates.length),
  scale: new Float64Array(coordinates.length).fill(1),
});

function integrals() {
  const found = new LatentIntegrals(density, aroundZero);
  const out = new Float64Array(7);
  found.write(out, 1);
  return { found, pointwise: out.subarray(1) };
}

Deno.test("rows that share an element: what is known of each from the others", () => {
  const { found, pointwise } = integrals();
  assert.equal(found.ofLines.length, 3);
  const both = logEvidence([y[0], y[2]]);
  assert.ok(Math.abs(found.ofLines[0] - both) < 1e-5);
  assert.ok(Math.abs(pointwise[0] - (both - logEvidence([y[2]]))) < 1e-5);
  assert.ok(Math.abs(pointwise[2] - (both - logEvidence([y[0]]))) < 1e-5);
});

Deno.test("a row that has an element for itself: its likelihood over the prior", () => {
  const { pointwise } = integrals();
  assert.ok(Math.abs(pointwise[5] - logEvidence([y[5]])) < 1e-5);
});

Deno.test("a likelihood of 0 does not take part where its row is left out", () => {
  const { found, pointwise } = integrals();
  const without = found.ofLines[1] - pointwise[1];
  assert.ok(Math.abs(without - logEvidence([y[3], y[4]])) < 1e-5, `${without}`);
  // P(z > 0) for z ~ N(0.75, 1/3), by SciPy 1.17.1: log(norm.cdf(0.75 * sqrt(3))).
  assert.ok(Math.abs(pointwise[1] - -0.10191427) < 0.02, `${pointwise[1]}`);
});

Deno.test("a likelihood that falls below all numbers does not hide what the others say", () => {
  const pair = {
    dimension: 1,
    observations: 2,
    latents: {
      ...{ offset: 0, elements: 1, elementOfRow: Int32Array.of(0, 0) },
      logPrior: (position: Float64Array, offset: number, out: Float64Array, outOffset: number) =>
        void (out[outOffset] = logPrior(position[offset])),
      logJoint(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
        const z = position[offset];
        out[outOffset] = logPrior(z) - Math.exp(20 * z);
        out[outOffset + 1] = logPrior(z) + Math.log(0.5);
      },
    },
  } as unknown as PointwiseDensity;
  const found = new LatentIntegrals(pair, () => ({
    centre: new Float64Array(1),
    scale: new Float64Array(1).fill(1),
  }));
  const out = new Float64Array(2);
  found.write(out, 0);
  assert.ok(
    Math.abs(found.ofLines[0] - out[0] - Math.log(0.5)) < 1e-5,
    `${found.ofLines[0] - out[0]}`,
  );
  assert.ok(Math.abs(out[1] - Math.log(0.5)) < 1e-5);
});

Deno.test("at the modes the integrands are largest", () => {
  const { found } = integrals();
  const logs = new Float64Array(3);
  found.moveToModes(logs);
  // The mode of N(z | 0, 1) N(0.5 | z, 1) N(1.5 | z, 1) is 2/3, that of N(z | 0, 1) N(3 | z, 1) 3/2.
  const most = [logPrior(2 / 3) + logLikelihood(0, 2 / 3) + logLikelihood(2, 2 / 3), NaN];
  most.push(logPrior(1.5) + logLikelihood(5, 1.5));
  for (const e of [0, 2]) assert.ok(most[e] - logs[e] >= -1e-12 && most[e] - logs[e] < 0.1);
});

Deno.test("a unit that sees several elements: what is known of its rows from those of other units", () => {
  const units = unitPosterior(normal, [0, 1, 0, 0, 1, 2]); // rows 0, 2, 3; 1, 4; 5
  assert.ok(crossesLatents(units) && !canIntegrate(units));
  // Draws of shared latents come first where an observation sees one of them.
  assert.ok(integratesFirst(units) && !integratesFirst(unitPosterior(normal)));
  const [out, cells] = [new Float64Array(3), new Float64Array(3)];
  new LatentIntegrals(units, aroundZero).write(out, 0);
  new LatentIntegrals(units, aroundZero, true).write(cells, 0);
  const [all, own] = [logEvidence([y[1], y[3], y[4]]), logEvidence([y[5]])];
  const wanted = [
    logEvidence([y[0], y[2]]) + all - logEvidence([y[1], y[4]]),
    all - logEvidence([y[3]]),
    own,
  ];
  wanted.forEach((value, u) => {
    assert.ok(Math.abs(out[u] - value) < 1e-5, `${u}: ${out[u]}, not ${value}`);
    const recorded = value + [3, 2, 1][u] * Math.LN2;
    assert.ok(Math.abs(cells[u] - recorded) < 1e-5, `${u}: ${cells[u]}, not ${recorded}`);
  });
});

Deno.test("a unit that holds all rows of several elements has them for itself", () => {
  const units = unitPosterior(normal, [0, 1, 0, 1, 1, 0]);
  assert.ok(canIntegrate(units) && !crossesLatents(units));
  const out = new Float64Array(2);
  new LatentIntegrals(units, aroundZero).write(out, 0);
  const wanted = [
    logEvidence([y[0], y[2]]) + logEvidence([y[5]]),
    logEvidence([y[1], y[3], y[4]]),
  ];
  wanted.forEach((value, u) => assert.ok(Math.abs(out[u] - value) < 1e-5, `${out}`));
});
