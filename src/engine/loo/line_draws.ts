/** Draws of functions of one variable, many at once: inverse distribution functions on a sinh-spaced grid. */
import { exp, largest, log } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import type { LogFunctions, Peaks } from "./line_modes.ts";
import { thresholds } from "./thresholds.ts";

/** How often the spacing is halved at most. As `LineIntegrals`, whose grid this is. */
const maxSpacingHalvings = 5;

/** Relative difference of trapezoidal sums at which the grid is fine enough: the error of a straight line between nodes is of its size. */
const agreement = 0.01;

/**
 * One draw from the density in proportion to each function, at peaks that are known. Between nodes of
 * z = centre + scale · sinh(t) the density of t is a straight line; the spacing is halved until sums
 * agree with those of twice the spacing, so that modes far from the peak are met.
 *
 * @param functions writes the log of each function at its point.
 * @returns the draws `[functions]`, `undefined` where a function has no mass on the grid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawLines } from "./line_draws.ts";
 * const normal = (z: Float64Array, logs: Float64Array) => { logs[0] = -0.5 * z[0] * z[0]; };
 * const peaks = { centre: Float64Array.of(0), scale: Float64Array.of(1) };
 * const random = new RandomStream("draws");
 * const draws = Array.from({ length: 400 }, () => drawLines(normal, peaks, random)![0]);
 * assert.ok(Math.abs(draws.reduce((sum, z) => sum + z, 0) / 400) < 0.2);
 * ```
 */
export function drawLines(
  functions: LogFunctions,
  peaks: Peaks,
  random: RandomStream,
): Float64Array | undefined {
  const grid = new LineGrid(functions, peaks);
  const draws = peaks.centre.map((_, line) => grid.draw(line, random));
  return draws.some((z) => z !== z) ? undefined : draws;
}

/** Logs of the densities of t at nodes of equal spacing. */
class LineGrid {
  readonly #functions: LogFunctions;
  readonly #peaks: Peaks;
  readonly #reach: number;
  #spacing: number = thresholds.gridSpacing;
  /** From the left end to the right, each `[functions]`. */
  #logs: Float64Array[];

  constructor(functions: LogFunctions, peaks: Peaks) {
    this.#functions = functions;
    this.#peaks = peaks;
    const first = thresholds.gridReach;
    this.#logs = Array.from(
      { length: 2 * first + 1 },
      (_, j) => this.#at((j - first) * this.#spacing),
    );
    let reach = first;
    while (reach < first + thresholds.maxExtension && !this.#hasFallen()) {
      reach += 1;
      this.#logs.unshift(this.#at(-reach * this.#spacing));
      this.#logs.push(this.#at(reach * this.#spacing));
    }
    this.#reach = reach * this.#spacing;
    this.#refine();
  }

  /** A draw from the density of one function; not a number where it has no mass. */
  draw(line: number, random: RandomStream): number {
    const logs = Float64Array.from(this.#logs, (at) => at[line]);
    const top = largest(logs);
    if (!(Math.abs(top) < Infinity)) return NaN;
    const heights = logs.map((log) => exp(log - top));
    const t = this.#along(heights, random.uniform());
    const sinh = 0.5 * (exp(t) - exp(-t));
    return this.#peaks.centre[line] + this.#peaks.scale[line] * sinh;
  }

  /** The quantile of a piecewise linear density. */
  #along(heights: Float64Array, share: number): number {
    const cells = heights.subarray(1).map((height, j) => 0.5 * (height + heights[j]));
    let left = share * cells.reduce((sum, cell) => sum + cell, 0);
    let j = 0;
    while (j + 1 < cells.length && left > cells[j]) left -= cells[j++];
    return (j + withinCell(heights[j], heights[j + 1], left)) * this.#spacing - this.#reach;
  }

  #at(t: number): Float64Array {
    const { centre, scale } = this.#peaks;
    const [grown, shrunk] = [exp(t), exp(-t)];
    const points = centre.map((at, line) => at + scale[line] * 0.5 * (grown - shrunk));
    const logs = new Float64Array(points.length);
    this.#functions(points, logs);
    const logCosh = log(0.5 * (grown + shrunk));
    return logs.map((value) => value === value ? value + logCosh : -Infinity);
  }

  #hasFallen(): boolean {
    const [left, right] = [this.#logs[0], this.#logs[this.#logs.length - 1]];
    return left.every((value, line) => {
      const top = this.#logs.reduce((most, at) => Math.max(most, at[line]), -Infinity);
      return Math.max(value, right[line]) <= top - thresholds.endFall;
    });
  }

  /** Halves the spacing until sums are what they are with twice the spacing. */
  #refine(): void {
    for (let halving = 0; halving < maxSpacingHalvings && !this.#agrees(); halving++) {
      const half = 0.5 * this.#spacing;
      this.#logs = this.#logs.flatMap((at, j) =>
        j === 0 ? [at] : [this.#at((2 * j - 1) * half - this.#reach), at]
      );
      this.#spacing = half;
    }
  }

  #agrees(): boolean {
    return this.#logs[0].every((_, line) => {
      const top = this.#logs.reduce((most, at) => Math.max(most, at[line]), -Infinity);
      let [all, even] = [0, 0];
      this.#logs.forEach((at, j) => {
        const height = exp(at[line] - top);
        all += height;
        if (j % 2 === 0) even += height;
      });
      return !(Math.abs(all - 2 * even) > agreement * all);
    });
  }
}

/** Where a line from `a` to `b` over the unit interval has the area `area` behind it. */
function withinCell(a: number, b: number, area: number): number {
  const slope = b - a;
  const root = Math.sqrt(Math.max(0, a * a + 2 * slope * area));
  const at = a + root > 0 ? 2 * area / (a + root) : 0;
  return Math.min(1, at);
}
