/** A proposal in which each coordinate has a regression on the coordinates before it. */
import type { Columns } from "../../../numerics/wasm/mod.ts";
import { log } from "../../../numerics/math/mod.ts";
import {
  type Conditional,
  drawCoordinate,
  measureCoordinate,
  type Workspace,
  workspaceOf,
  writeMeans,
  writeWidths,
} from "./conditional.ts";
import { addFeatures, featureCount } from "./features.ts";
import type { Proposal } from "./proposal.ts";
import { distanceBeyond, peakDensity } from "./split_student.ts";
import { thresholds } from "../thresholds.ts";

/** Parts of a triangular proposal. */
interface Triangular {
  /** Where coordinates are 0 when they are standardised `[dimension]`. */
  readonly centre: Float64Array;
  /** Their unit `[dimension]`, > 0. */
  readonly scale: Float64Array;
  /** One distribution per coordinate. */
  readonly conditionals: readonly Conditional[];
}

/**
 * z_j = mean(z_<j) + width(z_<j) · e_j for standardised coordinates z, with the noise e_j split
 * Student (Geweke 1989, section 3): a triangular map of independent noise (Marzouk, Moselhy, Parno,
 * Spantini 2016), whose density costs no more than its draws. With quadratic means and log-linear
 * widths it bends with ridges and narrows with funnels. Three draws in ten are 1.8 times as wide in
 * every coordinate (a defence, Hesterberg 1995).
 */
export class TriangularProposal implements Proposal {
  readonly dimension: number;
  readonly logPeak: number;
  readonly #map: Triangular;
  /** By coordinate, the share of the noise to the left of the mode. */
  readonly #leftShare: Float64Array;
  /** Share of the draws that are wide in all coordinates, and how much wider they are. */
  readonly #wideShare: number;
  readonly #wideFactor: number;
  /** Share of the wide draws, times their density at the mode over that of the others. */
  readonly #widePeak: number;

  constructor(map: Triangular) {
    this.dimension = map.centre.length;
    this.#map = map;
    this.#leftShare = Float64Array.from(
      map.conditionals,
      ({ left, right }) => left / (left + right),
    );
    let logPeak = 0;
    this.#wideShare = thresholds.wideShare;
    this.#wideFactor = thresholds.wideFactor;
    let wide = this.#wideShare;
    map.conditionals.forEach(({ left, right }, j) => {
      logPeak += log(2 * peakDensity / (left + right) / map.scale[j]);
      wide /= this.#wideFactor;
    });
    this.logPeak = logPeak;
    this.#widePeak = wide;
  }

  draw(count: number, noise: Columns, out: Columns, densities: Float64Array): void {
    const { centre, scale, conditionals } = this.#map;
    const at = workspaceOf(this.dimension);
    beginProducts(at, count);
    for (let j = 0; j < this.dimension; j++) {
      this.#writeDistances(at.distance, j, count, noise[0], noise[j + 1]);
      multiplyFallOffs(at, this.#wideFactor, count);
      writeMeans(at, conditionals[j], count);
      writeWidths(at, conditionals[j], 1, count);
      drawCoordinate(at, conditionals[j], j, count);
      addFeatures(j, at.near, at.features, count);
      const own = out[j];
      const z = at.features[featureCount(j)];
      for (let s = 0; s < count; s++) own[s] = centre[j] + scale[j] * z[s];
    }
    this.#writeDensities(at, count, densities);
    for (let s = 0; s < count; s++) densities[s] /= at.widths[s];
  }

  /** The noise of coordinate j at quantiles, in widths of its side: negative to the left of the mode. */
  #writeDistances(
    out: Float64Array,
    j: number,
    count: number,
    chooser: Float64Array,
    quantiles: Float64Array,
  ): void {
    const share = this.#leftShare[j];
    const [wideShare, wideFactor] = [this.#wideShare, this.#wideFactor];
    for (let s = 0; s < count; s++) {
      const factor = chooser[s] < wideShare ? wideFactor : 1;
      out[s] = quantiles[s] < share
        ? -factor * distanceBeyond(quantiles[s] / share)
        : factor * distanceBeyond((1 - quantiles[s]) / (1 - share));
    }
  }

  relativeDensities(count: number, positions: Columns, out: Float64Array): void {
    const { centre, scale, conditionals } = this.#map;
    const at = workspaceOf(this.dimension);
    beginProducts(at, count);
    for (let j = 0; j < this.dimension; j++) {
      const perUnit = 1 / scale[j];
      const z = at.features[featureCount(j)];
      for (let s = 0; s < count; s++) z[s] = (positions[j][s] - centre[j]) * perUnit;
      writeMeans(at, conditionals[j], count);
      writeWidths(at, conditionals[j], -1, count);
      measureCoordinate(at, conditionals[j], j, count);
      multiplyFallOffs(at, this.#wideFactor, count);
      addFeatures(j, at.near, at.features, count);
    }
    this.#writeDensities(at, count, out);
    for (let s = 0; s < count; s++) out[s] *= at.widths[s];
  }

  /** From Π 1 + t² / 8 over the distances t of the noise, and the same in units of the wide draws. */
  #writeDensities({ narrow, wide }: Workspace, count: number, out: Float64Array): void {
    const most = 1 - this.#wideShare;
    for (let s = 0; s < count; s++) {
      out[s] = most * fallOff(narrow[s]) + this.#widePeak * fallOff(wide[s]);
    }
  }
}

function beginProducts({ widths, narrow, wide }: Workspace, count: number): void {
  for (const products of [widths, narrow, wide]) products.fill(1, 0, count);
}

/** Multiplies by the factor of another coordinate's noise. */
function multiplyFallOffs(
  { distance, narrow, wide }: Workspace,
  wideFactor: number,
  count: number,
): void {
  const perWiderSquare = 1 / (wideFactor * wideFactor);
  for (let s = 0; s < count; s++) {
    const square = 0.125 * distance[s] * distance[s];
    narrow[s] *= 1 + square;
    wide[s] *= 1 + perWiderSquare * square;
  }
}

/** x^−4.5: Student's density with eight degrees of freedom for x = Π 1 + t² / 8. */
function fallOff(x: number): number {
  const square = x * x;
  return 1 / (square * square * Math.sqrt(x));
}
