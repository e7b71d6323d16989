/** Block types of GGUF: numbers and bytes of a block, and its decoding. */
import { fromBrainFloats, fromHalves, halves } from "./half_floats.ts";

// Layouts are those of ggml (ggml-common.h, ggml-quants.c, `dequantize_row_…`). A block's numbers
// are products of a half and small integers, plus at most one half: exact in double precision, and
// rounded once when they are stored.

/** One type. */
export interface BlockType {
  readonly name: string;
  /** Numbers of a block. */
  readonly count: number;
  /** Bytes of a block. */
  readonly bytes: number;
  /** Writes the numbers of whole blocks. */
  readonly decode: (blocks: Uint8Array, out: Float32Array) => void;
}

type DecodeBlock = (blocks: Uint8Array, at: number, out: Float32Array, to: number) => void;

function blockType(name: string, count: number, bytes: number, one: DecodeBlock): BlockType {
  const decode = (blocks: Uint8Array, out: Float32Array) => {
    for (let at = 0, to = 0; to < out.length; at += bytes, to += count) one(blocks, at, out, to);
  };
  return { name, count, bytes, decode };
}

function halfAt(blocks: Uint8Array, at: number): number {
  return halves()[blocks[at] | blocks[at + 1] << 8];
}

/** Signed byte. */
const signed = (byte: number) => byte << 24 >> 24;

const decodeQ40: DecodeBlock = (blocks, at, out, to) => {
  const scale = halfAt(blocks, at);
  for (let i = 0; i < 16; i++) {
    const pair = blocks[at + 2 + i];
    out[to + i] = scale * ((pair & 15) - 8);
    out[to + i + 16] = scale * ((pair >> 4) - 8);
  }
};

const decodeQ41: DecodeBlock = (blocks, at, out, to) => {
  const [scale, least] = [halfAt(blocks, at), halfAt(blocks, at + 2)];
  for (let i = 0; i < 16; i++) {
    const pair = blocks[at + 4 + i];
    out[to + i] = scale * (pair & 15) + least;
    out[to + i + 16] = scale * (pair >> 4) + least;
  }
};

const decodeQ80: DecodeBlock = (blocks, at, out, to) => {
  const scale = halfAt(blocks, at);
  for (let i = 0; i < 32; i++) out[to + i] = scale * signed(blocks[at + 2 + i]);
};

/** Scale and least of sub-block j, six bits each, packed into twelve bytes. */
function scaleAndLeast(blocks: Uint8Array, at: number, j: number): readonly [number, number] {
  if (j < 4) return [blocks[at + j] & 63, blocks[at + j + 4] & 63];
  const both = blocks[at + j + 4];
  const scale = both & 15 | blocks[at + j - 4] >> 6 << 4;
  return [scale, both >> 4 | blocks[at + j] >> 6 << 4];
}

const decodeQ4K: DecodeBlock = (blocks, at, out, to) => {
  const [scale, least] = [halfAt(blocks, at), halfAt(blocks, at + 2)];
  for (let pair = 0; pair < 4; pair++) {
    const [lowScale, lowLeast] = scaleAndLeast(blocks, at + 4, 2 * pair);
    const [highScale, highLeast] = scaleAndLeast(blocks, at + 4, 2 * pair + 1);
    for (let i = 0; i < 32; i++) {
      const byte = blocks[at + 16 + 32 * pair + i];
      out[to + 64 * pair + i] = scale * lowScale * (byte & 15) - least * lowLeast;
      out[to + 64 * pair + i + 32] = scale * highScale * (byte >> 4) - least * highLeast;
    }
  }
};

const decodeQ6K: DecodeBlock = (blocks, at, out, to) => {
  const scale = halfAt(blocks, at + 208);
  for (let half = 0; half < 2; half++) {
    const [low, high] = [at + 64 * half, at + 128 + 32 * half];
    for (let i = 0; i < 32; i++) {
      const [a, b, c] = [blocks[low + i], blocks[low + i + 32], blocks[high + i]];
      const sixes = [
        a & 15 | (c & 3) << 4,
        b & 15 | (c >> 2 & 3) << 4,
        a >> 4 | (c >> 4 & 3) << 4,
        b >> 4 | c >> 6 << 4,
      ];
      for (let part = 0; part < 4; part++) {
        const own = signed(blocks[at + 192 + 8 * half + 2 * part + (i >> 4)]);
        out[to + 128 * half + 32 * part + i] = scale * own * (sixes[part] - 32);
      }
    }
  }
};

function decodeF32(blocks: Uint8Array, out: Float32Array): void {
  new Uint8Array(out.buffer, out.byteOffset, out.byteLength).set(blocks);
}

/** Types by their number in the file (ggml.h, `enum ggml_type`). */
export const blockTypes: ReadonlyMap<number, BlockType> = new Map([
  [0, { name: "F32", count: 1, bytes: 4, decode: decodeF32 }],
  [1, { name: "F16", count: 1, bytes: 2, decode: fromHalves }],
  [2, blockType("Q4_0", 32, 18, decodeQ40)],
  [3, blockType("Q4_1", 32, 20, decodeQ41)],
  [8, blockType("Q8_0", 32, 34, decodeQ80)],
  [12, blockType("Q4_K", 256, 144, decodeQ4K)],
  [14, blockType("Q6_K", 256, 210, decodeQ6K)],
  [30, { name: "BF16", count: 1, bytes: 2, decode: fromBrainFloats }],
]);

/** Names of the types that are read, for messages. */
export const blockTypeNames: string = [...blockTypes.values()].map(({ name }) => name).join(", ");
