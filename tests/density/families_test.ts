/** Families: PyMC's golden values, the plain second opinion, gradients, columns. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { familyRules } from "../../src/density/families/table.ts";
import { plainLogDensity } from "../../src/density/families/plain.ts";
import { compileLogDensity } from "../../src/density/compile.ts";
import { families, type Family } from "../../src/lang/graph.ts";
import { ProgramBuilder } from "./build.ts";
import { assertClose, derivative } from "./closeness.ts";
import { datasetOf } from "./data.ts";

interface FamilyCase {
  value: number | string;
  arguments: (number | string)[];
  logp: number | string;
}

const golden: { families: Record<Family, FamilyCase[]> } = JSON.parse(
  readFileSync(new URL("../golden/logp.json", import.meta.url), "utf8"),
);
const names = Object.keys(families) as Family[];
const numberOf = (x: number | string) =>
  typeof x === "number" ? x : x === "inf" ? Infinity : -Infinity;

/** Normaliser plus kernel, as a number that is never NaN. */
function ruled(family: Family, x: number, args: readonly number[]): number {
  const slope = new Float64Array(5);
  const [a = 0, b = 0, c = 0, d = 0] = args;
  const rule = familyRules[family];
  const value = rule.normaliser(a, b, c, d, slope) + rule.kernel(x, a, b, c, d, slope);
  return Number.isNaN(value) ? -Infinity : value;
}

/** Slopes by the value and by each argument. */
function slopes(family: Family, x: number, args: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = args;
  const [s, t] = [new Float64Array(5), new Float64Array(5)];
  familyRules[family].normaliser(a, b, c, d, s);
  familyRules[family].kernel(x, a, b, c, d, t);
  return [t[0], ...args.map((_, j) => s[j + 1] + t[j + 1])];
}

for (const family of names) {
  Deno.test(`${family} has PyMC's log density at every golden point`, () => {
    const cases = golden.families[family];
    assert.ok(cases.length >= 20, `only ${cases.length} points`);
    for (const { value, arguments: args, logp } of cases) {
      const wanted = logp === "refused" ? -Infinity : numberOf(logp);
      const actual = ruled(family, numberOf(value), args.map(numberOf));
      assertClose(actual, wanted, 1e-10, `${family}(${args}) at ${value}`);
    }
  });

  Deno.test(`${family} agrees with its plain form and its slopes with finite differences`, () => {
    let compared = 0;
    for (const { value, arguments: given } of golden.families[family]) {
      const [x, args] = [numberOf(value), given.map(numberOf)];
      const plain = (y: number, p: readonly number[]) => plainLogDensity[family](y, p);
      if (!(plain(x - 1e-3, args) > -Infinity && plain(x + 1e-3, args) > -Infinity)) continue;
      if (args.some((a) => Math.abs(a) > 500) || Math.abs(x) < 2e-2) continue;
      assertClose(ruled(family, x, args), plain(x, args), 1e-10, `${family}(${args}) at ${x}`);
      const actual = slopes(family, x, args);
      const tolerance = 1e-6 * Math.max(1, Math.abs(plain(x, args)));
      assertClose(
        actual[0],
        derivative((y) => plain(y, args), x),
        tolerance,
        `${family}(${args}) d${x}`,
      );
      args.forEach((a, j) => {
        if (!Number.isFinite(a)) return;
        const by = derivative((t) => plain(x, args.with(j, t)), a);
        if (Number.isFinite(by)) {
          assertClose(actual[j + 1], by, tolerance, `${family}(${args}) at ${x} d[${j}]`);
        }
      });
      compared++;
    }
    assert.ok(compared >= 4, `only ${compared} points compared`);
  });
}

/** Arguments that suit values in (0, 1); location-like arguments stay inside that interval. */
const columnArguments: Record<Family, readonly number[]> = {
  normal: [0.4, 0.7],
  half_normal: [0.8],
  log_normal: [-0.5, 0.9],
  student_t: [3.5, 0.4, 0.6],
  half_student_t: [2.5, 0.6],
  cauchy: [0.4, 0.6],
  half_cauchy: [0.5],
  exponential: [1.7],
  gamma: [2.3, 3.1],
  inverse_gamma: [2.3, 0.8],
  weibull: [1.4, 0.7],
  beta: [1.8, 2.6],
  uniform: [-0.3, 1.4],
  laplace: [0.41, 0.6],
  logistic: [0.4, 0.5],
  gumbel: [0.4, 0.5],
  skew_normal: [0.4, 0.7, 1.5],
  truncated_normal: [0.4, 0.7, -0.2, 1.3],
};

const shifts = [0.02, -0.01, 0.03, 0, -0.03, 0.015, 0.04];
const response = [0.31, 0.12, 0.77, 0.55, 0.93, 0.48, 0.05];

/** A program in which bit j of `pattern` decides whether argument j has a value per row. */
function columnProgram(family: Family, pattern: number) {
  const b = new ProgramBuilder();
  const args = columnArguments[family].map((_, j) => {
    const p = b.parameter(`p${j}`, b.fixed("normal", 0, 10), "identity");
    return pattern & (1 << j) ? b.binary("add", p, b.column("shift")) : p;
  });
  return b.program("y", b.law(family, ...args));
}

for (const family of names) {
  Deno.test(`${family} as a likelihood sums its plain form for every mix of scalars and rows`, () => {
    const args = columnArguments[family];
    const dataset = datasetOf("rows", { shift: shifts, y: response });
    for (let pattern = 0; pattern < 1 << args.length; pattern++) {
      const density = compileLogDensity(columnProgram(family, pattern), dataset);
      const rowArguments = (p: readonly number[], i: number) =>
        p.map((a, j) => pattern & (1 << j) ? a + shifts[i] : a);
      const plain = (p: readonly number[]) =>
        response.reduce((s, y, i) => s + plainLogDensity[family](y, rowArguments(p, i)), 0) +
        p.reduce((s, a) => s + plainLogDensity.normal(a, [0, 10]), 0);
      const gradient = new Float64Array(args.length);
      const value = density.logDensity(Float64Array.from(args), gradient, 0);
      assertClose(value, plain(args), 1e-12, `${family} ${pattern}`);
      args.forEach((a, j) =>
        assertClose(
          gradient[j],
          derivative((t) => plain(args.with(j, t)), a),
          1e-7,
          `${family} ${pattern} d[${j}]`,
        )
      );
      const rows = new Float64Array(response.length);
      density.logLikelihood(Float64Array.from(args), 0, rows, 0);
      rows.forEach((row, i) =>
        assertClose(row, plainLogDensity[family](response[i], rowArguments(args, i)), 1e-12)
      );
    }
  });
}

for (const family of names) {
  Deno.test(`${family} as a likelihood has the same bits on both backends`, () => {
    const args = columnArguments[family];
    for (const n of [1, 2, 6, 7]) {
      const dataset = datasetOf("rows", { shift: shifts.slice(0, n), y: response.slice(0, n) });
      for (let pattern = 0; pattern < 1 << args.length; pattern++) {
        const program = columnProgram(family, pattern);
        const [wasm, tape] = (["wasm", "tape"] as const).map((backend) =>
          compileLogDensity(program, dataset, backend)
        );
        for (const scale of [1, 0.5, 3, -1, 1e-5, 1e160, 1e-170]) {
          const q = Float64Array.from(args, (a) => scale * a);
          const [a, b] = [new Float64Array(args.length), new Float64Array(args.length)];
          assert.equal(wasm.logDensity(q, a, 0), tape.logDensity(q, b, 0));
          assert.deepEqual([...a.map((x) => x + 0)], [...b.map((x) => x + 0)]);
        }
      }
    }
  });
}
