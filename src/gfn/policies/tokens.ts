/** A batch as a decoder reads it: the action before each state, row behind row without padding. */
import type { Tokens } from "../kernels/decoder.ts";
import type { Batch } from "../trajectories/trajectory.ts";

/** The tokens of some trajectories of a batch; the token before the first action is `A`. */
export function tokensOf(batch: Batch, begin: number, end: number): Tokens {
  const lengths = batch.lengths.subarray(begin, end);
  const count = lengths.reduce((sum, length) => sum + length, 0);
  const [actions, positions] = [new Int32Array(count), new Int32Array(count)];
  const sequences: { begin: number; length: number }[] = [];
  let at = 0;
  for (let b = begin; b < end; b++) {
    sequences.push({ begin: at, length: batch.lengths[b] });
    for (let t = 0; t < batch.lengths[b]; t++, at++) {
      actions[at] = t === 0 ? batch.A : batch.actions[b * batch.T + t - 1];
      positions[at] = t;
    }
  }
  return { actions, positions, sequences };
}

/** `[B, T]`: where each state stands among the tokens of the whole batch; −1 for padding. */
export function tokenRows({ B, T, lengths }: Batch): Int32Array {
  const rows = new Int32Array(B * T).fill(-1);
  let at = 0;
  for (let b = 0; b < B; b++) for (let t = 0; t < lengths[b]; t++) rows[b * T + t] = at++;
  return rows;
}
