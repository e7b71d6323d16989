/** A multilayer perceptron in a machine's memory: forward, backward, and the memory they need. */
import { Linear, PackingRoom, type Rows } from "./linear.ts";
import type { Machine } from "./machine.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";

/** Sizes of the network; hidden widths are multiples of four. */
interface MlpShape {
  /** Features of a state. */
  readonly inputs: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** Numbers per state at the top. */
  readonly outputs: number;
  /** Hidden layers compute max(x, slope · x). */
  readonly slope: number;
}

/** Where the parameters and their gradients lie, by name. */
export interface ParameterPlaces {
  address(name: string): number;
  gradientAddress(name: string): number;
}

/** One block of memory that a backward pass needs. */
export interface MlpActivations {
  readonly block: number;
  readonly rows: number;
}

/** Layers `layers.0`, `layers.1`, … and the linear `head`, each `weight [in, out]` and bias. */
export class MlpEngine {
  readonly #layers: readonly Linear[];

  constructor(
    readonly machine: Machine,
    parameters: ParameterPlaces,
    readonly shape: MlpShape,
  ) {
    const widths = [shape.inputs, ...shape.hidden, shape.outputs];
    const room = new PackingRoom(machine);
    this.#layers = widths.slice(1).map((outputs, i) => {
      const isHead = i === shape.hidden.length;
      const [weight, bias] = isHead
        ? ["head", "head_bias"]
        : [`layers.${i}.weight`, `layers.${i}.bias`];
      return new Linear(machine, room, widths[i], outputs, {
        weight: parameters.address(weight),
        weightGradient: parameters.gradientAddress(weight),
        bias: parameters.address(bias),
        biasGradient: parameters.gradientAddress(bias),
      });
    });
  }

  /** To be called whenever the parameters have changed. */
  pack(): void {
    for (const layer of this.#layers) layer.pack();
  }

  /**
   * @param features `[rows, inputs]`.
   * @returns `[rows, outputs]`, and the argument of one call of `backward` or `release`.
   */
  forward(features: Float32Array, rows: number): { values: Float32Array; kept: MlpActivations } {
    const kept = { block: this.machine.allocate(this.#blockSize(rows)), rows };
    const places = this.#places(kept);
    this.machine.f32(kept.block, features.length).set(features);
    this.#layers.forEach((layer, i) => {
      const slope = i === this.#layers.length - 1 ? 1 : this.shape.slope;
      layer.forward(places[i], places[i + 1], rows, { slope });
    });
    const top = places[this.#layers.length].address;
    return { values: this.machine.f32(top, rows * this.shape.outputs).slice(), kept };
  }

  #widths(): number[] {
    return [this.shape.inputs, ...this.shape.hidden, this.shape.outputs];
  }

  #blockSize(rows: number): number {
    return rows * this.#widths().reduce((sum, width) => sum + width, 0);
  }

  /** The inputs of each layer, and the outputs of the last, one behind the other. */
  #places({ block, rows }: MlpActivations): Rows[] {
    let address = block;
    return this.#widths().map((width) => {
      address += 4 * rows * width;
      return { address: address - 4 * rows * width, stride: width };
    });
  }

  /**
   * Adds the parameters' gradients and releases the kept values.
   *
   * @param gradient `[rows, outputs]`.
   */
  backward(kept: MlpActivations, gradient: ArrayLike<number>): void {
    const { machine, shape } = this;
    const { rows } = kept;
    const places = this.#places(kept);
    const widest = roundUp(Math.max(shape.outputs, ...shape.hidden), 4);
    let [above, below] = [machine.allocate(rows * widest), machine.allocate(rows * widest)];
    uploadRows(machine, above, gradient, rows, shape.outputs);
    let dy: Rows = { address: above, stride: roundUp(shape.outputs, 4) };
    for (let i = this.#layers.length - 1; i >= 0; i--) {
      const layer = this.#layers[i];
      layer.addGradients(places[i], dy, rows);
      if (i === 0) break;
      const dx = { address: below, stride: layer.inputs };
      layer.backward(dy, dx, rows);
      const count = rows * layer.inputs;
      machine.kernels.activationGradient(places[i].address, below, count, shape.slope);
      [above, below] = [below, above];
      dy = dx;
    }
    machine.free(above);
    machine.free(below);
    this.release(kept);
  }

  release(kept: MlpActivations): void {
    this.machine.free(kept.block);
  }
}

/** Copies `[rows, width]` into the memory, each row padded with zeros to a multiple of four. */
export function uploadRows(
  machine: Machine,
  address: number,
  values: ArrayLike<number>,
  rows: number,
  width: number,
): void {
  const stride = roundUp(width, 4);
  const target = machine.f32(address, rows * stride);
  if (stride !== width) target.fill(0);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < width; j++) target[row * stride + j] = values[row * width + j];
  }
}
