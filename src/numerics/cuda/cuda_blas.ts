/** Products with frozen weights on a GPU: weights are copied there once, rows for each product. */
import type { Blas, Operand, Product, Target } from "../blas/blas.ts";
import { BrainRows, type FrozenNumbers } from "../blas/brain_floats.ts";
import { MissingPartError } from "../../base/diagnostic.ts";
import type { CudaSymbols } from "./cuda_library.ts";

/** Codes of the C interfaces (driver_types.h, library_types.h, cublas_api.h). */
const [TO_DEVICE, TO_HOST] = [1, 2];
const [PLAIN, TRANSPOSED] = [0, 1];
const [SINGLE, BRAIN] = [0, 14];
/** Sums in single precision, without TensorFloat-32. */
const computeSingle = 68;
const defaultAlgorithm = -1;

const [one, zero] = [Float32Array.of(1), Float32Array.of(0)];

/** A block of the GPU's memory that grows. */
interface Block {
  address: number;
  bytes: number;
}

/** A GPU that multiplies rows of a memory by numbers that lie outside of it and never change. */
export class CudaBlas implements Blas {
  readonly hasBrainFloats = true;
  readonly #handle: number;
  readonly #copies = new WeakMap<ArrayBuffer, number>();
  readonly #collected: FinalizationRegistry<number>;
  readonly #left: Block = { address: 0, bytes: 0 };
  readonly #out: Block = { address: 0, bytes: 0 };
  readonly #short = new BrainRows();
  #memory: ArrayBuffer | undefined;
  #start = 0;

  /**
   * Opens cuBLAS on the current device.
   *
   * @throws MissingPartError if the driver gives no GPU.
   */
  constructor(readonly name: string, readonly symbols: CudaSymbols) {
    const handle = new BigUint64Array(1);
    const status = symbols.cublasCreate_v2(handle);
    if (status !== 0) throw gpuFault("cublasCreate", `status ${status} of cuBLAS`);
    this.#handle = Number(handle[0]);
    this.#collected = new FinalizationRegistry((address) => void symbols.cudaFree(BigInt(address)));
  }

  /** Free bytes of the GPU's memory. */
  get freeBytes(): number {
    const [free, all] = [new BigUint64Array(1), new BigUint64Array(1)];
    this.#check("cudaMemGetInfo", this.symbols.cudaMemGetInfo(free, all));
    return Number(free[0]);
  }

  /**
   * C (+)= A op(B) for B outside of the memory, which must never change.
   *
   * @throws MissingPartError if the GPU has too little memory, or fails.
   */
  multiply(memory: ArrayBuffer, { rows, columns, depth, a, b, c, accumulate }: Product): void {
    if (b.values === undefined || a.values !== undefined || a.transposed) {
      throw new Error("internal: a GPU multiplies rows of a memory by numbers outside of it");
    }
    if (memory !== this.#memory) this.#locate(memory);
    const short = b.values instanceof Uint16Array;
    const size = short ? 2 : 4;
    const weights = this.#copyOf(b.values) + b.values.byteOffset + size * b.address / 4;
    const left = this.#reserve(this.#left, size * rows * depth);
    const out = this.#reserve(this.#out, 4 * rows * columns);
    if (short) this.#sendShort(memory, left, a, rows, depth);
    else this.#send(left, a, rows, depth);
    if (accumulate) this.#send(out, c, rows, columns);
    this.#gemm({ weights, b, left, out, short, rows, columns, depth, accumulate });
    const target = BigInt(this.#start + c.address);
    const [pitch, width] = [4 * c.stride, 4 * columns].map(BigInt);
    const from = BigInt(out);
    this.#check(
      "cudaMemcpy2D",
      this.symbols.cudaMemcpy2D(target, pitch, from, width, width, BigInt(rows), TO_HOST),
    );
  }

  /** Multiplies by cuBLAS, which stores by columns: operands and result are the transposes. */
  #gemm(
    { weights, b, left, out, short, rows, columns, depth, accumulate }: Placed,
  ): void {
    const type = short ? BRAIN : SINGLE;
    const status = this.symbols.cublasGemmEx(
      BigInt(this.#handle),
      b.transposed ? TRANSPOSED : PLAIN,
      PLAIN,
      columns,
      rows,
      depth,
      one,
      BigInt(weights),
      type,
      b.stride,
      BigInt(left),
      type,
      depth,
      accumulate ? one : zero,
      BigInt(out),
      SINGLE,
      columns,
      computeSingle,
      defaultAlgorithm,
    );
    if (status !== 0) throw gpuFault("cublasGemmEx", `status ${status} of cuBLAS`);
  }

  /** Rows of the memory without gaps. */
  #send(
    target: number,
    { address, stride }: Omit<Target, "values">,
    rows: number,
    width: number,
  ): void {
    const source = BigInt(this.#start + address);
    const [pitch, bytes] = [4 * stride, 4 * width].map(BigInt);
    this.#check(
      "cudaMemcpy2D",
      this.symbols
        .cudaMemcpy2D(BigInt(target), bytes, source, pitch, bytes, BigInt(rows), TO_DEVICE),
    );
  }

  #sendShort(memory: ArrayBuffer, target: number, a: Operand, rows: number, width: number): void {
    this.#copyIn(target, this.#short.round(memory, a, rows, width));
  }

  /** The address of the GPU's copy of a whole buffer, made at its first use. */
  #copyOf({ buffer }: FrozenNumbers): number {
    const known = this.#copies.get(buffer);
    if (known !== undefined) return known;
    const address = this.#allocate(buffer.byteLength);
    this.#copyIn(address, new Uint8Array(buffer));
    this.#copies.set(buffer, address);
    this.#collected.register(buffer, address);
    return address;
  }

  #copyIn(target: number, values: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>): void {
    const { cudaMemcpy } = this.symbols;
    const [source, bytes] = [addressOf(values), values.byteLength].map(BigInt);
    this.#check("cudaMemcpy", cudaMemcpy(BigInt(target), source, bytes, TO_DEVICE));
  }

  #reserve(block: Block, bytes: number): number {
    if (bytes <= block.bytes) return block.address;
    if (block.address !== 0) {
      this.#check("cudaFree", this.symbols.cudaFree(BigInt(block.address)));
    }
    [block.address, block.bytes] = [0, 0];
    block.address = this.#allocate(bytes);
    block.bytes = bytes;
    return block.address;
  }

  #allocate(bytes: number): number {
    const address = new BigUint64Array(1);
    const status = this.symbols.cudaMalloc(address, BigInt(bytes));
    if (status === outOfMemory) throw fullMemory(this.name, bytes, this.freeBytes);
    this.#check("cudaMalloc", status);
    return Number(address[0]);
  }

  /** A WebAssembly memory that has grown has a new buffer, and may have moved. */
  #locate(memory: ArrayBuffer): void {
    this.#memory = memory;
    this.#start = addressOf(new Uint8Array(memory));
  }

  #check(call: string, status: number): void {
    if (status !== 0) throw gpuFault(call, errorText(this.symbols, status));
  }
}

interface Placed extends Omit<Product, "a" | "c"> {
  readonly weights: number;
  readonly left: number;
  readonly out: number;
  readonly short: boolean;
}

/** `cudaErrorMemoryAllocation`. */
const outOfMemory = 2;

/** Text of the CUDA runtime for a status, with its number. */
export function errorText(symbols: CudaSymbols, status: number): string {
  const pointer = symbols.cudaGetErrorString(status);
  const text = pointer === null ? "unknown" : new Deno.UnsafePointerView(pointer).getCString();
  return `${text} (error ${status})`;
}

function gpuFault(call: string, problem: string): MissingPartError {
  return new MissingPartError(
    `Cannot compute on the GPU: ${call} says: ${problem}`,
    'see what nvidia-smi says of it, or choose backend = "blas"',
  );
}

/**
 * Refuses weights and rows for which a GPU has too little memory free.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { requireRoom } from "./cuda_blas.ts";
 * requireRoom("a GPU", 10, 20);
 * assert.throws(() => requireRoom("a GPU", 20, 10));
 * ```
 *
 * @throws MissingPartError if so many bytes of weights and rows exceed the free memory.
 */
export function requireRoom(name: string, wanted: number, free: number): void {
  if (wanted > free) throw fullMemory(name, wanted, free);
}

function fullMemory(name: string, wanted: number, free: number): MissingPartError {
  const [need, have] = [wanted, free].map((bytes) => `${(bytes / 1e9).toFixed(2)} GB`);
  return new MissingPartError(
    `Cannot compute on the GPU: ${need} of its memory are wanted, ${name} has ${have} free`,
    'end what else uses the GPU, choose precision = "bf16", or a smaller model',
  );
}

function addressOf(values: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>): number {
  return Number(Deno.UnsafePointer.value(Deno.UnsafePointer.of(values)));
}
