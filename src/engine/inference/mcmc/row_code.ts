/** Code that addresses the frame, and rows of states that are pairs of lanes padded with zeros. */
import {
  FunctionBody,
  type FunctionType,
  type LocalIndex as Local,
} from "../../../numerics/wasm/mod.ts";
import { frame, type FunctionName, functionTypes, numberOf } from "./tree_frame.ts";

/** A place in a row: bytes from its beginning, beside those in a variable. */
interface Place {
  readonly local?: Local;
  readonly bytes: number;
}

/** A pair of elements, in a row of states and in the row of a matrix that lies at an address. */
interface Pair {
  readonly place: Place;
  readonly inRow: Place;
}

/** Code for the row of a matrix whose diagonal is at a place. */
type RowBody = (row: Local, at: Place, pairs: (over: (k: Pair) => void) => void) => void;

/** Code that addresses the frame and rows of states. */
export class RowCode extends FunctionBody {
  /**
   * @param stride bytes of a row, if loops over it are to be written out; otherwise 0.
   * @param name the function whose body this is.
   */
  constructor(readonly stride: number, name: FunctionName) {
    const { parameters, results }: FunctionType = functionTypes[name];
    super(parameters, results);
  }

  /** Calls another function of the module. */
  callOwn(name: FunctionName): this {
    return this.call(numberOf(name), functionTypes[name]);
  }

  /** A new variable that holds the bytes of a row. */
  rowBytes(): Local {
    return (this.stride > 0 ? this.i32(this.stride) : this.word(frame.stride)).holdWord();
  }

  /** Pushes the address of a place. */
  address(row: Local, { local }: Place): this {
    return local === undefined ? this.get(row) : this.get(row, local).op("i32.add");
  }

  /** Pushes a word of the frame. */
  word(address: number): this {
    return this.i32(0).loadIndex(address);
  }

  /** Pushes a number of the frame. */
  value(address: number): this {
    return this.i32(0).loadNumber(address);
  }

  /** A new variable for the address of a row: base + slot · stride. */
  row(base: number, slot: Local, stride: Local): Local {
    const local = this.local("i32");
    this.word(base).get(slot, stride).op("i32.mul", "i32.add").set(local);
    return local;
  }

  /** Pushes two elements of a row. */
  two(row: Local, at: Place): this {
    return this.address(row, at).load(at.bytes);
  }

  /** Stores two elements, which `push` pushes, into a row. */
  storeTwo(row: Local, at: Place, push: () => void): this {
    this.address(row, at);
    push();
    return this.store(at.bytes);
  }

  /** Runs `body` for every pair of elements of a row. */
  pairs(body: (at: Place) => void): this {
    if (this.stride > 0) {
      for (let bytes = 0; bytes < this.stride; bytes += 16) body({ bytes });
      return this;
    }
    const first = this.i32(0).holdWord();
    return this.pairsFrom(first, this.rowBytes(), body);
  }

  /** Runs `body` for every pair from `local`, which moves on, to below `end` bytes. */
  pairsFrom(local: Local, end: Local, body: (at: Place) => void): this {
    return this.asLongAs(() => this.get(local, end).op("i32.lt_u"), () => {
      body({ local, bytes: 0 });
      this.get(local).i32(16).op("i32.add").set(local);
    });
  }

  /**
   * Runs `body` for every row of a matrix, with what runs over its pairs up to that of the diagonal,
   * or from there on.
   */
  rows(
    matrix: number,
    stride: Local,
    part: "below" | "above",
    body: RowBody,
  ): void {
    const row = this.word(matrix).holdWord();
    if (this.stride > 0) return this.#writtenRows(row, part, body);
    const at = this.i32(0).holdWord();
    this.asLongAs(() => this.get(at, stride).op("i32.lt_u"), () => {
      const diagonal = this.get(at).i32(-16).op("i32.and").holdWord();
      body(row, { local: at, bytes: 0 }, (over) => {
        const first = part === "below" ? this.i32(0).holdWord() : diagonal;
        const end = part === "below" ? this.get(diagonal).i32(16).op("i32.add").holdWord() : stride;
        this.pairsFrom(first, end, (place) => over({ place, inRow: place }));
      });
      this.get(row, stride).op("i32.add").set(row);
      this.get(at).i32(8).op("i32.add").set(at);
    });
  }

  #writtenRows(row: Local, part: "below" | "above", body: RowBody): void {
    for (let at = 0, begin = 0; at < this.stride; at += 8, begin += this.stride) {
      const diagonal = at & -16;
      const [first, last] = part === "below" ? [0, diagonal] : [diagonal, this.stride - 16];
      body(row, { bytes: at }, (over) => {
        for (let bytes = first; bytes <= last; bytes += 16) {
          over({ place: { bytes }, inRow: { bytes: begin + bytes } });
        }
      });
    }
  }

  /** A new variable that holds the word on the stack. */
  holdWord(): Local {
    const local = this.local("i32");
    this.set(local);
    return local;
  }

  /** Stores the word in a variable into the frame. */
  putWord(address: number, local: Local): this {
    return this.i32(0).get(local).storeIndex(address);
  }

  /** Stores the number in a variable into the frame. */
  putNumber(address: number, local: Local): this {
    return this.i32(0).get(local).storeNumber(address);
  }

  /** Pushes the sum of both lanes. */
  total(sum: Local): this {
    return this.get(sum).extract(0).get(sum).extract(1).op("f64.add");
  }
}
