/** Rows that are known by the tokens that lead to them; copies of a model may share them. */

/** Bytes that are kept by default. */
const mostBytes = 128 << 20;

/**
 * Rows `[width]` by paths of tokens. A path is the place of the one without its last token, and that
 * token; places are given once and stay.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RememberedRows } from "./remembered_rows.ts";
 * const rows = new RememberedRows(2);
 * const five = rows.remember("", 5, Float32Array.of(1, 2));
 * assert.equal(rows.placeOf("", 5), five);
 * assert.equal(rows.placeOf(five, 6), -1);
 * assert.deepEqual([...rows.at(five)], [1, 2]);
 * ```
 */
export class RememberedRows {
  /** Places of known paths, by parent and last token, joined. */
  readonly #places = new Map<string, number>();
  #rows: Float32Array;

  /**
   * Rows of `width` numbers in single precision.
   *
   * @param limitBytes Bytes that rows may take, about; rows beyond are not kept.
   */
  constructor(readonly width: number, readonly limitBytes: number = mostBytes) {
    this.#rows = new Float32Array(1024 * width);
  }

  /** Where a row is; −1 if it is not known. @param parent A place, or `""` before the first token. */
  placeOf(parent: number | "", id: number): number {
    return parent === -1 ? -1 : this.#places.get(`${parent} ${id}`) ?? -1;
  }

  /** The row at a place, good until the next one is kept. */
  at(place: number): Float32Array {
    return this.#rows.subarray(place * this.width, (place + 1) * this.width);
  }

  /** Keeps a row if there is room and it is not known; its place, or −1. */
  remember(parent: number | "", id: number, row: Float32Array): number {
    const known = this.placeOf(parent, id);
    if (known >= 0 || parent === -1) return known;
    const place = this.#places.size;
    if (!this.#room(place)) return -1;
    this.#places.set(`${parent} ${id}`, place);
    this.#rows.set(row, place * this.width);
    return place;
  }

  /** Whether there is room for one more row; there is more of it where the limit allows. */
  #room(place: number): boolean {
    if ((place + 1) * this.width <= this.#rows.length) return true;
    if (4 * 2 * this.#rows.length > this.limitBytes) return false;
    const larger = new Float32Array(2 * this.#rows.length);
    larger.set(this.#rows);
    this.#rows = larger;
    return true;
  }
}
