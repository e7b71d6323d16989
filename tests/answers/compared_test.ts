/** Comparison and weights of programs against ArviZ. */
import assert from "node:assert/strict";
import { compareElpd, weightMethods } from "../../src/answers/compared.ts";
import { RandomStream } from "../../src/base/random.ts";
import { readGolden } from "../numerics/math/ulp.ts";

interface Compared {
  readonly name: string;
  readonly elpd: number;
  readonly se: number;
  readonly weight: number;
  readonly elpd_diff: number;
  readonly dse: number;
}

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    readonly models: readonly string[];
    readonly elpd_pointwise: readonly number[][];
    readonly results: Readonly<Record<string, readonly Compared[]>>;
  }[];
}

/** ArviZ finds stacking weights by SLSQP to about 1e-3; the bootstrap differs by its random numbers. */
const weightTolerance = { stacking: 3e-3, pseudo_bma: 1e-10, bb_pseudo_bma: 0.03 };
const seTolerance = { stacking: 1e-9, pseudo_bma: 1e-9, bb_pseudo_bma: 0.1 };

function near(actual: number, wanted: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - wanted) <= tolerance * Math.max(1, Math.abs(wanted)), what);
}

for (const golden of readGolden<Golden>("compare.json").cases) {
  for (const method of weightMethods) {
    Deno.test(`compareElpd() by ${method} agrees with az.compare on ${golden.name}`, () => {
      const found = compareElpd(golden.elpd_pointwise, method, new RandomStream("bootstrap"));
      const wanted = new Map(golden.results[method].map((one) => [one.name, one]));
      for (const one of found) {
        const theirs = wanted.get(golden.models[one.index])!;
        const what = `${theirs.name}: ${JSON.stringify(one)}, ArviZ ${JSON.stringify(theirs)}`;
        near(one.elpd, theirs.elpd, 1e-10, what);
        near(one.elpdDiff, theirs.elpd_diff, 1e-9, what);
        near(one.dse, theirs.dse, 1e-9, what);
        near(one.se, theirs.se, seTolerance[method], what);
        near(one.weight, theirs.weight, weightTolerance[method], what);
      }
      assert.deepEqual(
        found.map(({ index }) => golden.models[index]),
        [...golden.results[method]].sort((a, b) => b.elpd - a.elpd).map(({ name }) => name),
      );
    });
  }
}
