/** The latents of all observations integrated out, at one position after another. */
import type { PointwiseDensity, PointwiseLikelihood, RowLatents } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import { type LatentLines, latentLines } from "./latent_lines.ts";
import { drawLines } from "./line_draws.ts";
import { LineIntegrals } from "./line_integrals.ts";
import type { Peaks } from "./line_modes.ts";

/**
 * Logarithm of a product of which a factor may be too small to be taken off it. A guard: at 10⁶
 * a rounding is 10⁻¹⁰ nats.
 */
const minLogProduct = -1e6;

/**
 * log p(y_i | y_-i, θ) of all observations, the latents z integrated out; buffers are kept. For
 * observations that have an element z_e for themselves that is log ∫ p(y_i | θ, z_e) p(z_e | θ) dz_e;
 * for those that share it, the ratio of two such integrals over products of likelihoods, of all that
 * share it and of all but i, both from the same nodes; for those that see several elements, the sum over
 * their parts, each of which sees one: elements are independent given θ and all other observations.
 */
export class LatentIntegrals {
  /** The unconstrained vector: to be written before `write`, which changes the latents in it. */
  readonly position: Float64Array;
  /** log ∫ p(z_e | θ) Π p(y_i | θ, z_e) dz_e over the observations that see it, after `write` `[lines]`. */
  readonly ofLines: Float64Array;
  readonly #lines: LatentLines;
  readonly #observations: number;
  /** Observation of every part; none where each observation is one. */
  readonly #observationOf: Int32Array | undefined;
  readonly #integrands: Integrands;
  readonly #starts: Peaks;
  readonly #peaks: Peaks;
  readonly #integrals: LineIntegrals;
  /** Integrals of the lines, and of those that lack an observation; of these with its cell. */
  readonly #all: Float64Array;
  readonly #ofCells: boolean;

  /**
   * @param startsOf where modes and widths are sought from, by coordinates of latents; fixed, so that
   * values depend on positions alone.
   * @param ofCells whether `write` gives the means of likelihoods over cells in their places.
   */
  constructor(
    density: PointwiseDensity,
    startsOf: (coordinates: Int32Array) => Peaks,
    ofCells: boolean = false,
  ) {
    const { latents, dimension } = density;
    if (!latents) throw new Error("internal: nothing to integrate out");
    const lines = latentLines(latents);
    const { coordinates, lineOf, sharing } = lines;
    const count = coordinates.length;
    this.position = new Float64Array(dimension);
    this.#lines = lines;
    this.#observations = density.observations;
    this.#observationOf = latents.observationOfPart;
    this.#ofCells = ofCells;
    this.#integrands = new Integrands(latents, lines, ofCells ? cellsOf(density) : undefined);
    this.#starts = startsOf(coordinates);
    this.#peaks = { centre: new Float64Array(count), scale: new Float64Array(count) };
    const along = ofCells ? [...sharing, ...sharing] : [...sharing];
    this.#all = new Float64Array(count + along.length);
    this.ofLines = this.#all.subarray(0, count);
    this.#integrals = new LineIntegrals(
      (points, logs) => this.#evaluate(points, logs),
      count,
      Int32Array.from(along, (i) => lineOf[i]),
    );
  }

  /** Writes log p(y_i | y_-i, θ) of every observation into `out[outOffset …)`. */
  write(out: Float64Array, outOffset: number): void {
    this.#peaks.centre.set(this.#starts.centre);
    this.#peaks.scale.set(this.#starts.scale);
    this.#integrals.write(this.#peaks, this.#all, 0);
    out.fill(0, outOffset, outOffset + this.#observations);
    for (let i = 0; i < this.#lines.lineOf.length; i++) {
      out[outOffset + (this.#observationOf?.[i] ?? i)] += this.#ofPart(i);
    }
  }

  /** Of a part of an observation, or of one that is whole. */
  #ofPart(i: number): number {
    const { lineOf, sharing, placeOf } = this.#lines;
    const place = placeOf[i];
    if (place < 0) return this.ofLines[lineOf[i]];
    const without = this.ofLines.length + place;
    return (this.#ofCells ? this.#all[without + sharing.length] : this.ofLines[lineOf[i]]) -
      this.#all[without];
  }

  /** How far integrals over kinks were off in the last `write`, nats, all of them together. */
  get error(): number {
    return this.#integrals.error;
  }

  /**
   * Moves the latents of `position` to the modes that `write` found, and writes the logarithms of the
   * integrands there into `out` `[lines]`.
   */
  moveToModes(out: Float64Array): void {
    this.#evaluate(this.#peaks.centre, out);
  }

  /** Moves the latents of `position` to a draw given the rest and the data, after `write`; whether there is one. */
  draw(random: RandomStream): boolean {
    const drawn = drawLines((points, logs) => this.#evaluate(points, logs), this.#peaks, random);
    drawn?.forEach((value, line) => this.position[this.#lines.coordinates[line]] = value);
    return drawn !== undefined;
  }

  /** Of the lines at these points, and, as far as `logs` reaches, of those that lack an observation. */
  #evaluate(points: Float64Array, logs: Float64Array): void {
    const { coordinates } = this.#lines;
    for (let line = 0; line < points.length; line++) {
      this.position[coordinates[line]] = points[line];
    }
    this.#integrands.write(this.position, logs);
  }
}

/** Log probabilities of cells of observations, or of their parts. */
type Cells = Required<Pick<PointwiseLikelihood, "logCells">>;

function cellsOf({ latents, logCells }: PointwiseDensity): Cells {
  return { logCells: latents?.observationOfPart ? latents.logCells! : logCells! };
}

/** Logarithms of what is integrated: of priors times likelihoods of all, and of all but one. */
class Integrands {
  readonly #latents: RowLatents;
  readonly #lines: LatentLines;
  /** log p(y_i, z_e | θ) `[observations]`, and less its prior. */
  readonly #joint: Float64Array;
  /** log p(z_e | θ) `[elements]`, and of those that are seen `[lines]`. */
  readonly #ofElements: Float64Array;
  readonly #prior: Float64Array;
  readonly #ofCells: Cells | undefined;
  /** log P_i `[observations]`. */
  readonly #cells: Float64Array;

  /** @param ofCells whose cells replace likelihoods, if given. */
  constructor(latents: RowLatents, lines: LatentLines, ofCells?: Cells) {
    this.#ofCells = ofCells;
    this.#cells = new Float64Array(lines.lineOf.length);
    this.#latents = latents;
    this.#lines = lines;
    this.#joint = new Float64Array(lines.lineOf.length);
    this.#ofElements = new Float64Array(latents.elements);
    this.#prior = new Float64Array(lines.coordinates.length);
  }

  write(position: Float64Array, logs: Float64Array): void {
    if (this.#ofCells) return this.#multiplyCells(position, logs);
    if (this.#lines.sharing.length > 0) return this.#multiply(position, logs);
    this.#latents.logJoint(position, 0, logs, 0); // every observation has a line for itself
    for (let i = 0; i < logs.length; i++) if (logs[i] !== logs[i]) logs[i] = -Infinity;
  }

  /** Lines of single observations with their cells; those that are shared as they are, then with a cell. */
  #multiplyCells(position: Float64Array, logs: Float64Array): void {
    const { coordinates, members, sharing } = this.#lines;
    this.#multiply(position, logs);
    this.#ofCells!.logCells(position, 0, this.#cells, 0);
    const count = coordinates.length;
    for (let e = 0; e < count; e++) {
      if (members[e].length === 1) logs[e] = orNothing(this.#prior[e] + this.#cells[members[e][0]]);
    }
    for (let k = 0; count + sharing.length + k < logs.length; k++) {
      logs[count + sharing.length + k] = orNothing(logs[count + k] + this.#cells[sharing[k]]);
    }
  }

  #multiply(position: Float64Array, logs: Float64Array): void {
    const { coordinates, lineOf, sharing } = this.#lines;
    const [joint, prior] = [this.#joint, this.#prior];
    this.#latents.logJoint(position, 0, joint, 0);
    this.#latents.logPrior(position, 0, this.#ofElements, 0);
    const count = coordinates.length;
    for (let e = 0; e < count; e++) {
      prior[e] = this.#ofElements[coordinates[e] - this.#latents.offset];
      logs[e] = prior[e];
    }
    for (let i = 0; i < joint.length; i++) {
      joint[i] -= prior[lineOf[i]];
      logs[lineOf[i]] += joint[i];
    }
    for (let k = 0; k < sharing.length && count + k < logs.length; k++) {
      logs[count + k] = logs[lineOf[sharing[k]]] - joint[sharing[k]];
    }
    for (let e = 0; e < count; e++) {
      if (!(logs[e] > minLogProduct)) this.#addOthers(e, logs);
    }
  }

  /**
   * Adds integrals of a line by sums over the others: a factor of 0, or nearly 0, cannot be divided
   * out.
   */
  #addOthers(line: number, logs: Float64Array): void {
    const { members, placeOf } = this.#lines;
    const own = members[line].map((i) => this.#joint[i]);
    const [count, prior] = [this.#prior.length, this.#prior[line]];
    const after = own.slice();
    for (let k = own.length - 2; k >= 0; k--) after[k] += after[k + 1];
    logs[line] = orNothing(prior + after[0]);
    let before = prior;
    own.forEach((value, k) => {
      const place = count + placeOf[members[line][k]];
      if (place >= count && place < logs.length) {
        logs[place] = orNothing(k + 1 < own.length ? before + after[k + 1] : before);
      }
      before += value;
    });
  }
}

/** The logarithm of a product, −∞ where it is no number. */
function orNothing(log: number): number {
  return log === log ? log : -Infinity;
}
