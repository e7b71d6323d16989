/** A WebAssembly memory with the kernels that work on it. */
import { assemble } from "../../numerics/wasm/mod.ts";
import { attentionKernels } from "./attention.ts";
import type { Blas, Product } from "../../numerics/blas/mod.ts";
import { ArrayMemory, packingKernels, productKernels } from "../../numerics/wasm/kernels/mod.ts";
import { optimizerKernels } from "./optimizer.ts";
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
type Kernels = Readonly<Record<KernelName, (...parameters: number[]) => number>>;

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

/** Kernels over one memory of their own. */
export class Machine extends ArrayMemory {
  readonly kernels: Kernels;

  /**
   * The module is compiled once per process.
   *
   * @param blas Computes matrix products instead of own kernels.
   */
  constructor(readonly blas?: Blas) {
    super();
    compiled ??= new WebAssembly.Module(kernelBytes());
    const instance = new WebAssembly.Instance(compiled, { host: { memory: this.memory } });
    this.kernels = instance.exports as unknown as Kernels;
  }

  /** Has the library compute a product in this memory. */
  multiply(product: Product): void {
    this.blas!.multiply(this.buffer, product);
  }
}
