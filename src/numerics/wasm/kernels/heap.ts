/** Blocks of a WebAssembly memory: allocated, freed, and used again. */

const page = 65536;
const alignment = 64;

interface Gap {
  readonly address: number;
  readonly size: number;
}

/**
 * First fit over gaps in order of address; neighbouring gaps become one. Address 0 is never given
 * away, so that 0 can mean "none". The memory grows when nothing fits and never shrinks.
 */
export class Heap {
  #gaps: Gap[] = [];
  readonly #sizes = new Map<number, number>();
  #end = alignment;

  constructor(readonly memory: WebAssembly.Memory) {}

  /** Bytes in use. */
  get used(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Allocates at least `bytes` bytes and returns their address; contents are undefined. */
  allocate(bytes: number): number {
    const size = Math.max(1, Math.ceil(bytes / alignment)) * alignment;
    const index = this.#gaps.findIndex((gap) => gap.size >= size);
    const address = index < 0 ? this.#extend(size) : this.#carve(index, size);
    this.#sizes.set(address, size);
    return address;
  }

  #extend(size: number): number {
    const address = this.#end;
    const missing = address + size - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / page));
    this.#end = address + size;
    return address;
  }

  #carve(index: number, size: number): number {
    const gap = this.#gaps[index];
    const rest = { address: gap.address + size, size: gap.size - size };
    this.#gaps.splice(index, 1, ...(rest.size > 0 ? [rest] : []));
    return gap.address;
  }

  /** @throws internal, if there is no such block. */
  free(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) throw new Error(`internal: no block at ${address}`);
    this.#sizes.delete(address);
    const all = [...this.#gaps, { address, size }].sort((a, b) => a.address - b.address);
    this.#gaps = [];
    for (const gap of all) this.#append(gap);
    const last = this.#gaps[this.#gaps.length - 1];
    if (last.address + last.size !== this.#end) return;
    this.#end = last.address;
    this.#gaps.pop();
  }

  #append(gap: Gap): void {
    const before = this.#gaps[this.#gaps.length - 1];
    if (before === undefined || before.address + before.size !== gap.address) this.#gaps.push(gap);
    else {
      const size = before.size + gap.size;
      this.#gaps[this.#gaps.length - 1] = { address: before.address, size };
    }
  }
}
