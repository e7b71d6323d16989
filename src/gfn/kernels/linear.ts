/** Affine maps in a machine: y = f(x W + b), and their gradients. */
import type { Machine } from "./machine.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";

/** Rows of a batch whose outer products are summed at a time. */
const blockDepth = 256;

/** A matrix of activations in the memory: rows lie `stride` numbers apart. */
export interface Rows {
  readonly address: number;
  readonly stride: number;
}

/** Where a map's parameters and their gradients lie; a bias is optional. */
interface LinearPlaces {
  readonly weight: number;
  readonly weightGradient: number;
  readonly bias?: number;
  readonly biasGradient?: number;
}

/** Room to pack the operands of outer products, shared by all maps of a machine. */
export class PackingRoom {
  #left = 0;
  #right = 0;
  #leftSize = 0;
  #rightSize = 0;

  constructor(readonly machine: Machine) {}

  /** Makes sure of room for `[depth, left]` and `[depth, right]`. */
  reserve(left: number, right: number): void {
    if (left > this.#leftSize) this.#left = this.#renew(this.#left, this.#leftSize = left);
    if (right > this.#rightSize) this.#right = this.#renew(this.#right, this.#rightSize = right);
  }

  #renew(old: number, size: number): number {
    if (old !== 0) this.machine.free(old);
    return this.machine.allocate(blockDepth * roundUp(size, 8));
  }

  /**
   * target `[left.width, right.width]` (+)= leftᵀ right, summed over rows in order.
   *
   * @param accumulate Whether the product is added to target.
   */
  outerProduct(
    left: Rows & { readonly width: number },
    right: Rows & { readonly width: number },
    rows: number,
    target: Rows,
    accumulate: boolean,
  ): void {
    const { kernels, blas } = this.machine;
    if (blas) {
      const sizes = { rows: left.width, columns: right.width, depth: rows };
      const a = { ...left, transposed: true };
      return this.machine.multiply({ ...sizes, a, b: right, c: target, accumulate });
    }
    this.reserve(left.width, right.width);
    for (let begin = 0; begin < rows; begin += blockDepth) {
      const depth = Math.min(blockDepth, rows - begin);
      const [a, b] = [left, right].map((x) => x.address + 4 * x.stride * begin);
      kernels.packLeft(a, 4 * left.stride, depth, left.width, this.#left);
      kernels.packPanels(b, 4 * right.stride, depth, right.width, this.#right);
      const keep = accumulate || begin > 0 ? 1 : 0;
      const [c, stride] = [target.address, 4 * target.stride];
      const sizes = [left.width, right.width, depth];
      kernels.multiplyPanels(this.#left, 0, this.#right, c, stride, ...sizes, 0, keep, 1);
    }
  }
}

/** One affine map from `inputs` to `outputs` numbers. */
export class Linear {
  readonly #packed: number;
  readonly #transposed: number;
  readonly #bias: number;

  constructor(
    readonly machine: Machine,
    readonly room: PackingRoom,
    readonly inputs: number,
    readonly outputs: number,
    readonly places: LinearPlaces,
  ) {
    const own = machine.blas === undefined;
    this.#packed = own ? machine.allocate(inputs * roundUp(outputs, 8)) : 0;
    this.#transposed = own ? machine.allocate(outputs * roundUp(inputs, 8)) : 0;
    this.#bias = places.bias === undefined ? 0 : machine.zeros(roundUp(outputs, 8));
  }

  /** To be called whenever the parameters have changed. */
  pack(): void {
    const { kernels, blas } = this.machine;
    const { weight, bias } = this.places;
    if (bias !== undefined) this.machine.copy(this.#bias, bias, this.outputs);
    if (blas) return;
    kernels.packPanels(weight, 4 * this.outputs, this.inputs, this.outputs, this.#packed);
    kernels.packTransposed(weight, 4 * this.outputs, this.outputs, this.inputs, this.#transposed);
  }

  /**
   * y = f(x W + b), or y + x W; f(z) = max(z, slope · z).
   *
   * @param options.accumulate Adds to y; then there is neither bias nor f.
   */
  forward(
    x: Rows,
    y: Rows,
    rows: number,
    { slope = 1, accumulate = false }: { slope?: number; accumulate?: boolean } = {},
  ): void {
    if (this.machine.blas) return this.#forwardByLibrary(x, y, rows, slope, accumulate);
    this.machine.kernels.multiplyRows(
      x.address,
      4 * x.stride,
      this.#packed,
      y.address,
      4 * y.stride,
      rows,
      this.outputs,
      this.inputs,
      accumulate ? 0 : this.#bias,
      accumulate ? 1 : 0,
      slope,
    );
  }

  #forwardByLibrary(x: Rows, y: Rows, rows: number, slope: number, accumulate: boolean): void {
    const b = { address: this.places.weight, stride: this.outputs };
    const sizes = { rows, columns: this.outputs, depth: this.inputs };
    this.machine.multiply({ ...sizes, a: x, b, c: y, accumulate });
    if (accumulate || (this.#bias === 0 && slope === 1)) return;
    const { kernels } = this.machine;
    kernels.shiftAndBend(y.address, 4 * y.stride, rows, this.outputs, this.#bias, slope);
  }

  /** Adds the parameters' gradients, given that of x W + b, whose rows end in zeros. */
  addGradients(x: Rows, dy: Rows, rows: number): void {
    const { weightGradient, biasGradient } = this.places;
    const [left, right] = [{ ...x, width: this.inputs }, { ...dy, width: this.outputs }];
    const target = { address: weightGradient, stride: this.outputs };
    this.room.outerProduct(left, right, rows, target, true);
    if (biasGradient !== undefined) this.#addBiasGradient(dy, rows, biasGradient);
  }

  #addBiasGradient(dy: Rows, rows: number, target: number): void {
    const { machine, outputs } = this;
    const width = roundUp(outputs, 4);
    const sums = machine.zeros(width);
    machine.kernels.columnSums(dy.address, 4 * dy.stride, rows, width, sums);
    const into = machine.f32(target, outputs);
    machine.f32(sums, outputs).forEach((sum, i) => into[i] += sum);
    machine.free(sums);
  }

  /** dx = dy Wᵀ. */
  backward(dy: Rows, dx: Rows, rows: number): void {
    if (this.machine.blas) {
      const b = { address: this.places.weight, stride: this.outputs, transposed: true };
      const sizes = { rows, columns: this.inputs, depth: this.outputs };
      return this.machine.multiply({ ...sizes, a: dy, b, c: dx, accumulate: false });
    }
    this.machine.kernels.multiplyRows(
      dy.address,
      4 * dy.stride,
      this.#transposed,
      dx.address,
      4 * dx.stride,
      rows,
      this.inputs,
      this.outputs,
      0,
      0,
      1,
    );
  }
}
