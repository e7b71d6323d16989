/** A low-rank adapter of one affine map (LoRA, Hu et al. 2022): forward pass and gradients. */
import type { DecoderMemory } from "./decoder_memory.ts";
import type { Products, Rows } from "./products.ts";

/** Sizes of an adapter. */
export interface AdapterSizes {
  readonly inputs: number;
  readonly outputs: number;
  /** A multiple of four. */
  readonly rank: number;
  /** The product of the two maps is scaled by alpha / rank. */
  readonly alpha: number;
}

/** Where one pass lies in the memory, rows without gaps. */
export interface AdapterPass {
  readonly rows: number;
  /** `[rows, inputs]`. */
  readonly x: number;
  /** `[rows, rank]`: A x, which `forward` writes and `backward` reads. */
  readonly hidden: number;
}

/** y += (alpha / rank) B A x, where A is `[rank, inputs]` and B `[outputs, rank]`. */
export class Adapter {
  readonly #memory: DecoderMemory;
  readonly #a: number;
  readonly #b: number;
  readonly #aGradient: number;
  readonly #bGradient: number;
  readonly #scale: number;

  /** B begins as zeros, so that the adapted map begins as the frozen one. */
  constructor(readonly products: Products, readonly sizes: AdapterSizes, a: Float32Array) {
    const memory = this.#memory = products.memory;
    const { inputs, outputs, rank, alpha } = sizes;
    this.#scale = alpha / rank;
    this.#a = memory.place(a);
    this.#b = memory.zeros(outputs * rank);
    this.#aGradient = memory.zeros(rank * inputs);
    this.#bGradient = memory.zeros(outputs * rank);
  }

  /** Parameters as views that hold until the memory grows. */
  get parameters(): { readonly a: Float32Array; readonly b: Float32Array } {
    return this.#views(this.#a, this.#b);
  }

  /** Sums of gradients since they were last set to zero; views as those of parameters. */
  get gradients(): { readonly a: Float32Array; readonly b: Float32Array } {
    return this.#views(this.#aGradient, this.#bGradient);
  }

  #views(a: number, b: number) {
    const { inputs, outputs, rank } = this.sizes;
    return { a: this.#memory.f32(a, rank * inputs), b: this.#memory.f32(b, outputs * rank) };
  }

  /** Adds to y `[rows, outputs]`, and keeps A x. */
  forward({ rows, x, hidden }: AdapterPass, y: number): void {
    const { inputs, outputs, rank } = this.sizes;
    const [a, b, h] = [this.#at(this.#a, inputs), this.#at(this.#b, rank), this.#at(hidden, rank)];
    this.products.timesTransposed(this.#at(x, inputs), a, h, {
      rows,
      columns: rank,
      depth: inputs,
    });
    const scaled = this.#scaled(hidden, rows);
    const sizes = { rows, columns: outputs, depth: rank };
    this.products.timesTransposed(this.#at(scaled, rank), b, this.#at(y, outputs), sizes, true);
    this.#memory.free(scaled);
  }

  /** Adds to the gradients of A and B, and to dx `[rows, inputs]`, given dy `[rows, outputs]`. */
  backward({ rows, x, hidden }: AdapterPass, dy: number, dx: number): void {
    const { inputs, outputs, rank } = this.sizes;
    const memory = this.#memory;
    const force = memory.allocate(rows * rank);
    const [up, back] = [this.#at(dy, outputs), this.#at(force, rank)];
    this.products.times(up, this.#at(this.#b, rank), back, { rows, columns: rank, depth: outputs });
    const [scaled, scaledForce] = [this.#scaled(hidden, rows), this.#scaled(force, rows)];
    const ofB = { rows: outputs, columns: rank, depth: rows };
    this.products.outer(up, this.#at(scaled, rank), this.#at(this.#bGradient, rank), ofB);
    const [through, input] = [this.#at(scaledForce, rank), this.#at(x, inputs)];
    const ofA = { rows: rank, columns: inputs, depth: rows };
    this.products.outer(through, input, this.#at(this.#aGradient, inputs), ofA);
    const sizes = { rows, columns: inputs, depth: rank };
    this.products.times(through, this.#at(this.#a, inputs), this.#at(dx, inputs), sizes, true);
    for (const address of [force, scaled, scaledForce]) memory.free(address);
  }

  #at(address: number, stride: number): Rows {
    return { address, stride };
  }

  /** A copy, times alpha / rank. */
  #scaled(address: number, rows: number): number {
    const count = rows * this.sizes.rank;
    const copy = this.#memory.allocate(count);
    const target = this.#memory.f32(copy, count);
    this.#memory.f32(address, count).forEach((value, i) => target[i] = this.#scale * value);
    return copy;
  }
}
