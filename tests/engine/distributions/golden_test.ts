/** Every family of numbers against PyMC: values, gradients and cumulative functions. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { unguarded } from "../../../src/engine/inference/density/unguarded.ts";
import { families, familyOf } from "../../../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { readGolden } from "../../numerics/math/ulp.ts";
import { agree, canonicalOf, evaluate, type GoldenNumber, goldenNumber } from "./evaluate.ts";

interface Row {
  readonly args: GoldenNumber[];
  readonly value: number;
  readonly logp: GoldenNumber;
  readonly gradient: GoldenNumber[];
  readonly logcdf?: GoldenNumber;
}
interface Case {
  readonly name: string;
  readonly names: string[];
  readonly whole: boolean[];
  readonly rows: Row[];
}

// PyMC has NaN where a parameter is outside of its domain without a check, or at an edge: ours is
// −∞ or the limit there, never NaN.
const matches = (ours: number, pymc: number, relative: number, absolute: number) =>
  Number.isNaN(pymc) ? !Number.isNaN(ours) : agree(ours, pymc, relative, absolute);

/** Where the gradients of PyMC's formulas are not those of the density. */
const departures: readonly ((
  golden: Case,
  args: readonly number[],
  value: number,
  by: number,
) => boolean)[] = [
  // `switch(eq(alpha, 1), 0, …)` has slope 0 there.
  ({ name, names }, args, _value, by) => name === "Beta" && names[0] === "alpha" && args[by] === 1,
  // `switch(eq(mu, 0) * eq(value, 0), 0, …)`.
  ({ name }, args) => name === "Poisson" && args[0] === 0,
  // The exponentially scaled Bessel function has a kink at 0.
  ({ name }, args) => name === "Rice" && args[0] === 0,
];

/** PyMC 5.28's `Wald.logcdf` holds for lam = 1 alone (compare SciPy's `invgauss.logcdf`). */
const wrongCdf = ({ name, names }: Case) => name === "Wald" && names.length > 1;

/** Which function of a family is compared. */
type Which = "logDensity" | "logCdf" | "logSurvival";

/** The columns of a case: one for each argument and one for the value. */
function columnsOf({ names, rows }: Case): Float64Array[] {
  const column = (k: number) => Float64Array.from(rows, ({ args }) => goldenNumber(args[k]));
  return [...names.map((_, k) => column(k)), Float64Array.from(rows, ({ value }) => value)];
}

/** The formula on nodes `[rows]` that stand for the arguments and the value. */
function formula(golden: Case, which: Which, g: GraphBuilder, leaves: readonly NodeId[]): NodeId {
  const name = familyOf(golden.name)!;
  const given = Object.fromEntries(golden.names.map((key, k) => [key, leaves[k]]));
  const distribution = {
    family: name,
    args: canonicalOf(g, families[name], given),
    shape: [golden.rows.length],
  };
  const node = families[name][which]!(g, leaves.at(-1)!, distribution);
  assert.deepEqual(g.shapeOf(node), distribution.shape, golden.name);
  return node;
}

/** Free leaves, one after another in the unconstrained vector. */
function inputs(golden: Case, g: GraphBuilder): NodeId[] {
  const n = golden.rows.length;
  return columnsOf(golden).map((_, k) => g.input(k * n, [n]));
}

function flat(golden: Case): Float64Array {
  return Float64Array.from(columnsOf(golden).flatMap((column) => [...column]));
}

const { cases } = readGolden<{ readonly cases: Case[] }>("distributions.json");

for (const golden of cases) {
  const title = `${golden.name}(${golden.names.join(", ")})`;
  const family = families[familyOf(golden.name)!];

  Deno.test(`${title} has PyMC's log density`, () => {
    const plain = new GraphBuilder();
    const free = evaluate(plain, formula(golden, "logDensity", plain, inputs(golden, plain)), [
      flat(golden),
    ]);
    const known = new GraphBuilder();
    const constants = columnsOf(golden).map((column) => known.array(column, [column.length]));
    const folded = evaluate(known, formula(golden, "logDensity", known, constants), []);
    golden.rows.forEach(({ args, value, logp }, i) => {
      for (const ours of [free[i], folded[i]]) {
        const wanted = goldenNumber(logp);
        const message = `${title} at ${args}, ${value}: ${ours}, PyMC ${wanted}`;
        assert.ok(matches(ours, wanted, 1e-10, 1e-12), message);
      }
    });
  });

  Deno.test(`${title} has PyMC's gradient`, () => {
    // PyTensor cannot differentiate the Poisson and negative binomial distributions cut off at 1.
    const none = golden.rows[0].gradient.length === 0;
    if (none) return assert.match(golden.name, /^(Hurdle|HyperGeometric)/);
    const g = new SimplifyingBuilder();
    const leaves = inputs(golden, g);
    const real = [...golden.whole, family.discrete].flatMap((whole, k) => whole ? [] : [leaves[k]]);
    const total = g.sum(unguarded(g, formula(golden, "logDensity", g, leaves)));
    const slopes = gradientOf(g, total, real).map((node) => evaluate(g, node, [flat(golden)]));
    golden.rows.forEach(({ args, value, logp, gradient }, i) => {
      if (!Number.isFinite(goldenNumber(logp))) return;
      slopes.forEach((slope, k) => {
        const wanted = goldenNumber(gradient[k]);
        const message = `${title} by ${k} at ${args}, ${value}: ${slope[i]}, PyMC ${wanted}`;
        const known = departures.some((one) => one(golden, args.map(goldenNumber), value, k));
        assert.ok(known || matches(slope[i], wanted, 1e-9, 1e-11), message);
      });
    });
  });

  if (family.logCdf && family.logSurvival) {
    Deno.test(`${title}: what is not below is above`, () => {
      const q = [flat(golden)];
      const of = (which: Which) => {
        const g = new GraphBuilder();
        return evaluate(g, formula(golden, which, g, inputs(golden, g)), q);
      };
      const [below, above] = [of("logCdf"), of("logSurvival")];
      golden.rows.forEach(({ args, value, logp }, i) => {
        // Parameters outside of their domains have neither.
        if (below[i] === -Infinity && above[i] === -Infinity) {
          return assert.ok(!(goldenNumber(logp) > -Infinity));
        }
        const sum = Math.exp(below[i]) + Math.exp(above[i]);
        assert.ok(Math.abs(sum - 1) < 1e-12, `${title} at ${args}, ${value}: ${sum}`);
      });
    });
  }

  if (
    family.logCdf && !wrongCdf(golden) && golden.rows.some(({ logcdf }) => logcdf !== undefined)
  ) {
    Deno.test(`${title} has PyMC's cumulative distribution`, () => {
      const g = new GraphBuilder();
      const ours = evaluate(g, formula(golden, "logCdf", g, inputs(golden, g)), [flat(golden)]);
      golden.rows.forEach(({ args, value, logcdf }, i) => {
        if (logcdf === undefined) return;
        const wanted = goldenNumber(logcdf);
        const message = `${title} at ${args}, ${value}: ${ours[i]}, PyMC ${wanted}`;
        assert.ok(matches(ours[i], wanted, 1e-10, 1e-12), message);
      });
    });
  }
}

Deno.test("the cumulative function of Wald's distribution is SciPy's", () => {
  const g = new GraphBuilder();
  const args = [0.5, 3, 0.2].map((x) => g.scalar(x));
  const distribution = { family: "wald" as const, args, shape: [] };
  const node = families.wald.logCdf!(g, g.scalar(0.4), distribution);
  // scipy.stats.invgauss.logcdf(0.2, 0.5 / 3, scale=3), SciPy 1.17.1
  assert.ok(Math.abs(g.constantOf(node)! + 4.209103437273196) < 1e-12);
});
