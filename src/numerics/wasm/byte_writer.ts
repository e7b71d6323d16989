/** Bytes of a WebAssembly module: integers as LEB128, numbers, names. */

const oneNumber = new Float64Array(1);
const itsBytes = new Uint8Array(oneNumber.buffer);

/** Bytes that grow. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  /**
   * Begins with no bytes.
   *
   * @param room how many bytes are expected.
   */
  constructor(room = 64) {
    this.#bytes = new Uint8Array(room);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Bytes written so far, a view of the buffer. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** One byte, 0 to 255. */
  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Bytes as they are. */
  raw(bytes: ArrayLike<number>): void {
    this.#reserve(bytes.length);
    if (bytes.length > 16) this.#bytes.set(bytes, this.#length);
    else for (let i = 0; i < bytes.length; i++) this.#bytes[this.#length + i] = bytes[i];
    this.#length += bytes.length;
  }

  /** LEB128, unsigned. */
  unsigned(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest & 127) | 128);
    this.byte(rest);
  }

  /** LEB128, signed, of 32 bits. */
  signed(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 127;
      rest >>= 7;
      if ((rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0)) {
        return this.byte(low);
      }
      this.byte(low | 128);
    }
  }

  /** A double, little-endian. */
  f64(value: number): void {
    oneNumber[0] = value;
    this.raw(itsBytes);
  }

  /** A name in ASCII, its length before it. */
  text(name: string): void {
    this.unsigned(name.length);
    for (let i = 0; i < name.length; i++) this.byte(name.charCodeAt(i));
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
