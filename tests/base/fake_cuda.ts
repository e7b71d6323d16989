/** A GPU that is none: the functions of both libraries on this machine's memory, in plain code. */
import { singlesOf } from "../../src/numerics/blas/brain_floats.ts";
import type { CudaSymbols } from "../../src/numerics/cuda/cuda_library.ts";

/** A fake GPU's functions and memory. */
export interface FakeCuda {
  readonly symbols: CudaSymbols;
  /** Bytes that were sent to it, and that it sent back. */
  readonly sent: { up: number; down: number };
  /** Blocks that are in use. */
  readonly blocks: Map<number, Uint8Array<ArrayBuffer>>;
}

/** How it is to differ from a good GPU. */
export interface FakeFaults {
  readonly devices?: number;
  readonly bytes?: number;
  /** Status of each copy. */
  readonly copy?: number;
  /** Rounds what it multiplies to ten bits, as TensorFloat-32 does. */
  readonly short?: boolean;
}

const addressOf = (bytes: Uint8Array<ArrayBuffer>) =>
  Number(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));

/** The bytes at an address, wherever it came from. */
function at(address: bigint, length: number): Uint8Array<ArrayBuffer> {
  const pointer = Deno.UnsafePointer.create(address)!;
  return new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(pointer, length));
}

/** To ten bits behind the point. */
function shortened(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] &= 0xffffe000;
  return new Float32Array(bits.buffer)[0];
}

/** A fake that multiplies as cuBLAS does, by columns. */
export function fakeCuda(
  { devices = 1, bytes = 1 << 30, copy = 0, short = false }: FakeFaults = {},
): FakeCuda {
  const blocks = new Map<number, Uint8Array<ArrayBuffer>>();
  const sent = { up: 0, down: 0 };
  const used = () => [...blocks.values()].reduce((sum, { length }) => sum + length, 0);
  const message = new TextEncoder().encode("an illegal memory access was encountered\0");
  const write = (out: BufferSource, value: number) => {
    const { buffer, byteLength } = out as BigUint64Array<ArrayBuffer>;
    if (byteLength === 8) new BigUint64Array(buffer)[0] = BigInt(value);
    else new Int32Array(buffer)[0] = value;
    return 0;
  };
  const count = (length: number, direction: number) => {
    if (direction === 1) sent.up += length;
    else sent.down += length;
  };
  const numbers = (address: bigint, length: number, type: number) => {
    const { buffer } = type === 14 ? at(address, 2 * length) : at(address, 4 * length);
    const values = singlesOf(type === 14 ? new Uint16Array(buffer) : new Float32Array(buffer));
    return short && type === 0 ? values.map(shortened) : values;
  };
  const symbols = {
    cudaGetDeviceCount: (out: BufferSource) => write(out, devices),
    cudaMemGetInfo: (free: BufferSource, all: BufferSource) => {
      write(all, bytes);
      return write(free, bytes - used());
    },
    cudaMalloc: (out: BufferSource, length: bigint) => {
      if (used() + Number(length) > bytes) return 2;
      const block = new Uint8Array(Number(length));
      blocks.set(addressOf(block), block);
      return write(out, addressOf(block));
    },
    cudaFree: (address: bigint) => blocks.delete(Number(address)) ? 0 : 1,
    cudaMemcpy: (to: bigint, from: bigint, length: bigint, direction: number) => {
      at(to, Number(length)).set(at(from, Number(length)));
      count(Number(length), direction);
      return copy;
    },
    cudaMemcpy2D: (
      ...[to, toPitch, from, fromPitch, width, rows, direction]: [
        ...[bigint, bigint, bigint, bigint, bigint, bigint],
        number,
      ]
    ) => {
      for (let row = 0n; row < rows; row++) {
        at(to + row * toPitch, Number(width)).set(at(from + row * fromPitch, Number(width)));
      }
      count(Number(width * rows), direction);
      return copy;
    },
    cudaGetErrorString: () => Deno.UnsafePointer.of(message),
    cudaRuntimeGetVersion: (out: BufferSource) => write(out, 13010),
    cudaGetDeviceProperties: (out: Uint8Array) => {
      out.set(new TextEncoder().encode("Fake GPU"));
      return 0;
    },
    cublasCreate_v2: (out: BufferSource) => write(out, 7),
    cublasGetVersion_v2: (_: bigint, out: BufferSource) => write(out, 130100),
    cublasGemmEx: (
      ...[_, ta, tb, m, n, k, alpha, a, type, lda, b, , ldb, beta, c, , ldc, computes]: [
        ...[bigint, number, number, number, number, number, Float32Array],
        ...[bigint, number, number, bigint, number, number, Float32Array],
        ...[bigint, number, number, number, number],
      ]
    ) => {
      if (tb !== 0 || computes !== 68) return 7;
      const left = numbers(a, ta === 1 ? m * lda : k * lda, type);
      const right = numbers(b, n * ldb, type);
      const out = new Float32Array(at(c, 4 * n * ldc).buffer);
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < m; i++) {
          let sum = 0;
          for (let l = 0; l < k; l++) {
            sum += left[ta === 1 ? i * lda + l : l * lda + i] * right[j * ldb + l];
          }
          out[j * ldc + i] = alpha[0] * sum + (beta[0] === 0 ? 0 : beta[0] * out[j * ldc + i]);
        }
      }
      return 0;
    },
  };
  return { symbols: symbols as unknown as CudaSymbols, sent, blocks };
}
