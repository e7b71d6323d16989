/** Where everything of one plan lies in memory: constants and tables first, then values. */
import type { NodeId } from "../../../language/ir/node.ts";
import { broadcastIndex, type Shape } from "../../../language/ir/shape.ts";
import { reservedBytes } from "../../../../numerics/wasm/mod.ts";
import type { Roles } from "./schedule.ts";

/** Sixteen bytes of zeros, which a missing element is read from. */
export const zeroAddress = 0;
/** Sixteen bytes that are never read. */
export const wasteAddress = 16;

/** Something that has to be in memory before a task runs. */
interface Fixed {
  readonly address: number;
  readonly values: Float64Array | Int32Array;
}

/** Gives out addresses, in bytes; arrays of odd length are followed by a copy of their last. */
export class MemoryMap {
  readonly fixed: Fixed[] = [];
  readonly #addresses = new Map<NodeId, number>();
  readonly #tables = new Map<string, number>();
  readonly #matrices: { readonly address: number; readonly values: Float64Array }[] = [];
  #end = reservedBytes;

  constructor(readonly roles: Roles) {}

  /** How many bytes there are. */
  get size(): number {
    return this.#end;
  }

  /** Address of the elements of a node. */
  of(id: NodeId): number {
    const source = this.roles.resolve(id);
    const known = this.#addresses.get(source);
    if (known !== undefined) return known;
    const node = this.roles.nodes[source];
    const address = node.kind === "constant"
      ? this.#fix(paired(node.values))
      : this.#room(8 * this.roles.size(source));
    this.#addresses.set(source, address);
    return address;
  }

  /** Address of a table of the byte addresses of elements of `source`; −1 is a zero, or waste. */
  table(source: NodeId, index: Int32Array, missing: number): number {
    const key = `${this.roles.resolve(source)} ${missing} ${this.#indexKey(index)}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const base = this.of(source);
    const odd = index.length & 1;
    const table = new Int32Array(index.length + odd);
    for (let i = 0; i < index.length; i++) table[i] = index[i] < 0 ? missing : base + 8 * index[i];
    if (odd) table[index.length] = missing === wasteAddress ? missing : table[index.length - 1];
    const address = this.#fix(table);
    this.#tables.set(key, address);
    return address;
  }

  readonly #indices = new Map<Int32Array, number>();
  #indexKey(index: Int32Array): number {
    const known = this.#indices.get(index);
    if (known !== undefined) return known;
    this.#indices.set(index, this.#indices.size);
    return this.#indices.size - 1;
  }

  readonly #broadcasts = new Map<string, Int32Array>();
  /** Address of the table by which a node is read under a larger shape. */
  broadcastTable(source: NodeId, to: Shape): number {
    const from = this.roles.nodes[source].shape;
    const key = `${from}|${to}`;
    const index = this.#broadcasts.get(key) ?? broadcastIndex(from, to);
    this.#broadcasts.set(key, index);
    return this.table(source, index, zeroAddress);
  }

  /** Address of data `[rows, columns]` column by column, each of them padded to an even length. */
  columns(values: Float64Array, rows: number, columns: number): number {
    const stride = rows + (rows & 1);
    const turned = new Float64Array(stride * columns);
    for (let j = 0; j < columns; j++) {
      for (let i = 0; i < stride; i++) {
        turned[j * stride + i] = values[Math.min(i, rows - 1) * columns + j];
      }
    }
    return this.#matrix(turned);
  }

  /** Address of columns from data whose rows are such columns. */
  columnsOfTransposed(values: Float64Array, columns: number, rows: number): number {
    const stride = rows + (rows & 1);
    const padded = new Float64Array(stride * columns);
    for (let j = 0; j < columns; j++) {
      for (let i = 0; i < stride; i++) {
        padded[j * stride + i] = values[j * rows + Math.min(i, rows - 1)];
      }
    }
    return this.#matrix(padded);
  }

  /** A matrix and its transpose in the adjoint lie in one place. */
  #matrix(values: Float64Array): number {
    const same = this.#matrices.find((one) =>
      one.values.length === values.length && one.values.every((x, i) => Object.is(x, values[i]))
    );
    if (same) return same.address;
    const address = this.#fix(values);
    this.#matrices.push({ address, values });
    return address;
  }

  #fix(values: Float64Array | Int32Array): number {
    const address = this.#room(values.byteLength);
    this.fixed.push({ address, values });
    return address;
  }

  #room(bytes: number): number {
    const address = this.#end;
    this.#end += Math.ceil(bytes / 16) * 16;
    return address;
  }
}

/** An array of even length. */
function paired(values: Float64Array): Float64Array {
  if ((values.length & 1) === 0) return values;
  const longer = new Float64Array(values.length + 1);
  longer.set(values);
  longer[values.length] = values[values.length - 1];
  return longer;
}
