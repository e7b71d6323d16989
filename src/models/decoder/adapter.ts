/** A low-rank adapter of one affine map (LoRA, Hu et al. 2022): forward pass and gradients. */
import type { Dropout } from "./dropout.ts";
import type { Products, Rows } from "./products.ts";

/** Sizes of an adapter. */
export interface AdapterSizes {
  /** Length of x. */
  readonly inputs: number;
  /** Length of y. */
  readonly outputs: number;
  /** A multiple of four. */
  readonly rank: number;
  /** The product of the two maps is scaled by alpha / rank. */
  readonly alpha: number;
}

/** Addresses of its numbers; maps that were cut out of one share A. */
export interface AdapterPlaces {
  /** `[rank, inputs]`. */
  readonly a: number;
  /** `[rank, inputs]`: where the gradient of A is added. */
  readonly aGradient: number;
  /** `[outputs, rank]`. */
  readonly b: number;
  /** `[outputs, rank]`: where the gradient of B is added. */
  readonly bGradient: number;
}

/** Addresses of (alpha / rank) A x `[rows, rank]` of a pass. */
export type HiddenRows = Map<Adapter, number>;

/** y += (alpha / rank) B A x. */
export class Adapter {
  /**
   * Adapts one map; the numbers at `places` belong to the caller.
   *
   * @param left Dropout of x, and which map this is: maps that share A share x.
   */
  constructor(
    readonly products: Products,
    readonly sizes: AdapterSizes,
    readonly places: AdapterPlaces,
    readonly left?: { readonly dropout: Dropout; readonly map: number },
  ) {}

  /** Adds to y `[rows, outputs]`, given x `[rows, inputs]`; `kept` keeps the hidden rows. */
  forward(rows: number, x: number, y: number, kept?: HiddenRows): void {
    const { outputs, rank } = this.sizes;
    const hidden = this.#hidden(rows, x);
    const sizes = { rows, columns: outputs, depth: rank };
    this.products.timesTransposed(
      at(hidden, rank),
      at(this.places.b, rank),
      at(y, outputs),
      sizes,
      true,
    );
    if (kept) kept.set(this, hidden);
    else this.products.memory.free(hidden);
  }

  /** (alpha / rank) A x. */
  #hidden(rows: number, x: number): number {
    const { inputs, rank } = this.sizes;
    const hidden = this.products.memory.allocate(rows * rank);
    const sizes = { rows, columns: rank, depth: inputs };
    const input = this.#dropped(rows, x);
    this.products.timesTransposed(
      at(input, inputs),
      at(this.places.a, inputs),
      at(hidden, rank),
      sizes,
    );
    if (input !== x) this.products.memory.free(input);
    return this.#scaled(hidden, rows);
  }

  /** x with dropout applied, in a block of its own; x itself without dropout. */
  #dropped(rows: number, x: number): number {
    const { memory } = this.products;
    const { dropout, map } = this.left ?? { map: 0 };
    if (dropout?.pass === undefined) return x;
    const count = rows * this.sizes.inputs;
    const copy = memory.allocate(count);
    memory.copy(copy, x, count);
    dropout.apply(memory, copy, count, map);
    return copy;
  }

  /** Adds force A to dx, except where dropout left x out. */
  #addBack(force: Rows, rows: number, dx: number): void {
    const { products, products: { memory }, sizes: { inputs, rank }, left } = this;
    const sizes = { rows, columns: inputs, depth: rank };
    const a = at(this.places.a, inputs);
    if (left?.dropout.pass === undefined) {
      return products.times(force, a, at(dx, inputs), sizes, true);
    }
    const count = rows * inputs;
    const own = memory.zeros(count);
    products.times(force, a, at(own, inputs), sizes, true);
    left.dropout.apply(memory, own, count, left.map);
    const [sum, part] = [memory.f32(dx, count), memory.f32(own, count)];
    for (let i = 0; i < count; i++) sum[i] += part[i];
    memory.free(own);
  }

  /** Adds to the gradients of A and B, and to dx `[rows, inputs]`, given dy `[rows, outputs]`. */
  backward(rows: number, x: number, dy: number, dx: number, kept?: HiddenRows): void {
    const { inputs, outputs, rank } = this.sizes;
    const { products, products: { memory } } = this;
    const { aGradient, b, bGradient } = this.places;
    const known = kept?.get(this);
    const hidden = known ?? this.#hidden(rows, x);
    const up = at(dy, outputs);
    const ofB = { rows: outputs, columns: rank, depth: rows };
    products.outer(up, at(hidden, rank), at(bGradient, rank), ofB);
    const force = at(memory.allocate(rows * rank), rank);
    products.times(up, at(b, rank), force, { rows, columns: rank, depth: outputs });
    this.#scaled(force.address, rows);
    const ofA = { rows: rank, columns: inputs, depth: rows };
    const input = this.#dropped(rows, x);
    products.outer(force, at(input, inputs), at(aGradient, inputs), ofA);
    if (input !== x) memory.free(input);
    this.#addBack(force, rows, dx);
    memory.free(force.address);
    if (known === undefined) memory.free(hidden);
  }

  /** `[rows, rank]` times alpha / rank, in place. */
  #scaled(address: number, rows: number): number {
    const { rank, alpha } = this.sizes;
    this.products.memory.kernels.scaleNumbers(address, rows * rank, alpha / rank);
    return address;
  }
}

function at(address: number, stride: number): Rows {
  return { address, stride };
}
