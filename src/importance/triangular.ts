/** A proposal in which each coordinate has a regression on the coordinates before it. */
import { log } from "../math/elementary.ts";
import { clamped, featureCount, writeFeatures } from "./features.ts";
import type { Proposal } from "./proposal.ts";
import { distanceBeyond, peakDensity, type SplitScale } from "./split_student.ts";

/** The law of one coordinate, standardised, given those before it. */
export interface Conditional extends SplitScale {
  /** Weights of the features of the coordinates before in its mean `[featureCount]`. */
  readonly slopes: Float64Array;
  /** Weights of the clamped coordinates before in the exponent of its width `[coordinate]`. */
  readonly spreads: Float64Array;
}

/** What a triangular proposal consists of. */
export interface Triangular {
  /** Where coordinates are 0 when they are standardised `[dimension]`. */
  readonly centre: Float64Array;
  /** Their unit `[dimension]`, > 0. */
  readonly scale: Float64Array;
  /** One law per coordinate. */
  readonly conditionals: readonly Conditional[];
}

/** Share of the draws that are wide in all coordinates, and how much wider they are. */
const wideShare = 0.3;
const wider = 1.8;
const perWiderSquare = 1 / (wider * wider);
/** Exponent of a width beyond which it stays as it is. */
const maxExponent = 2;

/** About e^exponent, from × ÷ + alone: where proposals are wide is for them to choose. */
export function widthOf(exponent: number): number {
  const x = Math.min(maxExponent, Math.abs(exponent));
  const width = 1 + x * (1 + x * (0.5 + x * (1 / 6)));
  return exponent < 0 ? 1 / width : width;
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
  /** By coordinate: mode, and both widths. */
  readonly #mode: Float64Array;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  /** Share of the noise to the left of the mode. */
  readonly #leftShare: Float64Array;
  /** One over both widths, and over the unit. */
  readonly #perLeft: Float64Array;
  readonly #perRight: Float64Array;
  readonly #perUnit: Float64Array;
  /** Slopes of all coordinates, one after another, and the same of spreads. */
  readonly #slopes: Float64Array;
  readonly #spreads: Float64Array;
  /** Share of the wide draws, times their density at the mode over that of the others. */
  readonly #widePeak: number;
  /** The vector at hand, standardised, the same clamped, and the features of its coordinates. */
  readonly #z: Float64Array;
  readonly #clamped: Float64Array;
  readonly #features: Float64Array;

  constructor(map: Triangular) {
    const d = map.centre.length;
    const { conditionals } = map;
    this.dimension = d;
    this.#map = map;
    this.#mode = Float64Array.from(conditionals, ({ mode }) => mode);
    this.#left = Float64Array.from(conditionals, ({ left }) => left);
    this.#right = Float64Array.from(conditionals, ({ right }) => right);
    this.#leftShare = this.#left.map((width, j) => width / (width + this.#right[j]));
    this.#perLeft = this.#left.map((width) => 1 / width);
    this.#perRight = this.#right.map((width) => 1 / width);
    this.#perUnit = map.scale.map((unit) => 1 / unit);
    this.#slopes = Float64Array.from(conditionals.flatMap(({ slopes }) => [...slopes]));
    this.#spreads = Float64Array.from(conditionals.flatMap(({ spreads }) => [...spreads]));
    this.#z = new Float64Array(d);
    this.#clamped = new Float64Array(d);
    this.#features = new Float64Array(featureCount(d));
    this.#features[0] = 1;
    let logPeak = 0;
    let wide = wideShare;
    conditionals.forEach(({ left, right }, j) => {
      logPeak += log(2 * peakDensity / (left + right) / map.scale[j]);
      wide /= wider;
    });
    this.logPeak = logPeak;
    this.#widePeak = wide;
  }

  draw(chooser: number, noise: Float64Array, out: Float64Array, offset: number): number {
    const { centre, scale } = this.#map;
    const factor = chooser < wideShare ? wider : 1;
    let width = 1;
    let narrow = 1;
    let wide = 1;
    for (let j = 0, p = 0, q = 0; j < this.dimension; p += featureCount(j), q += j, j++) {
      const distance = factor * this.#distance(j, noise[j]);
      const rest = this.#mode[j] + distance * (distance < 0 ? this.#left[j] : this.#right[j]);
      const own = widthOf(this.#exponent(q, j));
      const square = 0.125 * distance * distance;
      narrow *= 1 + square;
      wide *= 1 + perWiderSquare * square;
      width *= own;
      const z = this.#mean(p, featureCount(j)) + rest * own;
      this.#z[j] = z;
      this.#addFeatures(j);
      out[offset + j] = centre[j] + scale[j] * z;
    }
    return this.#density(narrow, wide) / width;
  }

  /** The noise at a quantile, in widths of its side: negative to the left of the mode. */
  #distance(j: number, quantile: number): number {
    const share = this.#leftShare[j];
    return quantile < share
      ? -distanceBeyond(quantile / share)
      : distanceBeyond((1 - quantile) / (1 - share));
  }

  relativeDensity(position: Float64Array, offset: number): number {
    const { centre } = this.#map;
    let density = 1;
    let narrow = 1;
    let wide = 1;
    for (let j = 0, p = 0, q = 0; j < this.dimension; p += featureCount(j), q += j, j++) {
      const z = (position[offset + j] - centre[j]) * this.#perUnit[j];
      const perWidth = widthOf(-this.#exponent(q, j));
      const rest = (z - this.#mean(p, featureCount(j))) * perWidth - this.#mode[j];
      const distance = rest * (rest < 0 ? this.#perLeft[j] : this.#perRight[j]);
      const square = 0.125 * distance * distance;
      narrow *= 1 + square;
      wide *= 1 + perWiderSquare * square;
      density *= perWidth;
      this.#z[j] = z;
      this.#addFeatures(j);
    }
    return this.#density(narrow, wide) * density;
  }

  /** From Π 1 + t² / 8 over the distances t of the noise, and the same in units of the wide draws. */
  #density(narrow: number, wide: number): number {
    return (1 - wideShare) * fallOff(narrow) + this.#widePeak * fallOff(wide);
  }

  /** Adds the features of coordinate j. */
  #addFeatures(j: number): void {
    this.#clamped[j] = clamped(this.#z[j]);
    writeFeatures(this.#z, this.#clamped, j, this.#features);
  }

  /** Mean of a coordinate, whose `count` slopes begin at p. */
  #mean(p: number, count: number): number {
    let mean = 0;
    for (let k = 0; k < count; k++) mean += this.#slopes[p + k] * this.#features[k];
    return mean;
  }

  /** Logarithm, about, of the width of a coordinate, whose `count` spreads begin at q. */
  #exponent(q: number, count: number): number {
    let exponent = 0;
    for (let k = 0; k < count; k++) exponent += this.#spreads[q + k] * this.#clamped[k];
    return exponent;
  }
}

/** x^−4.5: Student's density with eight degrees of freedom for x = Π 1 + t² / 8. */
function fallOff(x: number): number {
  const square = x * x;
  return 1 / (square * square * Math.sqrt(x));
}
