/** Small parameters, which lie in the memory: gains, shifts, biases. */
import type { DecoderMemory } from "./decoder_memory.ts";
import type { Products, Rows } from "./products.ts";
import type { Affine, Norm } from "./weights.ts";

/** A normalisation of rows: LayerNorm where there is a shift, RMSNorm where there is none. */
export class PlacedNorm {
  readonly #gain: number;
  readonly #shift: number | undefined;

  constructor(readonly memory: DecoderMemory, { gain, shift }: Norm, readonly epsilon: number) {
    this.#gain = memory.place(gain);
    this.#shift = shift && memory.place(shift);
  }

  /** y = norm(x), `[rows, width]`; the two may be the same. */
  apply(x: number, y: number, rows: number, width: number): void {
    const { kernels } = this.memory;
    if (this.#shift === undefined) {
      kernels.normaliseRows(x, this.#gain, y, rows, width, this.epsilon);
    } else kernels.centreRows(x, this.#gain, this.#shift, y, rows, width, this.epsilon);
  }
}

/** An affine map whose bias lies in the memory, and whose weight does not. */
export class PlacedAffine {
  readonly #bias: number | undefined;

  constructor(readonly products: Products, readonly map: Affine) {
    this.#bias = map.bias && products.memory.place(map.bias);
  }

  /** y (+)= W x + b, rows of `inputs` and `outputs` numbers without gaps. */
  apply(x: number, y: number, rows: number, accumulate = false): void {
    const { inputs, outputs, weight } = this.map;
    const at = (address: number, stride: number): Rows => ({ address, stride });
    const sizes = { rows, columns: outputs, depth: inputs };
    this.products.affine(at(x, inputs), weight, at(y, outputs), sizes, accumulate);
    if (this.#bias === undefined) return;
    this.products.memory.kernels.shiftRows(y, rows, outputs, this.#bias);
  }
}
