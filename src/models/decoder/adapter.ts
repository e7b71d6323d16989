/** A low-rank adapter of one affine map (LoRA, Hu et al. 2022): forward pass and gradients. */
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
  /** Adapts one map; the numbers at `places` belong to the caller. */
  constructor(
    readonly products: Products,
    readonly sizes: AdapterSizes,
    readonly places: AdapterPlaces,
  ) {}

  /** Adds to y `[rows, outputs]`, given x `[rows, inputs]`; what it computes on the way may be kept. */
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
    this.products.timesTransposed(
      at(x, inputs),
      at(this.places.a, inputs),
      at(hidden, rank),
      sizes,
    );
    return this.#scaled(hidden, rows);
  }

  /** Adds to the gradients of A and B, and to dx `[rows, inputs]`, given dy `[rows, outputs]`. */
  backward(rows: number, x: number, dy: number, dx: number, kept?: HiddenRows): void {
    const { inputs, outputs, rank } = this.sizes;
    const { products, products: { memory } } = this;
    const { a, aGradient, b, bGradient } = this.places;
    const known = kept?.get(this);
    const hidden = known ?? this.#hidden(rows, x);
    const up = at(dy, outputs);
    const ofB = { rows: outputs, columns: rank, depth: rows };
    products.outer(up, at(hidden, rank), at(bGradient, rank), ofB);
    const force = at(memory.allocate(rows * rank), rank);
    products.times(up, at(b, rank), force, { rows, columns: rank, depth: outputs });
    this.#scaled(force.address, rows);
    const ofA = { rows: rank, columns: inputs, depth: rows };
    products.outer(force, at(x, inputs), at(aGradient, inputs), ofA);
    const sizes = { rows, columns: inputs, depth: rank };
    products.times(force, at(a, inputs), at(dx, inputs), sizes, true);
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
