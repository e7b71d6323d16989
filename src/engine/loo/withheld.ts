/** Withheld rows given the others, as what the posterior of those averages over. */
import type {
  LogDensity,
  PointwiseDensity,
  PredictiveLikelihood,
  RowLatents,
  StartingRegion,
} from "../../numerics/math/mod.ts";
import { byDifferences } from "../inference/gaussian/by_differences.ts";
import type { Withheld } from "../inference/gaussian/marginal.ts";
import { type LatentLines, latentLines } from "./latent_lines.ts";
import { LineIntegrals } from "./line_integrals.ts";
import type { Peaks } from "./line_modes.ts";
import { sharedCoordinates } from "./shared_coordinates.ts";

/** A posterior of all rows but the withheld ones, and these given it. */
export interface RowsGiven {
  readonly dimension: number;
  readonly startingRegion: StartingRegion;
  /** Both at `position[offset …)`; `undefined` where there is no density. */
  at(position: Float64Array, offset: number): Withheld | undefined;
  /** How far terms of the last position may be off, nats, all of them together; absent if they are exact. */
  readonly error?: number;
}

/**
 * That posterior with likelihoods 1 / p(y_i | position, the other rows) for each withheld row: its leave-one-out
 * density of row i, 1 / E[p(y_i | …)], is the inverse of the predictive density of row i.
 */
export class WithheldRows implements PredictiveLikelihood {
  readonly dimension: number;
  readonly startingRegion: StartingRegion;

  /** @param observations how many rows are withheld. */
  constructor(readonly given: RowsGiven, readonly observations: number) {
    this.dimension = given.dimension;
    this.startingRegion = given.startingRegion;
  }

  valueAlone(position: Float64Array, offset: number): number {
    return this.given.at(position, offset)?.logDensity ?? -Infinity;
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return byDifferences(this, position, gradient, offset);
  }

  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    this.#write(this.given.at(position, offset), out, outOffset);
  }

  withLikelihood(
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    gradient.fill(0, offset, offset + this.dimension);
    const found = this.given.at(position, offset);
    this.#write(found, out, outOffset);
    return found?.logDensity ?? -Infinity;
  }

  logPredictive(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    this.logLikelihood(position, offset, out, outOffset);
  }

  #write(found: Withheld | undefined, out: Float64Array, outOffset: number): void {
    for (let k = 0; k < this.observations; k++) out[outOffset + k] = found ? -found.terms[k] : NaN;
  }
}

/** Rows of a density of all rows, where the others say nothing of them but through its coordinates. */
export class RowsOfDensity implements RowsGiven {
  readonly dimension: number;
  readonly startingRegion: StartingRegion;
  readonly #whole: PointwiseDensity;
  readonly #others: LogDensity;
  readonly #gradient: Float64Array;
  readonly #ofRows: Float64Array;

  constructor(whole: PointwiseDensity, readonly rows: readonly number[]) {
    this.dimension = whole.dimension;
    this.startingRegion = regionOf(whole);
    this.#whole = whole;
    this.#others = whole.without(rows);
    this.#gradient = new Float64Array(whole.dimension);
    this.#ofRows = new Float64Array(whole.observations);
  }

  at(position: Float64Array, offset: number): Withheld | undefined {
    const own = position.slice(offset, offset + this.dimension);
    const logDensity = this.#others.logDensity(own, this.#gradient, 0);
    if (!(Math.abs(logDensity) < Infinity)) return undefined;
    writeRows(this.#whole, own, this.#ofRows);
    return { logDensity, terms: Float64Array.from(this.rows, (i) => this.#ofRows[i]) };
  }
}

function regionOf({ dimension, startingRegion }: PointwiseDensity): StartingRegion {
  const around = () => new Float64Array(dimension);
  return startingRegion ?? { centre: around(), spread: around().fill(1) };
}

/** The log likelihood of every row, of recorded data by its cell. */
export function writeRows(density: PointwiseDensity, position: Float64Array, out: Float64Array) {
  if (density.logCells) density.logCells(position, 0, out, 0);
  else density.logLikelihood(position, 0, out, 0);
}

/**
 * Rows that see one element each of a latent z, given the other coordinates θ: the latents of all rows are integrated
 * out, log p(y_i | y, θ) = log ∫ p(y_i | z_e, θ) g_e(z_e) dz_e − log ∫ g_e(z_e) dz_e with
 * g_e = p(z_e | θ) Π p(y_j | z_e, θ) over the other rows that see the element of row i.
 */
export class RowsOfLatents implements RowsGiven {
  readonly dimension: number;
  readonly startingRegion: StartingRegion;
  readonly #whole: PointwiseDensity;
  readonly #others: LogDensity;
  readonly #latents: RowLatents;
  readonly #lines: LatentLines;
  readonly #isWithheld: Uint8Array;
  /** Which of the density's coordinates are left `[dimension]`. */
  readonly #kept: Int32Array;
  readonly #integrals: LineIntegrals;
  /** Where modes of the latents are sought from. */
  readonly #starts: Peaks;
  readonly #position: Float64Array;
  readonly #gradient: Float64Array;
  /** By row, and log priors by element. */
  readonly #ofRows: Float64Array;
  readonly #cells: Float64Array;
  readonly #prior: Float64Array;
  readonly #all: Float64Array;
  /** Elements that no row sees. */
  readonly #unseen: readonly number[];

  /** @param whole a density of all rows, with `latents`. */
  constructor(whole: PointwiseDensity, readonly rows: readonly number[]) {
    const { latents, dimension } = whole;
    if (!latents) throw new Error("internal: nothing to integrate out");
    const lines = latentLines(latents);
    this.#whole = whole;
    this.#others = whole.without(rows);
    this.#latents = latents;
    this.#lines = lines;
    this.#isWithheld = new Uint8Array(whole.observations);
    for (const i of rows) this.#isWithheld[i] = 1;
    this.#kept = sharedCoordinates(latents, dimension);
    this.dimension = this.#kept.length;
    const { centre, spread } = regionOf(whole);
    const of = (values: Float64Array, coordinates: Int32Array) =>
      Float64Array.from(coordinates, (k) => values[k]);
    this.startingRegion = { centre: of(centre, this.#kept), spread: of(spread, this.#kept) };
    this.#starts = { centre: of(centre, lines.coordinates), scale: of(spread, lines.coordinates) };
    this.#position = Float64Array.from(centre);
    this.#gradient = new Float64Array(dimension);
    this.#ofRows = new Float64Array(whole.observations);
    this.#cells = new Float64Array(whole.observations);
    this.#prior = new Float64Array(latents.elements);
    const count = lines.coordinates.length;
    this.#all = new Float64Array(count + rows.length);
    this.#integrals = new LineIntegrals(
      (points, logs) => this.#evaluate(points, logs),
      count,
      Int32Array.from(rows, (i) => lines.lineOf[i]),
    );
    const seen = new Set(latents.elementOfRow);
    this.#unseen = Array.from(this.#prior, (_, e) => e).filter((e) => !seen.has(e));
  }

  at(position: Float64Array, offset: number): Withheld | undefined {
    this.#kept.forEach((k, i) => this.#position[k] = position[offset + i]);
    const { lineOf, coordinates } = this.#lines;
    const { centre, scale } = this.#starts;
    const peaks = { centre: Float64Array.from(centre), scale: Float64Array.from(scale) };
    const all = this.#all;
    this.#integrals.write(peaks, all, 0);
    const count = coordinates.length;
    const terms = Float64Array.from(this.rows, (i, k) => all[count + k] - all[lineOf[i]]);
    // log p(θ, y) = log p(θ, z, y) − Σ log g_e(z_e) + Σ log ∫ g_e for any z: here, at the modes.
    const atModes = new Float64Array(count);
    this.#evaluate(peaks.centre, atModes);
    let logDensity = this.#others.logDensity(this.#position, this.#gradient, 0);
    for (let e = 0; e < count; e++) logDensity += all[e] - atModes[e];
    for (const e of this.#unseen) logDensity -= this.#prior[e];
    return Math.abs(logDensity) < Infinity ? { logDensity, terms } : undefined;
  }

  get error(): number {
    return this.#integrals.error;
  }

  /** log g_e of every line, and, as far as `logs` reaches, with the likelihood of each withheld row. */
  #evaluate(points: Float64Array, logs: Float64Array): void {
    const { coordinates, lineOf } = this.#lines;
    const [latents, position, prior, ofRows] = [
      this.#latents,
      this.#position,
      this.#prior,
      this.#ofRows,
    ];
    const count = coordinates.length;
    for (let e = 0; e < count; e++) position[coordinates[e]] = points[e];
    latents.logJoint(position, 0, ofRows, 0);
    latents.logPrior(position, 0, prior, 0);
    for (let e = 0; e < count; e++) logs[e] = prior[coordinates[e] - latents.offset];
    for (let i = 0; i < ofRows.length; i++) {
      ofRows[i] -= prior[latents.elementOfRow[i]];
      if (this.#isWithheld[i] === 0) logs[lineOf[i]] += ofRows[i];
    }
    const ofWithheld = logs.length > count && this.#whole.logCells ? this.#cells : ofRows;
    if (ofWithheld === this.#cells) this.#whole.logCells!(position, 0, this.#cells, 0);
    for (let k = 0; count + k < logs.length; k++) {
      logs[count + k] = orNothing(logs[lineOf[this.rows[k]]] + ofWithheld[this.rows[k]]);
    }
    for (let e = 0; e < count; e++) logs[e] = orNothing(logs[e]);
  }
}

/** The logarithm of a product, −∞ where it is no number. */
function orNothing(log: number): number {
  return log === log ? log : -Infinity;
}
