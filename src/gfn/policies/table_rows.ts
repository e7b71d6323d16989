/** The rows of a table policy by the key of their state, all in f64. */
import type { NamedTensor } from "../../base/safetensors.ts";
import { findTensor } from "./optimizer_file.ts";

/** Row of a table for one state. */
export interface Row {
  readonly key: string;
  readonly parameters: Float64Array;
  readonly gradient: Float64Array;
}

/** Compares keys in order of UTF-16 code units. */
const byKey = (a: Row, b: Row): number => a.key < b.key ? -1 : 1;

/** Rows appear when a gradient first reaches their state. */
export class TableRows {
  readonly #rows = new Map<string, Row>();
  #sorted: readonly Row[] = [];

  /** @param width Numbers of a row. */
  constructor(readonly width: number) {}

  /** Number of rows. */
  get size(): number {
    return this.#rows.size;
  }

  /** The row of a state, if it has one. */
  known(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** The row of a state, a new one if it has none. */
  row(key: string): Row {
    let row = this.#rows.get(key);
    if (!row) {
      const zeros = () => new Float64Array(this.width);
      row = { key, parameters: zeros(), gradient: zeros() };
      this.#rows.set(key, row);
    }
    return row;
  }

  /** Rows by key, so that neither bytes nor sums depend on the order of visits. */
  inOrder(): readonly Row[] {
    if (this.#sorted.length !== this.#rows.size) {
      this.#sorted = [...this.#rows.values()].sort(byKey);
    }
    return this.#sorted;
  }

  /** `[rows, longest]`: the UTF-16 code units of the keys, padded with −1. */
  keyTensor(): NamedTensor {
    const rows = this.inOrder();
    const longest = rows.reduce((max, { key }) => Math.max(max, key.length), 0);
    const values = new Int32Array(rows.length * longest).fill(-1);
    rows.forEach(({ key }, i) => {
      for (let c = 0; c < key.length; c++) values[i * longest + c] = key.charCodeAt(c);
    });
    return { name: "keys", shape: [rows.length, longest], values };
  }

  /** `[rows, width]`: something of every row. */
  stack(name: string, part: (row: Row) => ArrayLike<number>): NamedTensor {
    const rows = this.inOrder();
    const values = new Float64Array(rows.length * this.width);
    rows.forEach((row, i) => values.set(part(row), i * this.width));
    return { name, shape: [rows.length, this.width], values };
  }

  /** Distributes the arrays of `stack` to the rows, with new rows where there are none. */
  unstack(
    tensors: readonly NamedTensor[],
    name: string,
    put: (row: Row, values: Float64Array) => void,
  ): void {
    const { shape: [count, longest], values: units } = findTensor(tensors, "keys");
    const values = findTensor(tensors, name).values as Float64Array;
    for (let i = 0; i < count; i++) {
      const key = units.subarray(i * longest, (i + 1) * longest).filter((u) => u >= 0);
      const row = this.row(String.fromCharCode(...key));
      put(row, values.subarray(i * this.width, (i + 1) * this.width));
    }
  }
}
