/** The latents of all observations integrated out, at one position after another. */
import type { PointwiseDensity, RowLatents } from "../math/log_density.ts";
import { LineIntegrals } from "./line_integrals.ts";
import type { Peaks } from "./line_modes.ts";

/** log ∫ p(y_i | θ, z_i) p(z_i | θ) dz_i of all observations; buffers are kept. */
export class LatentIntegrals {
  /** The unconstrained vector: to be written before `write`, which changes the latents in it. */
  readonly position: Float64Array;
  readonly #latents: RowLatents;
  /** Coordinate of the latent of each observation. */
  readonly #coordinates: Int32Array;
  readonly #starts: Peaks;
  readonly #peaks: Peaks;
  readonly #integrals: LineIntegrals;

  /** @param starts where modes and widths are sought from, so that values depend on positions alone. */
  constructor({ latents, observations: n, dimension }: PointwiseDensity, starts: Peaks) {
    if (!latents) throw new Error("internal: nothing to integrate out");
    this.#latents = latents;
    this.#coordinates = latents.elementOfRow.map((element) => latents.offset + element);
    this.position = new Float64Array(dimension);
    this.#starts = starts;
    this.#peaks = { centre: new Float64Array(n), scale: new Float64Array(n) };
    this.#integrals = new LineIntegrals((points, logs) => this.#evaluate(points, logs), n);
  }

  /** Writes the integral of every observation into `out[outOffset …)`. */
  write(out: Float64Array, outOffset: number): void {
    this.#peaks.centre.set(this.#starts.centre);
    this.#peaks.scale.set(this.#starts.scale);
    this.#integrals.write(this.#peaks, out, outOffset);
  }

  /** Moves the latents of `position` to the modes that `write` found. */
  moveToModes(): void {
    this.#move(this.#peaks.centre);
  }

  #move(points: Float64Array): void {
    const coordinates = this.#coordinates;
    const position = this.position;
    for (let i = 0; i < points.length; i++) position[coordinates[i]] = points[i];
  }

  /** log p(y_i, z_i | θ) of every observation at z_i = points[i]. */
  #evaluate(points: Float64Array, logs: Float64Array): void {
    this.#move(points);
    this.#latents.logJoint(this.position, 0, logs, 0);
    for (let i = 0; i < points.length; i++) if (logs[i] !== logs[i]) logs[i] = -Infinity;
  }
}
