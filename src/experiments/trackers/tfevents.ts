/** Event files of TensorBoard: TFRecord frames of `Event` messages (tensorflow/core/util/event.proto). */
import { ProtoBytes } from "./protobuf.ts";

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
  const writer = new ProtoBytes();
  frame(writer, () => {
    writer.double(1, wall);
    writer.text(3, "brain.Event:2");
  });
  for (const { tag, step, value, wall } of scalars) {
    frame(writer, () => {
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

/** Length, its checksum, the message, its checksum. */
function frame(writer: ProtoBytes, write: () => void): void {
  writer.framed([12, 4], write, (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length - 4;
    view.setUint32(0, end - 12, true);
    view.setUint32(4, 0, true);
    view.setUint32(8, masked(bytes, 0, 8), true);
    view.setUint32(end, masked(bytes, 12, end), true);
  });
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
