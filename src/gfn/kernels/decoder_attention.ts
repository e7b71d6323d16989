/** Causal self-attention of several sequences, head by head, on fused queries, keys and values. */
import type { PackingRoom, Rows } from "./linear.ts";
import type { Machine } from "./machine.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";

/** Rows `begin` … `begin + length − 1` of a batch. */
export interface Sequence {
  readonly begin: number;
  readonly length: number;
}

/** One head of one sequence: where its parts lie. */
interface Head {
  readonly length: number;
  /** Numbers per row of probabilities. */
  readonly padded: number;
  readonly query: Rows;
  readonly key: Rows;
  readonly value: Rows;
  readonly probabilities: Rows;
  /** The mixed values `[rows, width]`, or their gradient. */
  readonly mixed: Rows;
}

/** Attention on arrays `[rows, 3 width]` of queries, keys and values side by side. */
export class Attention {
  readonly #size: number;
  readonly #scale: number;
  /** A packed operand; grows with the longest sequence. */
  #packed = 0;
  #scores = 0;
  #longest = 0;

  constructor(
    readonly machine: Machine,
    readonly room: PackingRoom,
    readonly width: number,
    readonly heads: number,
  ) {
    this.#size = width / heads;
    this.#scale = 1 / Math.sqrt(this.#size);
  }

  /** Numbers that all probabilities of these sequences take. */
  probabilityCount(sequences: readonly Sequence[]): number {
    return sequences.reduce((sum, one) => sum + this.#rectangle(one), 0);
  }

  #rectangle({ length }: Sequence): number {
    return this.heads * length * roundUp(length, 4);
  }

  #reserve(sequences: readonly Sequence[]): void {
    const longest = sequences.reduce((max, { length }) => Math.max(max, length), 0);
    if (longest <= this.#longest) return;
    const { machine } = this;
    for (const old of [this.#packed, this.#scores]) if (old !== 0) machine.free(old);
    const columns = roundUp(Math.max(longest, this.#size), 8);
    this.#packed = machine.allocate(columns * Math.max(longest, this.#size));
    this.#scores = machine.allocate(longest * roundUp(longest, 4));
    this.#longest = longest;
  }

  /** Visits every head of every sequence. */
  #each(
    sequences: readonly Sequence[],
    fused: number,
    probabilities: number,
    mixed: number,
    visit: (head: Head) => void,
  ): void {
    const { width } = this;
    let square = probabilities;
    for (const { begin, length } of sequences) {
      const padded = roundUp(length, 4);
      for (let head = 0; head < this.heads; head++) {
        const column = begin * 3 * width + head * this.#size;
        const part = (p: number) => ({
          address: fused + 4 * (column + p * width),
          stride: 3 * width,
        });
        const out = { address: mixed + 4 * (begin * width + head * this.#size), stride: width };
        const place = { address: square, stride: padded };
        const [query, key, value] = [part(0), part(1), part(2)];
        visit({ length, padded, query, key, value, probabilities: place, mixed: out });
        square += 4 * length * padded;
      }
    }
  }

  /** Fills probabilities and mixed values `[rows, width]`. */
  forward(
    fused: number,
    probabilities: number,
    mixed: number,
    sequences: readonly Sequence[],
  ): void {
    this.#reserve(sequences);
    const { kernels } = this.machine;
    this.#each(sequences, fused, probabilities, mixed, (head) => {
      this.#timesTransposed(head.query, head.key, head.probabilities, head.length);
      const { address, stride } = head.probabilities;
      kernels.softmaxCausal(address, 4 * stride, head.length, this.#scale);
      this.#times(head.probabilities, head.value, head.mixed, head.length);
    });
  }

  /** Computes the gradient `[rows, 3 width]` of queries, keys and values from that of the mixed values. */
  backward(
    fused: number,
    probabilities: number,
    dMixed: number,
    dFused: number,
    sequences: readonly Sequence[],
  ): void {
    const { kernels } = this.machine;
    this.#reserve(sequences);
    this.#each(sequences, fused, probabilities, dMixed, (head) => {
      const into = (part: Rows) => ({ ...part, address: part.address - fused + dFused });
      const { length, probabilities: p, mixed } = head;
      const scores = { address: this.#scores, stride: head.padded };
      this.machine.f32(scores.address, length * head.padded).fill(0);
      this.#transposedTimes(p, mixed, into(head.value), length);
      this.#timesTransposed(mixed, head.value, scores, length);
      kernels.softmaxGradient(p.address, scores.address, 4 * p.stride, length, this.#scale);
      this.#times(scores, head.key, into(head.query), length);
      this.#transposedTimes(scores, head.query, into(head.key), length);
    });
  }

  /** `[T, T]` = a bᵀ of two `[T, size]`. */
  #timesTransposed(a: Rows, b: Rows, c: Rows, T: number): void {
    const { kernels, blas } = this.machine;
    if (blas) {
      const sizes = { rows: T, columns: T, depth: this.#size };
      const product = { ...sizes, a, b: { ...b, transposed: true }, c, accumulate: false };
      return this.machine.multiply(product);
    }
    kernels.packTransposed(b.address, 4 * b.stride, this.#size, T, this.#packed);
    this.#multiply(a, c, T, T, this.#size);
  }

  /** `[T, size]` = square b. */
  #times(square: Rows, b: Rows, c: Rows, T: number): void {
    if (this.machine.blas) {
      const sizes = { rows: T, columns: this.#size, depth: T };
      return this.machine.multiply({ ...sizes, a: square, b, c, accumulate: false });
    }
    this.machine.kernels.packPanels(b.address, 4 * b.stride, T, this.#size, this.#packed);
    this.#multiply(square, c, T, this.#size, T);
  }

  #multiply(a: Rows, c: Rows, rows: number, columns: number, depth: number): void {
    const [from, to] = [a.stride, c.stride].map((stride) => 4 * stride);
    const { kernels } = this.machine;
    kernels.multiplyRows(
      ...[a.address, from, this.#packed, c.address, to, rows, columns, depth, 0, 0, 1],
    );
  }

  /** `[T, size]` = squareᵀ b. */
  #transposedTimes(square: Rows, b: Rows, c: Rows, T: number): void {
    const [left, right] = [{ ...square, width: T }, { ...b, width: this.#size }];
    this.room.outerProduct(left, right, T, c, false);
  }
}
