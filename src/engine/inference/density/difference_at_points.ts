/** Whether two checked programs have one log density: at points drawn for the purpose, not proven. */
import type { Dataset } from "../../../base/dataset.ts";
import { drawNormal, type PointwiseDensity } from "../../../numerics/math/mod.ts";
import { RandomStream } from "../../../base/random.ts";
import { unconstrainedShape } from "../../language/distributions/transforms.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { compileLogDensity } from "./compile.ts";

/** Number of points compared. */
export const comparedPoints = 64;
/** Points of which at least so many must have a density, for the others to mean something. */
const leastFinite = 8;
/** Largest difference of two log densities, over 1 plus their size; rounding is far below. */
const tolerance = 1e-8;

/**
 * Why two programs are not the same posterior; undefined if they have the same variables, and at
 * 64 points the same log densities, of each row and altogether, within 10⁻⁸ of their size.
 *
 * @param a a program, checked against the data set.
 * @param b another one; its variables are found by their names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { checkProgram } from "../../language/pymc/check.ts";
 * import { differenceAtPoints } from "./difference_at_points.ts";
 * const values = Float64Array.of(0.5, 1.5);
 * const data = makeDataset("d", [{ name: "y", role: "response", type: "real", values }]);
 * const program = (scale: string) => {
 *   const checked = checkProgram(
 *     `with pm.Model():
 *     m = pm.Normal("m", 0, ${scale})
 *     pm.Normal("y", m, 1, observed=data["y"])`,
 *     data,
 *   );
 *   assert.ok(checked.ok);
 *   return checked.program;
 * };
 * assert.equal(differenceAtPoints(program("2"), program("tau=0.25"), data), undefined);
 * assert.match(differenceAtPoints(program("2"), program("3"), data)!, /log densities/);
 * ```
 */
export function differenceAtPoints(
  a: CheckedProgram,
  b: CheckedProgram,
  dataset: Dataset,
): string | undefined {
  const places = placesIn(a, b);
  if (typeof places === "string") return places;
  const densities = [a, b].map((program) => compileLogDensity(program, dataset));
  const random = new RandomStream("compared-points", a.hash);
  let finite = 0;
  for (let point = 0; point < comparedPoints; point++) {
    const spread = [0.1, 0.4, 1, 2][point % 4];
    const position = Float64Array.from(places, () => spread * drawNormal(random));
    const other = new Float64Array(places.length);
    places.forEach((place, i) => other[place] = position[i]);
    const [found, wanted] = [readings(densities[0], position), readings(densities[1], other)];
    const at = found.findIndex((value, i) => !close(value, wanted[i]));
    if (at >= 0) {
      const what = at === 0 ? "log densities" : `log densities of row ${at}`;
      return `${what} of ${found[at]} and ${wanted[at]} at one point`;
    }
    if (Number.isFinite(found[0])) finite++;
  }
  return finite < leastFinite
    ? `a density at ${finite} of ${comparedPoints} points only`
    : undefined;
}

/** Where each unconstrained number of `a` stands in `b`; or which variables are not alike. */
function placesIn(a: CheckedProgram, b: CheckedProgram): number[] | string {
  const offsets = new Map<string, { readonly offset: number; readonly kind: string }>();
  let end = 0;
  for (const { name, shape, transform } of b.parameters) {
    offsets.set(name, { offset: end, kind: `${transform.kind} of (${shape})` });
    end += sizeOf(unconstrainedShape(transform, shape));
  }
  const places: number[] = [];
  for (const { name, shape, transform } of a.parameters) {
    const found = offsets.get(name);
    const kind = `${transform.kind} of (${shape})`;
    if (!found) return `the variable "${name}", which only one of them has`;
    if (found.kind !== kind) return `"${name}", which is ${kind} and ${found.kind}`;
    const size = sizeOf(unconstrainedShape(transform, shape));
    for (let i = 0; i < size; i++) places.push(found.offset + i);
    offsets.delete(name);
  }
  const [left] = offsets.keys();
  return left === undefined ? places : `the variable "${left}", which only one of them has`;
}

/** The log density, then the likelihood of each row. */
function readings(density: PointwiseDensity, position: Float64Array): Float64Array {
  const out = new Float64Array(1 + density.observations);
  out[0] = density.logDensity(position, new Float64Array(density.dimension), 0);
  density.logLikelihood(position, 0, out, 1);
  return out;
}

function close(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= tolerance * (1 + Math.abs(a));
}
