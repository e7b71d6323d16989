/** Event files of TensorBoard: TFRecord frames of `Event` messages (tensorflow/core/util/event.proto). */

/** A scalar of a tag. */
interface Scalar {
  readonly tag: string;
  readonly step: number;
  readonly value: number;
  /** Seconds since 1970. */
  readonly wall: number;
}

/** The bytes of an event file: its version, then each scalar in order. */
export function eventFile(scalars: readonly Scalar[], wall: number): Uint8Array {
  const writer = new Bytes();
  writer.frame(() => {
    writer.double(1, wall);
    writer.text(3, "brain.Event:2");
  });
  for (const { tag, step, value, wall } of scalars) {
    writer.frame(() => {
      writer.double(1, wall);
      writer.varint(2, step);
      writer.nested(5, () =>
        writer.nested(1, () => {
          writer.text(1, tag);
          writer.float(2, value);
        }));
    });
  }
  return writer.taken();
}

/** Bytes that grow: fields of protocol buffers, and frames around them. */
class Bytes {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  /** Length, its checksum, the message, its checksum. */
  frame(write: () => void): void {
    this.#room(12);
    const start = this.#at;
    this.#at += 12;
    write();
    const length = this.#at - start - 12;
    this.#view.setUint32(start, length, true);
    this.#view.setUint32(start + 4, 0, true);
    this.#view.setUint32(start + 8, masked(this.#bytes, start, start + 8), true);
    this.#room(4);
    this.#view.setUint32(this.#at, masked(this.#bytes, start + 12, this.#at), true);
    this.#at += 4;
  }

  /** A message within one; shorter than 128 bytes, as tags are, its length is moved in at once. */
  nested(field: number, write: () => void): void {
    this.#tag(field, 2);
    const start = this.#at;
    write();
    const length = this.#at - start;
    const size = length < 128 ? 1 : length < 16_384 ? 2 : 3;
    this.#room(size);
    this.#bytes.copyWithin(start + size, start, this.#at);
    this.#at = start;
    this.#number(length);
    this.#at += length;
  }

  text(field: number, text: string): void {
    const bytes = encode(text);
    this.#tag(field, 2);
    this.#number(bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  varint(field: number, value: number): void {
    this.#tag(field, 0);
    this.#number(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, 1);
    this.#room(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  float(field: number, value: number): void {
    this.#tag(field, 5);
    this.#room(4);
    this.#view.setFloat32(this.#at, value, true);
    this.#at += 4;
  }

  #tag(field: number, wire: number): void {
    this.#number(field * 8 + wire);
  }

  #number(value: number): void {
    this.#room(10);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = rest % 128 + 128;
    this.#bytes[this.#at++] = rest;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const known = new Map<string, Uint8Array>();

/** Tags repeat: each is encoded once. */
function encode(text: string): Uint8Array {
  const found = known.get(text) ?? new TextEncoder().encode(text);
  known.set(text, found);
  return found;
}

/** CRC-32C (Castagnoli, RFC 3720), by a table. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** The checksum of a range, rotated and shifted as TFRecord wants it. */
function masked(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffffffff;
  for (let i = from; i < to; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  crc = (crc ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
