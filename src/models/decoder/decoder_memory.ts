/** The memory of a decoder with the kernels that work on it. */
import { type Blas, summedAlike } from "../../numerics/blas/mod.ts";
import { inputError } from "../../base/diagnostic.ts";
import { assemble } from "../../numerics/wasm/mod.ts";
import { ArrayMemory, packingKernels, productKernels } from "../../numerics/wasm/kernels/mod.ts";
import { attentionKernelNames, attentionKernels } from "./attention_kernels.ts";
import { gradientKernelNames, gradientKernels } from "./gradient_kernels.ts";
import { decoderKernelNames, decoderKernels } from "./kernels.ts";

const names = [
  ...["packPanels", "packLeft", "packTransposed", "multiplyRows", "multiplyPanels"] as const,
  ...decoderKernelNames,
  ...attentionKernelNames,
  ...gradientKernelNames,
] as const;

/** The kernels by name; parameters are described where each is written. */
export type DecoderKernels = Readonly<
  Record<typeof names[number], (...parameters: number[]) => number>
>;

let compiled: WebAssembly.Module | undefined;

/** Libraries that compute matrix products instead of own kernels. */
export interface Libraries {
  /** Computes all products, unless there is a device. */
  readonly blas?: Blas | undefined;
  /** Computes products with weights outside of the memory that never change, of which it keeps copies. */
  readonly device?: Blas | undefined;
}

/** Activations, caches and staged tiles of weights; weights themselves lie outside. */
export class DecoderMemory extends ArrayMemory {
  /** Exported functions of the compiled module, by name. */
  readonly kernels: DecoderKernels;

  /** Library that sums every row alike, independent of the rows beside it. */
  readonly blas: Blas | undefined;
  /** Multiplies with weights outside of the memory. */
  readonly device: Blas | undefined;

  /** The module is compiled once per process. */
  constructor({ blas, device }: Libraries = {}) {
    super();
    [this.blas, this.device] = [blas && summedAlike(blas), device];
    compiled ??= new WebAssembly.Module(
      assemble([
        ...packingKernels(),
        ...productKernels(),
        ...decoderKernels(),
        ...attentionKernels(),
        ...gradientKernels(),
      ]),
    );
    const instance = new WebAssembly.Instance(compiled, { host: { memory: this.memory } });
    this.kernels = instance.exports as unknown as DecoderKernels;
  }

  /**
   * Allocates `count` numbers in single precision and returns their address; contents are undefined.
   *
   * @throws InputError if activations would take more than the 4 GiB that a memory may have.
   */
  override allocate(count: number): number {
    try {
      return super.allocate(count);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const [want, have] = [4 * count, this.used].map((bytes) => `${(bytes / 1e9).toFixed(2)} GB`);
      const message =
        `Cannot compute: ${want} more than ${have} of activations are wanted, 4.29 GB fit`;
      throw inputError("model/activations", message, undefined, "give it fewer tokens at a time");
    }
  }

  /** The address of a copy of these numbers. */
  place(values: Float32Array): number {
    const address = this.allocate(values.length);
    this.f32(address, values.length).set(values);
    return address;
  }
}
