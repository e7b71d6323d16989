/** Modes of functions of one variable, many at once: Newton's method between brackets. */
import { thresholds } from "./thresholds.ts";

/** Writes log f_i(points[i]) of every function i into `out`; −Infinity where f_i is 0 or no number. */
export type LogFunctions = (points: Float64Array, out: Float64Array) => void;

/** Where to look for a function: its mode, and the width of its peak. */
export interface Peaks {
  /** `[functions]`. */
  readonly centre: Float64Array;
  /** `[functions]`, positive. */
  readonly scale: Float64Array;
}

/**
 * Three values of a function bracket its mode; a step of Newton's method that leaves the bracket is
 * replaced by its middle, so that a kink is found as well as a smooth peak.
 */
export class ModeSearch {
  readonly #functions: LogFunctions;
  #peaks: Peaks = { centre: new Float64Array(0), scale: new Float64Array(0) };
  readonly #points: Float64Array;
  readonly #middle: Float64Array;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  /** Between them lies the mode. */
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #converged: Uint8Array;
  readonly #maxWidthFactor = thresholds.maxWidthFactor;
  readonly #maxMove = thresholds.maxMove;
  readonly #steepSlope = thresholds.steepSlope;
  readonly #kinkFall = thresholds.kinkFall;

  constructor(functions: LogFunctions, count: number) {
    this.#functions = functions;
    const make = () => new Float64Array(count);
    [this.#points, this.#middle, this.#left, this.#right] = [make(), make(), make(), make()];
    [this.#low, this.#high] = [make(), make()];
    this.#converged = new Uint8Array(count);
  }

  /**
   * Moves `peaks` to the modes of the functions and to the widths of their peaks: the standard
   * deviation of the normal distribution that has the same second difference over half a width to both sides.
   */
  seek(peaks: Peaks): void {
    this.#peaks = peaks;
    this.#low.fill(-Infinity);
    this.#high.fill(Infinity);
    this.#converged.fill(0);
    const { maxModeSteps, stepsBeforeGrowth } = thresholds;
    for (let step = 0; step < maxModeSteps; step++) {
      if (this.#step(step >= stepsBeforeGrowth)) return;
    }
  }

  /** One step of every function that needs one; returns whether none does any more. */
  #step(grows: boolean): boolean {
    this.#evaluate(0, this.#middle);
    this.#evaluate(-0.5, this.#left);
    this.#evaluate(0.5, this.#right);
    let all = true;
    for (let i = 0; i < this.#converged.length; i++) {
      if (this.#converged[i] === 1) continue;
      this.#bracket(i);
      if (this.#move(i, grows)) this.#converged[i] = 1;
      else all = false;
    }
    return all;
  }

  #evaluate(shift: number, out: Float64Array): void {
    const { centre, scale } = this.#peaks;
    const points = this.#points;
    for (let i = 0; i < centre.length; i++) points[i] = centre[i] + shift * scale[i];
    this.#functions(points, out);
  }

  #bracket(i: number): void {
    const at = this.#peaks.centre[i];
    const half = 0.5 * this.#peaks.scale[i];
    const left = this.#left[i];
    const middle = this.#middle[i];
    const right = this.#right[i];
    const low = right > middle ? at : middle > left ? at - half : -Infinity;
    const high = left > middle ? at : middle > right ? at + half : Infinity;
    if (low > this.#low[i]) this.#low[i] = low;
    if (high < this.#high[i]) this.#high[i] = high;
  }

  /** Moves one centre; returns whether it was there already. */
  #move(i: number, grows: boolean): boolean {
    const { centre, scale } = this.#peaks;
    const slope = this.#right[i] - this.#left[i];
    const bend = 2 * this.#middle[i] - this.#right[i] - this.#left[i];
    if (!(Math.abs(slope) < Infinity && Math.abs(bend) < Infinity)) return this.#comeNear(i);
    const width = bend > 0
      ? within(Math.sqrt(0.25 / bend), 1 / this.#maxWidthFactor, this.#maxWidthFactor)
      : 1;
    const full = bend > 0 ? 0.25 * slope / bend : Math.sign(slope) * this.#maxMove;
    // Where the function rises from end to end its mode is likely beyond; Newton's step is a quarter of
    // a width if one side is far steeper than the other.
    const isBeyond = Math.abs(full) < 0.3 &&
      Math.abs(slope) > Math.max(this.#steepSlope, Math.abs(bend));
    const isFar = isBeyond || Math.abs(full) >= this.#maxMove;
    const step = isFar ? Math.sign(slope) * this.#maxMove : full;
    const next = centre[i] + step * scale[i];
    if (next > this.#low[i] && next < this.#high[i]) {
      centre[i] = next;
      scale[i] *= isFar && grows && width <= 1 ? 2 : width;
      return !isFar && Math.abs(step) < 0.5 * width && width > 0.7 && width < 1.4;
    }
    return this.#halve(i);
  }

  /** Where the function is 0 to one side, goes to the other; where it is 0 all around, back. */
  #comeNear(i: number): boolean {
    const { centre, scale } = this.#peaks;
    const [left, middle, right] = [this.#left[i], this.#middle[i], this.#right[i]];
    if (middle === Infinity || left === Infinity || right === Infinity) return true;
    if (left !== right) centre[i] += (right > left ? 0.5 : -0.5) * scale[i];
    else if (middle > -Infinity) scale[i] /= this.#maxWidthFactor;
    else return this.#goBack(i);
    return false;
  }

  /** Half the way back to where the function was above 0; returns whether it was nowhere. */
  #goBack(i: number): boolean {
    const { centre, scale } = this.#peaks;
    const [low, high] = [this.#low, this.#high];
    if (low[i] > -Infinity) high[i] = Math.min(high[i], centre[i]);
    else if (high[i] < Infinity) low[i] = centre[i];
    else return true;
    centre[i] = 0.5 * (low[i] + high[i]);
    scale[i] = Math.min(scale[i], 0.5 * (high[i] - low[i]));
    return !(scale[i] > 0);
  }

  /** Goes to the middle of the bracket, with a width that fits into it; not closer than needed. */
  #halve(i: number): boolean {
    const { centre, scale } = this.#peaks;
    const fall = Math.abs(this.#middle[i] - Math.min(this.#left[i], this.#right[i]));
    if (fall < this.#kinkFall) return true;
    const [low, high] = [this.#low[i], this.#high[i]];
    if (!(high > low)) return true;
    centre[i] = 0.5 * (low + high);
    scale[i] = Math.min(scale[i], 0.5 * (high - low));
    return false;
  }
}

function within(x: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, x));
}
