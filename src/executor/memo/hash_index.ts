/** Where the entries of a memo are: a hash table in flat arrays, 30 bytes and two slots an entry. */

import { type IndexRecords, keyWords, recordWords } from "./index_file.ts";

/** Place of an entry: number of the segment, first byte and length of its line. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

/** Entries by the first 128 bits of a hash; there may be several of one program. */
export class HashIndex {
  #size = 0;
  #keys = new Uint32Array(0);
  #offsets = new Float64Array(0);
  #lengths = new Uint32Array(0);
  #segments = new Uint16Array(0);
  #slots = new Int32Array(16).fill(-1);

  get size(): number {
    return this.#size;
  }

  /** Makes room for so many more, once instead of by doubling. */
  reserve(more: number): void {
    const wanted = this.#size + more;
    if (wanted > this.#lengths.length) this.#grow(wanted);
    let slots = this.#slots.length;
    while (slots < 2 * wanted) slots *= 2;
    if (slots > this.#slots.length) this.#rehash(slots);
  }

  /** Adds an entry. */
  add(key: Uint32Array, { segment, offset, length }: Place): void {
    if (this.#size === this.#lengths.length) this.#grow(2 * this.#size + 16);
    if (2 * (this.#size + 1) > this.#slots.length) this.#rehash(2 * this.#slots.length);
    const entry = this.#size++;
    for (let i = 0; i < keyWords; i++) this.#keys[keyWords * entry + i] = key[i];
    this.#offsets[entry] = offset;
    this.#lengths[entry] = length;
    this.#segments[entry] = segment;
    this.#insert(entry);
  }

  /**
   * Adds the first `count` records of an index file: a million of them in a fifth of a second, for
   * no object is allocated.
   */
  addRecords({ words, count }: IndexRecords, segment: number): void {
    this.reserve(count);
    for (let i = 0, at = 0; i < count; i++, at += recordWords) {
      const entry = this.#size++;
      for (let k = 0; k < keyWords; k++) this.#keys[keyWords * entry + k] = words[at + k];
      this.#offsets[entry] = words[at + keyWords] + 2 ** 32 * words[at + keyWords + 1];
      this.#lengths[entry] = words[at + keyWords + 2];
      this.#segments[entry] = segment;
      this.#insert(entry);
    }
  }

  /** Places of the entries of a key, oldest first. */
  find(key: Uint32Array): Place[] {
    const found: Place[] = [];
    const mask = this.#slots.length - 1;
    for (let slot = key[0] & mask; this.#slots[slot] >= 0; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot];
      if (this.#isKey(entry, key)) found.push(this.#place(entry));
    }
    return found;
  }

  #isKey(entry: number, key: Uint32Array): boolean {
    for (let i = 0; i < keyWords; i++) {
      if (this.#keys[keyWords * entry + i] !== key[i]) return false;
    }
    return true;
  }

  #place(entry: number): Place {
    const [segment, offset] = [this.#segments[entry], this.#offsets[entry]];
    return { segment, offset, length: this.#lengths[entry] };
  }

  #insert(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#keys[keyWords * entry] & mask;
    while (this.#slots[slot] >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry;
  }

  #rehash(slots: number): void {
    this.#slots = new Int32Array(slots).fill(-1);
    for (let entry = 0; entry < this.#size; entry++) this.#insert(entry);
  }

  #grow(capacity: number): void {
    const [keys, offsets] = [new Uint32Array(keyWords * capacity), new Float64Array(capacity)];
    const [lengths, segments] = [new Uint32Array(capacity), new Uint16Array(capacity)];
    keys.set(this.#keys);
    offsets.set(this.#offsets);
    lengths.set(this.#lengths);
    segments.set(this.#segments);
    [this.#keys, this.#offsets, this.#lengths, this.#segments] = [keys, offsets, lengths, segments];
  }
}

/** The words of a hash in hexadecimal digits. */
export function keyOfHash(hash: string): Uint32Array {
  return Uint32Array.from(
    { length: keyWords },
    (_, i) => parseInt(hash.slice(8 * i, 8 * i + 8), 16),
  );
}
