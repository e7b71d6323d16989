/** Climbs to a mode of a log density by the BFGS method. */
import type { LogDensity } from "../../../numerics/math/mod.ts";

/** A point that the climb reached. */
export interface Climb {
  /** Where it ended `[dimension]`. */
  readonly position: Float64Array;
  /** Gradient of the log density there. */
  readonly gradient: Float64Array;
  /** Log density there. */
  readonly logDensity: number;
  /** Approximate inverse of the negative Hessian, `[d, d]`. */
  readonly inverseHessian: Float64Array;
  /** Whether the quadratic model promises less than 10⁻⁴ nats more. */
  readonly converged: boolean;
  /** Whether it all but stood still without converging: at a mode where the gradient jumps. */
  readonly stalled: boolean;
  /** Gradient evaluations that it took. */
  readonly evaluations: number;
}

/** Gradients over which a climb must gain something, and what, in nats. */
const stallEvaluations = 20;
const stallGain = 0.01;

/**
 * Maximises `density` from `start` by BFGS with a backtracking line search (Nocedal and Wright
 * 2006, algorithms 6.1 and 3.1), with at most `maxEvaluations` gradients.
 */
export function climb(density: LogDensity, start: Float64Array, maxEvaluations: number): Climb {
  const search = new Search(density, start);
  let mark = { value: search.value, evaluations: 0 };
  let stalled = false;
  while (!search.converged && !stalled && search.evaluations < maxEvaluations) {
    const climbs = search.step(maxEvaluations);
    const { value, evaluations } = search;
    const due = evaluations - mark.evaluations >= stallEvaluations;
    stalled = (!climbs || due) && value - mark.value < stallGain;
    if (due) mark = { value, evaluations };
    if (!climbs) break;
  }
  return {
    position: search.position,
    gradient: search.gradient,
    logDensity: search.value,
    inverseHessian: search.inverse,
    converged: search.converged,
    stalled,
    evaluations: search.evaluations,
  };
}

/** The moving parts of a climb. */
class Search {
  readonly #d: number;
  position: Float64Array;
  gradient: Float64Array;
  #nextPosition: Float64Array;
  #nextGradient: Float64Array;
  readonly inverse: Float64Array;
  readonly #direction: Float64Array;
  readonly #product: Float64Array;
  #scaled = false;
  value: number;
  evaluations = 1;
  converged = false;

  constructor(readonly density: LogDensity, start: Float64Array) {
    const d = start.length;
    this.#d = d;
    this.position = Float64Array.from(start);
    this.gradient = new Float64Array(d);
    this.#nextPosition = new Float64Array(d);
    this.#nextGradient = new Float64Array(d);
    this.inverse = new Float64Array(d * d);
    this.#direction = new Float64Array(d);
    this.#product = new Float64Array(d);
    this.value = density.logDensity(this.position, this.gradient, 0);
    let square = 0;
    for (const g of this.gradient) square += g * g;
    for (let i = 0; i < d; i++) this.inverse[i * d + i] = 1 / Math.max(1, Math.sqrt(square));
  }

  /** One line search and update; returns whether the climb can go on. */
  step(maxEvaluations: number): boolean {
    const slope = this.#chooseDirection();
    if (!(slope > 0)) {
      this.converged = slope === 0;
      return false;
    }
    // Half the slope is what the quadratic model promises.
    if (this.#scaled && slope < 2e-4) {
      this.converged = true;
      return true;
    }
    if (!this.#searchLine(slope, maxEvaluations)) return false;
    this.#update();
    [this.position, this.#nextPosition] = [this.#nextPosition, this.position];
    [this.gradient, this.#nextGradient] = [this.#nextGradient, this.gradient];
    return true;
  }

  /** direction = inverse · gradient; returns the slope along it. */
  #chooseDirection(): number {
    multiply(this.inverse, this.gradient, this.#direction);
    return dot(this.#direction, this.gradient);
  }

  /** Backtracks from a full step until the density rises enough. */
  #searchLine(slope: number, maxEvaluations: number): boolean {
    let length = 1;
    while (this.evaluations < maxEvaluations && length > 1e-12) {
      for (let i = 0; i < this.#d; i++) {
        this.#nextPosition[i] = this.position[i] + length * this.#direction[i];
      }
      const next = this.density.logDensity(this.#nextPosition, this.#nextGradient, 0);
      this.evaluations += 1;
      if (next >= this.value + 1e-4 * length * slope && next < Infinity) {
        this.value = next;
        return true;
      }
      // The maximum of the parabola through both values and the slope.
      const bend = this.value + length * slope - next;
      const best = bend < Infinity ? 0.5 * length * length * slope / bend : 0;
      length = Math.min(0.5 * length, Math.max(0.1 * length, best));
    }
    return false;
  }

  /** Learns the curvature between the present and the next point. */
  #update(): void {
    const d = this.#d;
    const step = this.#direction;
    const change = this.#product;
    for (let i = 0; i < d; i++) {
      step[i] = this.#nextPosition[i] - this.position[i];
      change[i] = this.gradient[i] - this.#nextGradient[i];
    }
    const curvature = dot(step, change);
    const size = dot(change, change);
    if (!(curvature > 1e-10 * Math.sqrt(size * dot(step, step)))) return;
    if (!this.#scaled) {
      this.inverse.fill(0);
      for (let i = 0; i < d; i++) this.inverse[i * d + i] = curvature / size;
      this.#scaled = true;
    }
    this.#rankTwo(step, change, curvature);
  }

  /** inverse ← (I − s yᵀ/c) inverse (I − y sᵀ/c) + s sᵀ/c. */
  #rankTwo(s: Float64Array, y: Float64Array, curvature: number): void {
    const d = this.#d;
    const h = new Float64Array(d);
    multiply(this.inverse, y, h);
    const factor = (1 + dot(y, h) / curvature) / curvature;
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < d; j++) {
        this.inverse[i * d + j] += factor * s[i] * s[j] - (h[i] * s[j] + s[i] * h[j]) / curvature;
      }
    }
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function multiply(matrix: Float64Array, x: Float64Array, out: Float64Array): void {
  const d = x.length;
  for (let i = 0; i < d; i++) {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += matrix[i * d + j] * x[j];
    out[i] = sum;
  }
}
