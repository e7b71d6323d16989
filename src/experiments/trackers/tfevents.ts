/** Event files of TensorBoard: TFRecord frames of `Event` messages (tensorflow/core/util/event.proto). */

/** Scalars of a tag; the arrays are of one length. */
interface Scalars {
  readonly tag: string;
  readonly steps: readonly number[];
  readonly values: readonly number[];
  /** Seconds since 1970. */
  readonly walls: readonly number[];
}

/** Bytes of a frame around its message, and of a scalar's message beside its tag at most. */
const [head, tail, beside] = [12, 4, 48];

/** The bytes of an event file: its version, then the scalars, tag by tag. */
export function eventFile(series: readonly Scalars[], wall: number): Uint8Array {
  const tags = series.map(({ tag }) => new TextEncoder().encode(tag));
  const room = series.map(({ steps }, i) => steps.length * (head + tail + beside + tags[i].length));
  const file = new EventBytes(room.reduce((a, b) => a + b, 64));
  file.version(wall);
  series.forEach(({ steps, values, walls }, at) => {
    for (let i = 0; i < steps.length; i++) file.scalar(tags[at], steps[i], values[i], walls[i]);
  });
  return file.taken();
}

/** Frames, written byte by byte: runs that go on are exported, and pay for each number. */
class EventBytes {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  version(wall: number): void {
    const start = this.#begin(wall);
    this.#text(0x1a, new TextEncoder().encode("brain.Event:2")); // field 3
    this.#end(start);
  }

  scalar(tag: Uint8Array, step: number, value: number, wall: number): void {
    const start = this.#begin(wall);
    this.#bytes[this.#at++] = 0x10; // field 2, the step
    this.#number(step);
    const inner = 1 + sizeOf(tag.length) + tag.length + 5; // of Summary.Value: tag and value
    this.#bytes[this.#at++] = 0x2a; // field 5, the summary
    this.#number(1 + sizeOf(inner) + inner);
    this.#bytes[this.#at++] = 0x0a; // its first value
    this.#number(inner);
    this.#text(0x0a, tag);
    this.#bytes[this.#at++] = 0x15; // field 2, a float
    this.#view.setFloat32(this.#at, value, true);
    this.#at += 4;
    this.#end(start);
  }

  /** Leaves room for the header of a message, and writes its time. */
  #begin(wall: number): number {
    const start = this.#at;
    this.#at += head;
    this.#bytes[this.#at++] = 0x09; // field 1, a double
    this.#view.setFloat64(this.#at, wall, true);
    this.#at += 8;
    return start;
  }

  /** Length, its checksum, the message, its checksum. */
  #end(start: number): void {
    const end = this.#at;
    this.#view.setUint32(start, end - start - head, true);
    this.#view.setUint32(start + 4, 0, true);
    this.#view.setUint32(start + 8, masked(this.#bytes, start, start + 8), true);
    this.#view.setUint32(end, masked(this.#bytes, start + head, end), true);
    this.#at += tail;
  }

  #text(field: number, text: Uint8Array): void {
    this.#bytes[this.#at++] = field;
    this.#number(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.#at++] = text[i];
  }

  #number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = rest % 128 + 128;
    this.#bytes[this.#at++] = rest;
  }
}

/** Bytes of a number in base 128. */
function sizeOf(value: number): number {
  return value < 128 ? 1 : 1 + sizeOf(Math.floor(value / 128));
}

/** CRC-32C (Castagnoli, RFC 3720), by a table. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** The checksum of a range, rotated and shifted as TFRecord wants it. */
function masked(bytes: Uint8Array, from: number, to: number): number {
  let crc = -1;
  for (let i = from; i < to; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  crc = (crc ^ -1) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
