/** A WebAssembly memory of arrays: blocks by address, views, copies. */
import { Heap } from "./heap.ts";

/** Addresses are in bytes, counts in 32-bit numbers. */
export class ArrayMemory {
  readonly #heap = new Heap(new WebAssembly.Memory({ initial: 16, maximum: 65536 }));

  /** The memory itself, for modules to import. */
  get memory(): WebAssembly.Memory {
    return this.#heap.memory;
  }

  /** Its bytes: another buffer once it has grown. */
  get buffer(): ArrayBuffer {
    return this.#heap.memory.buffer as ArrayBuffer;
  }

  /** Bytes of the memory, used or not. */
  get byteLength(): number {
    return this.buffer.byteLength;
  }

  /** Bytes in blocks that are in use. */
  get used(): number {
    return this.#heap.used;
  }

  /** Allocates `count` 32-bit numbers and returns their address; contents are undefined. */
  allocate(count: number): number {
    return this.#heap.allocate(4 * count);
  }

  /** The address of a block of zeros. */
  zeros(count: number): number {
    const address = this.allocate(count);
    this.f32(address, count).fill(0);
    return address;
  }

  /** Gives a block back; its address must be one of `allocate` or `zeros`. */
  free(address: number): void {
    this.#heap.free(address);
  }

  /** A view that holds until the next `allocate`. */
  f32(address: number, count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.buffer, address, count);
  }

  /** A view that holds until the next `allocate`. */
  i32(address: number, count: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.buffer, address, count);
  }

  /** Copies `count` numbers within the memory. */
  copy(target: number, source: number, count: number): void {
    new Uint8Array(this.buffer).copyWithin(target, source, source + 4 * count);
  }
}

/**
 * The smallest multiple of `step` that is not below `count`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { roundUp } from "./array_memory.ts";
 * assert.equal(roundUp(13, 4), 16);
 * ```
 */
export function roundUp(count: number, step: number): number {
  return Math.ceil(count / step) * step;
}
