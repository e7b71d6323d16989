/** The maps of a decoder with their numbers in the memory: gains, shifts, biases, adapters, gradients. */
import type { Adapter, HiddenRows } from "./adapter.ts";
import type { DecoderMemory } from "./decoder_memory.ts";
import type { Products, Rows } from "./products.ts";
import type { Affine, Norm } from "./weights.ts";

/** A normalisation of rows: LayerNorm where there is a shift, RMSNorm where there is none. */
export class PlacedNorm {
  /** Address of gains `[width]`. */
  readonly gain: number;
  /** Address of shifts `[width]`. */
  readonly shift: number | undefined;
  /** Where gradients of gain and shift are added, if they are trained. */
  gradients: { readonly gain: number; readonly shift: number } | undefined;

  /** `epsilon` is added to mean squares before the root. */
  constructor(readonly memory: DecoderMemory, { gain, shift }: Norm, readonly epsilon: number) {
    this.gain = memory.place(gain);
    this.shift = shift && memory.place(shift);
  }

  /** y = norm(x), `[rows, width]`; the two may be the same. */
  apply(x: number, y: number, rows: number, width: number): void {
    const { kernels } = this.memory;
    if (this.shift === undefined) {
      kernels.normaliseRows(x, this.gain, y, rows, width, this.epsilon);
    } else kernels.centreRows(x, this.gain, this.shift, y, rows, width, this.epsilon);
  }

  /** Adds to dx, given x and dy. */
  backward(x: number, dy: number, dx: number, rows: number, width: number): void {
    const { kernels } = this.memory;
    const { gain, shift } = this.gradients ?? { gain: 0, shift: 0 };
    const places = [x, this.gain, dy, dx, gain];
    if (this.shift === undefined) {
      kernels.normaliseRowsGradient(...places, rows, width, this.epsilon);
    } else kernels.centreRowsGradient(...places, shift, rows, width, this.epsilon);
  }
}

/** An affine map whose bias lies in the memory, and whose weight does not. */
export class PlacedAffine {
  /** Address of `[outputs]`. */
  readonly bias: number | undefined;
  /** Added to the output of the frozen map. */
  adapter: Adapter | undefined;
  /** Where gradients of weight and bias are added, if they are trained. */
  gradients: { readonly weight: number; readonly bias: number } | undefined;

  /** Places the bias; the weight stays outside of the memory. */
  constructor(readonly products: Products, readonly map: Affine) {
    this.bias = map.bias && products.memory.place(map.bias);
  }

  /** y (+)= W x + b, rows of `inputs` and `outputs` numbers without gaps. */
  apply(x: number, y: number, rows: number, accumulate = false, kept?: HiddenRows): void {
    const { inputs, outputs, weight } = this.map;
    const sizes = { rows, columns: outputs, depth: inputs };
    this.products.affine(at(x, inputs), weight, at(y, outputs), sizes, accumulate);
    if (this.bias !== undefined) {
      this.products.memory.kernels.shiftRows(y, rows, outputs, this.bias);
    }
    this.adapter?.forward(rows, x, y, kept);
  }

  /** Adds to dx and to the gradients of the map's trained numbers, given x and dy. */
  backward(x: number, dy: number, dx: number, rows: number, kept?: HiddenRows): void {
    const { inputs, outputs, weight } = this.map;
    const { products, gradients } = this;
    const sizes = { rows, columns: inputs, depth: outputs };
    products.affineBackward(at(dy, outputs), weight, at(dx, inputs), sizes);
    this.adapter?.backward(rows, x, dy, dx, kept);
    if (!gradients) return;
    const ofWeight = { rows: outputs, columns: inputs, depth: rows };
    products.outer(at(dy, outputs), at(x, inputs), at(gradients.weight, inputs), ofWeight);
    if (this.bias === undefined) return;
    products.memory.kernels.sumRows(dy, 4 * outputs, rows, outputs, gradients.bias);
  }
}

function at(address: number, stride: number): Rows {
  return { address, stride };
}
