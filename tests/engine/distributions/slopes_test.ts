/** Slopes of cumulative functions against differences, by value and parameters, at ordinary and special points. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { unguarded } from "../../../src/engine/inference/density/unguarded.ts";
import type {
  Domain,
  FamilyDefinition,
} from "../../../src/engine/language/distributions/family.ts";
import { families, familyOf } from "../../../src/engine/language/distributions/table.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { readGolden } from "../../numerics/math/ulp.ts";
import { canonicalOf, evaluate, type GoldenNumber, goldenNumber } from "./evaluate.ts";

interface Case {
  readonly name: string;
  readonly names: string[];
  readonly whole: boolean[];
  readonly rows: { readonly args: GoldenNumber[]; readonly value: number }[];
}

/** A point: arguments as a case names them, then the value. */
type Point = readonly number[];

/** Functions of the table that programs differentiate beside densities. */
const cumulative = ["logCdf", "logSurvival"] as const;

/** Numbers at which formulas change their branch or their order. */
const special = [0, 0.5, 1, 2];

/** A number far from all others, at which slopes only have to be numbers: differences lose their digits. */
const far = 1000;

/** Points of a case: its rows, each also with the value at an argument, and with special numbers. */
function pointsOf(
  { names, whole, rows }: Case,
  { discrete, signature }: FamilyDefinition,
): Point[] {
  const numbers = rows.map(({ args, value }) => [...args.map(goldenNumber), value]);
  const some = numbers.filter((_, i) => i % Math.ceil(numbers.length / 12) === 0);
  const isReal = [...whole, discrete].map((one) => !one);
  return some.flatMap((point) => [
    point,
    ...point.flatMap((_, k) =>
      (isReal[k] ? [...special, far] : []).map((number) => point.with(k, number))
    ),
    ...(discrete ? [] : point.slice(0, -1).map((arg) => point.with(-1, arg))),
  ]).filter((point) => point.every(Number.isFinite)).filter((point) =>
    names.every((name, k) => isInside(signature.domains[name], point[k]))
  );
}

/** Whether an argument lies inside its domain, not at an end of it. */
function isInside(domain: Domain, value: number): boolean {
  if (domain === "positive" || domain === "non_negative") return value > 0;
  if (domain === "unit" || domain === "open_unit") return value > 0 && value < 1;
  return true;
}

/** One function of a case on points, as a graph whose inputs are one column each. */
class Formula {
  readonly g = new SimplifyingBuilder();
  readonly #leaves: readonly NodeId[];
  readonly #root: NodeId;
  readonly #slopes: readonly NodeId[];

  constructor(golden: Case, which: typeof cumulative[number], readonly count: number) {
    const { g } = this;
    const name = familyOf(golden.name)!;
    this.#leaves = [...golden.names, "value"].map((_, k) => g.input(k * count, [count]));
    const given = Object.fromEntries(golden.names.map((key, k) => [key, this.#leaves[k]]));
    const args = canonicalOf(g, families[name], given);
    const distribution = { family: name, args, shape: [count] };
    this.#root = families[name][which]!(g, this.#leaves.at(-1)!, distribution);
    this.#slopes = gradientOf(g, g.sum(unguarded(g, this.#root)), this.#leaves);
  }

  values(points: readonly Point[]): Float64Array {
    return evaluate(this.g, this.#root, [columns(points)]);
  }

  slopes(points: readonly Point[], by: number): Float64Array {
    return evaluate(this.g, this.#slopes[by], [columns(points)]);
  }
}

function columns(points: readonly Point[]): Float64Array {
  return Float64Array.from(points[0].flatMap((_, k) => points.map((point) => point[k])));
}

/** Slopes from below, through and from above, each with an error of h², at every point. */
function differences(formula: Formula, points: readonly Point[], by: number) {
  const steps = points.map((point) => 1e-4 * (Math.abs(point[by]) || 1));
  const at = (k: number) =>
    formula.values(points.map((point, i) => point.with(by, point[by] + k * steps[i])));
  const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(at);
  return points.map((_, i) => ({
    value: c[i],
    noise: 1e-13 * (1 + Math.abs(c[i])) / steps[i],
    below: (3 * c[i] - 4 * b[i] + a[i]) / (2 * steps[i]),
    above: (-3 * c[i] + 4 * d[i] - e[i]) / (2 * steps[i]),
    through: (d[i] - b[i]) / (2 * steps[i]),
  }));
}

/** Whether a logarithm may be of a chance below the smallest normal number, which has lost its digits. */
function isDenormal(logChance: number): boolean {
  return logChance > -746 && logChance < -708;
}

const { cases } = readGolden<{ readonly cases: Case[] }>("distributions.json");

for (const golden of cases) {
  const family = families[familyOf(golden.name)!];
  for (const which of cumulative.filter((one) => family[one])) {
    const title = `${golden.name}(${golden.names.join(", ")}): the slopes of ${which}`;
    Deno.test(`${title} are those of its differences`, () => {
      const points = pointsOf(golden, family);
      const formula = new Formula(golden, which, points.length);
      const isReal = [...golden.whole, family.discrete].map((one) => !one);
      isReal.forEach((real, by) => {
        if (!real) return;
        const slopes = formula.slopes(points, by);
        const seen = differences(formula, points, by).filter((one, i) => {
          const { value, noise, below, above, through } = one;
          if (![value, below, above].every(Number.isFinite)) return false;
          if (isDenormal(value) && !Number.isFinite(slopes[i])) return false;
          const at = `${title} by ${[...golden.names, "value"][by]} at ${points[i]}`;
          assert.ok(Number.isFinite(slopes[i]), `${at}: ${slopes[i]}, not ${through}`);
          if (points[i].includes(far)) return true;
          const all = [below, above, through];
          const rough = 1e-5 * (1 + Math.abs(through)) + noise;
          const [low, high] = [Math.min(...all) - rough, Math.max(...all) + rough];
          assert.ok(low <= slopes[i] && slopes[i] <= high, `${at}: ${slopes[i]}, not ${through}`);
          return true;
        });
        assert.ok(seen.length > 0, `${title}: no point tells of ${by}`);
      });
    });
  }
}

Deno.test("every cumulative function of the table is looked at; mixtures sum those of their components", () => {
  const looked = new Set<string>(cases.map(({ name }) => familyOf(name)!));
  const have = Object.entries(families).filter(([, { logCdf, logSurvival, requires }]) =>
    (logCdf ?? logSurvival) && !requires
  );
  assert.deepEqual(have.map(([name]) => name).filter((name) => !looked.has(name)), []);
});

Deno.test("Student's t with 4 degrees of freedom has slope .625 where a bound lies on its location", () => {
  const g = new SimplifyingBuilder();
  const x = g.input(0, []);
  const args = [4, 0.3, 1.2].map((value) => g.scalar(value));
  const distribution = { family: "student_t" as const, args, shape: [] };
  const [slope] = gradientOf(g, families.student_t.logCdf!(g, x, distribution), [x]);
  assert.ok(Math.abs(evaluate(g, slope, [Float64Array.of(0.3)])[0] - 0.625) < 1e-12);
});
