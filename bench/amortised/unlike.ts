/** Data sets unlike those of training: other noise, an outlier, effects that bend, ten times the rows. */
import { RandomStream } from "../../src/base/random.ts";
import { fillNormal, log } from "../../src/numerics/math/mod.ts";
import type { RawRows } from "../../src/gfn/train/mod.ts";

/** `count` data sets of each kind. */
export function unlikeSets(count: number): Readonly<Record<string, readonly RawRows[]>> {
  const some = (kind: string, make: (random: RandomStream) => RawRows) =>
    Array.from({ length: count }, (_, k) => make(new RandomStream("unlike", kind, k)));
  return {
    "exponential noise": some("noise", (random) => {
      return plain(random, 80, { noise: () => 2 * -log(random.uniform()) });
    }),
    "an outlier": some("outlier", (random) => {
      const rows = plain(random, 80, {});
      return { columns: rows.columns, y: rows.y.map((one, i) => i === 7 ? one + 15 : one) };
    }),
    "effects that bend": some("bend", (random) => plain(random, 80, { bend: (x) => x * x })),
    "ten times the rows": some("rows", (random) => plain(random, 4000, {})),
  };
}

interface Shape {
  readonly noise?: () => number;
  readonly bend?: (x: number) => number;
}

/** Five correlated predictors, two with an effect. */
function plain(random: RandomStream, rows: number, { noise, bend = (x) => x }: Shape) {
  const normals = () => {
    const column = new Float64Array(rows);
    fillNormal(random, column);
    return column;
  };
  const shared = normals();
  const columns = Array.from({ length: 5 }, () => normals().map((one, i) => 0.5 * shared[i] + one));
  const errors = normals();
  const y = [...errors].map((one, i) => {
    const effect = 0.7 * bend(columns[0][i]) - 0.5 * bend(columns[1][i]);
    return effect + (noise ? noise() : one);
  });
  return { columns, y };
}
