/** Attention of rows that follow each other to the keys before them and their own. */
import { roundUp } from "../../wasm/kernels/array_memory.ts";
import type { DecoderMemory } from "./decoder_memory.ts";

/** One head of consecutive rows. */
export interface HeadOfRows {
  /** Of the first row; rows lie `wide` numbers apart. */
  readonly query: number;
  /** `[before + count, size]`, as are `values`. */
  readonly keys: number;
  readonly values: number;
  /** Where results go; rows lie as those of `query`. */
  readonly attended: number;
  readonly wide: number;
  readonly size: number;
  /** Positions before the first row. */
  readonly before: number;
  readonly count: number;
}

/** Rows at a time: keys behind them are not multiplied. */
const blockRows = 32;

/** Each row attends to what comes before it and to itself. */
export function attendRows(memory: DecoderMemory, head: HeadOfRows): void {
  const { query, keys, values, attended, wide, size, before, count } = head;
  const stride = roundUp(before + count, 4);
  const scores = memory.allocate(Math.min(blockRows, count) * stride);
  const { kernels } = memory;
  for (let begin = 0; begin < count; begin += blockRows) {
    const rows = Math.min(blockRows, count - begin);
    const seen = before + begin + rows;
    const first = 4 * begin * wide;
    const square = [scores, 4 * stride];
    kernels.dotTiles(query + first, 4 * wide, keys, 4 * size, ...square, rows, seen, size);
    kernels.softmaxChunk(...square, rows, before + begin + 1, 1 / Math.sqrt(size));
    kernels.mixRows(...square, values, 4 * size, attended + first, 4 * wide, rows, size, seen);
  }
  memory.free(scores);
}
