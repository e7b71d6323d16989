/** Attention of rows that follow each other to the keys before them and their own. */
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import type { DecoderMemory } from "./decoder_memory.ts";

/** Heads of consecutive rows that share keys. */
interface HeadsOfRows {
  /** The first head of the first row; rows lie `wide` numbers apart, heads side by side. */
  readonly query: number;
  /** `[before + count, size]`, as are `values`. */
  readonly keys: number;
  readonly values: number;
  /** Address of the results, in the layout of `query`. */
  readonly attended: number;
  readonly wide: number;
  readonly size: number;
  /** Positions before the first row. */
  readonly before: number;
  readonly count: number;
  /** Heads. */
  readonly group: number;
}

/** Rows at a time: keys behind them are not multiplied. */
const blockRows = 32;

/** Each row attends to the rows before it and to itself; its bits do not depend on the others. */
export function attendRows(memory: DecoderMemory, heads: HeadsOfRows): void {
  const { query, keys, values, attended, size, before, count, group } = heads;
  const scale = 1 / Math.sqrt(size);
  if (count === 1) {
    const scratch = memory.allocate(before + 4);
    const sizes = [before + 1, group, size, scratch];
    memory.kernels.attendOne(query, keys, values, ...sizes, attended, scale);
    return memory.free(scratch);
  }
  const scores = memory.allocate(Math.min(blockRows, count) * roundUp(before + count, 4));
  for (let head = 0; head < group; head++) attendHead(memory, heads, head, scores, scale);
  memory.free(scores);
}

function attendHead(
  { kernels }: DecoderMemory,
  { query, keys, values, attended, wide, size, before, count }: HeadsOfRows,
  head: number,
  scores: number,
  scale: number,
): void {
  const stride = roundUp(before + count, 4);
  const square = [scores, 4 * stride];
  for (let begin = 0; begin < count; begin += blockRows) {
    const rows = Math.min(blockRows, count - begin);
    const seen = before + begin + rows;
    const first = 4 * (begin * wide + head * size);
    kernels.dotTiles(query + first, 4 * wide, keys, 4 * size, ...square, rows, seen, size);
    kernels.softmaxChunk(...square, rows, before + begin + 1, scale);
    kernels.mixRows(...square, values, 4 * size, attended + first, 4 * wide, rows, size, seen);
  }
}
