/** The launcher as a static ELF executable: a page of code, and room for one plan. */
import { launcherCodeAarch64 } from "./launcher_aarch64.ts";
import { planAddress, planSize } from "./launcher_layout.ts";
import { launcherCodeX86 } from "./launcher_x86_64.ts";
import type { Architecture } from "./syscall_numbers.ts";

const codeAddress = 0x40_0000;
const headerSize = 64;
const segmentSize = 56;
/** Largest page of either processor: segments must not share one. */
const pageSize = 0x1_0000;
const machine: Readonly<Record<Architecture, number>> = { x86_64: 62, aarch64: 183 };
const code: Readonly<Record<Architecture, Uint8Array>> = {
  x86_64: launcherCodeX86,
  aarch64: launcherCodeAarch64,
};

const [executable, writable, readable] = [1, 2, 4];
const [loadSegment, stackSegment] = [1, 0x6474_e551];

/**
 * The bytes of the executable (System V ABI, ELF-64): three segments, no sections, no symbols. It
 * has no library, allocates nothing and decides nothing: everything it does is in the plan.
 */
export function launcherImage(arch: Architecture): Uint8Array<ArrayBuffer> {
  const start = headerSize + 3 * segmentSize;
  const size = start + code[arch].length;
  const image = new Uint8Array(size);
  image.set(elfHeader(machine[arch], codeAddress + start), 0);
  const segments = [
    segment(loadSegment, readable | executable, codeAddress, size, size),
    segment(loadSegment, readable | writable, planAddress, 0, planSize),
    segment(stackSegment, readable | writable, 0, 0, 0),
  ];
  segments.forEach((bytes, i) => image.set(bytes, headerSize + i * segmentSize));
  image.set(code[arch], start);
  return image;
}

function elfHeader(machineNumber: number, entry: number): Uint8Array {
  const bytes = new Uint8Array(headerSize);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // ELF, 64 bits, little-endian, version 1
  view.setUint16(16, 2, true); // an executable at a fixed address
  view.setUint16(18, machineNumber, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(24, BigInt(entry), true);
  view.setBigUint64(32, BigInt(headerSize), true); // where the segments are described
  view.setUint16(52, headerSize, true);
  view.setUint16(54, segmentSize, true);
  view.setUint16(56, 3, true);
  return bytes;
}

function segment(type: number, flags: number, address: number, inFile: number, inMemory: number) {
  const bytes = new Uint8Array(segmentSize);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, flags, true);
  const fields = [0, address, address, inFile, inMemory, type === loadSegment ? pageSize : 16];
  fields.forEach((value, i) => view.setBigUint64(8 + 8 * i, BigInt(value), true));
  return bytes;
}
