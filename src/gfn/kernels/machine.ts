/** A WebAssembly memory with the kernels that work on it. */
import { assemble } from "../../wasm/assembler.ts";
import { attentionKernels } from "./attention.ts";
import type { Blas, Product } from "../../base/blas/blas.ts";
import { Heap } from "../../wasm/kernels/heap.ts";
import { optimizerKernels } from "./optimizer.ts";
import { packingKernels } from "../../wasm/kernels/packing.ts";
import { productKernels } from "../../wasm/kernels/products.ts";
import { rowKernels } from "./rows.ts";

/** Names of the kernels. */
export const kernelNames = [
  "packPanels",
  "packLeft",
  "packTransposed",
  "multiplyRows",
  "multiplyPanels",
  "normalise",
  "normaliseGradient",
  "activationGradient",
  "shiftAndBend",
  "columnSums",
  "embed",
  "embedGradient",
  "softmaxCausal",
  "softmaxGradient",
  "attendCached",
  "sumOfSquares",
  "adam",
  "moveTowards",
] as const;

/** One of them. */
export type KernelName = typeof kernelNames[number];

/** The kernels by name; parameters are described where each is written. */
export type Kernels = Readonly<Record<KernelName, (...parameters: number[]) => number>>;

/** The bytes of the module. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return assemble([
    ...packingKernels(),
    ...productKernels(),
    ...rowKernels(),
    ...attentionKernels(),
    ...optimizerKernels(),
  ]);
}

let compiled: WebAssembly.Module | undefined;

/** Kernels over one memory of their own. Addresses are in bytes, counts in 32-bit numbers. */
export class Machine {
  readonly #heap = new Heap(new WebAssembly.Memory({ initial: 16, maximum: 65536 }));
  readonly kernels: Kernels;

  /**
   * The module is compiled once per process.
   *
   * @param blas Computes matrix products instead of own kernels.
   */
  constructor(readonly blas?: Blas) {
    compiled ??= new WebAssembly.Module(kernelBytes());
    const instance = new WebAssembly.Instance(compiled, { host: { memory: this.#heap.memory } });
    this.kernels = instance.exports as unknown as Kernels;
  }

  /** Has the library compute a product in this memory. */
  multiply(product: Product): void {
    this.blas!.multiply(this.#heap.memory.buffer as ArrayBuffer, product);
  }

  /** Bytes of the memory, used or not. */
  get byteLength(): number {
    return this.#heap.memory.buffer.byteLength;
  }

  /** Bytes in blocks that are in use. */
  get used(): number {
    return this.#heap.used;
  }

  /** The address of a block of so many numbers; what it holds is undefined. */
  allocate(count: number): number {
    return this.#heap.allocate(4 * count);
  }

  /** The address of a block of zeros. */
  zeros(count: number): number {
    const address = this.allocate(count);
    this.f32(address, count).fill(0);
    return address;
  }

  free(address: number): void {
    this.#heap.free(address);
  }

  /** A view that holds until the next `allocate`. */
  f32(address: number, count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#heap.memory.buffer as ArrayBuffer, address, count);
  }

  /** A view that holds until the next `allocate`. */
  i32(address: number, count: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#heap.memory.buffer as ArrayBuffer, address, count);
  }

  /** Copies `count` numbers within the memory. */
  copy(target: number, source: number, count: number): void {
    new Uint8Array(this.#heap.memory.buffer).copyWithin(target, source, source + 4 * count);
  }
}

/** The smallest multiple of `step` that is not below `count`. */
export function roundUp(count: number, step: number): number {
  return Math.ceil(count / step) * step;
}
