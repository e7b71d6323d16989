/** Rows of slopes: how each element of an array moves with the noise that latents are made of. */

/** Columns up to which zeros everywhere cost less than a call for each row: measured with 27 and 200 rows. */
const shortRow = 256;

/**
 * `[rows, width]`, each row with the range outside of which it is zero: most are short, for an element
 * depends on few latents.
 */
export class Slopes {
  /** Row-major; zero outside of the ranges. */
  readonly data: Float64Array;
  /** Where the range of each row begins `[rows]`. */
  readonly from: Int32Array;
  /** And where it ends. */
  readonly to: Int32Array;

  constructor(readonly rows: number, readonly width: number) {
    this.data = new Float64Array(rows * width);
    this.from = new Int32Array(rows);
    this.to = new Int32Array(rows);
  }

  /** Sets everything to zero: at once where rows are short, by their ranges where they are long. */
  clear(): void {
    const { data, from, to, width } = this;
    if (width <= shortRow) data.fill(0);
    else {
      for (let i = 0; i < this.rows; i++) {
        if (from[i] < to[i]) data.fill(0, i * width + from[i], i * width + to[i]);
      }
    }
    from.fill(0);
    to.fill(0);
  }

  /** Row `i` += factor · row `j` of another, or of these. */
  add(i: number, other: Slopes, j: number, factor: number): void {
    const [from, to] = [other.from[j], other.to[j]];
    if (from === to || factor === 0) return;
    this.#widen(i, from, to);
    const [at, source] = [i * this.width, j * other.width];
    for (let k = from; k < to; k++) this.data[at + k] += factor * other.data[source + k];
  }

  /** Row `i` at column `k` += value. */
  put(i: number, k: number, value: number): void {
    this.#widen(i, k, k + 1);
    this.data[i * this.width + k] += value;
  }

  /** Row `i` times a vector `[width]`. */
  times(i: number, x: Float64Array): number {
    const at = i * this.width;
    let sum = 0;
    for (let k = this.from[i]; k < this.to[i]; k++) sum += this.data[at + k] * x[k];
    return sum;
  }

  /** x += factor · row `i`. */
  addTo(x: Float64Array, i: number, factor: number): void {
    const at = i * this.width;
    for (let k = this.from[i]; k < this.to[i]; k++) x[k] += factor * this.data[at + k];
  }

  /** Sum of squares of row `i`. */
  squareOf(i: number): number {
    let sum = 0;
    this.visit(i, (_, value) => sum += value * value);
    return sum;
  }

  /** Calls with each column in the range of row `i`, and the value there. */
  visit(i: number, each: (column: number, value: number) => void): void {
    for (let k = this.from[i]; k < this.to[i]; k++) each(k, this.data[i * this.width + k]);
  }

  /** Row `i` times a factor. */
  scale(i: number, factor: number): void {
    const at = i * this.width;
    for (let k = this.from[i]; k < this.to[i]; k++) this.data[at + k] *= factor;
  }

  #widen(i: number, from: number, to: number): void {
    const empty = this.from[i] === this.to[i];
    if (empty || from < this.from[i]) this.from[i] = from;
    if (empty || to > this.to[i]) this.to[i] = to;
  }
}
