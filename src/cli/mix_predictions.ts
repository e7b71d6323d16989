/** Draws from the mixture of what several programs predict at new rows. */
import { InputError } from "../base/diagnostic.ts";
import type { ExecutionOutcome } from "../executor/worker_process.ts";

/** A mixture's draws. */
export interface Mixed {
  /** `[draws, rows]`. */
  readonly draws: Float64Array;
  /** Share of each program that was mixed in; 0 for those left out, the others normalised. */
  readonly shares: readonly number[];
  /** Why programs were left out. */
  readonly left: readonly string[];
}

/** Predicts by a worker: draws `[draws, rows]` of a program as bytes, or why there are none. */
export type PredictOne = (text: string) => Promise<ExecutionOutcome>;

/**
 * Takes each program's share of `draws` from its own draws at so many new rows. Programs that cannot
 * be carried over to new rows are left out, and the others share their weight.
 *
 * @throws InputError, if no program can predict there.
 */
export async function mixPredictions(
  texts: readonly string[],
  shares: readonly number[],
  rows: number,
  draws: number,
  predictOne: PredictOne,
): Promise<Mixed> {
  const found = await Promise.all(
    texts.map(async (text, k) => shares[k] > 0 ? predictionsOf(await predictOne(text), rows) : ""),
  );
  const left = found.flatMap((one, k) =>
    typeof one === "string" && one !== "" ? [`program ${k + 1} is left out: ${one}`] : []
  );
  const own = found.map((one) => typeof one === "string" ? undefined : one);
  const total = shares.reduce((sum, share, k) => sum + (own[k] ? share : 0), 0);
  if (!(total > 0)) {
    const message = "Cannot predict: no program can predict the new rows";
    throw new InputError([{ code: "predict/none", severity: "error", message, hint: left[0] }]);
  }
  const kept = shares.map((share, k) => own[k] ? share / total : 0);
  return { draws: mixture(own, kept, draws, rows), shares: kept, left };
}

/** Predictive draws `[draws, rows]` of one program, or why there are none. */
function predictionsOf({ execution, payload }: ExecutionOutcome, rows: number) {
  const [first] = execution.diagnostics.filter(({ severity }) => severity === "error");
  if (!payload) return first?.message ?? "it gave no draws";
  if (payload.length === 0 || payload.length % (8 * rows) !== 0) return "its draws are incomplete";
  return new Float64Array(payload.slice().buffer);
}

/** Each program's share of the draws, spread evenly over its own. */
function mixture(
  found: readonly (Float64Array | undefined)[],
  shares: readonly number[],
  draws: number,
  rows: number,
): Float64Array {
  const out = new Float64Array(draws * rows);
  let used = 0;
  let reached = 0;
  for (const [k, own] of found.entries()) {
    if (!own) continue;
    reached += shares[k];
    const until = Math.min(draws, Math.round(reached * draws));
    const count = own.length / rows;
    for (let s = used; s < until; s++) {
      const from = Math.floor((s - used + 0.5) * count / (until - used)) % count;
      out.set(own.subarray(from * rows, (from + 1) * rows), s * rows);
    }
    used = until;
  }
  return out.subarray(0, used * rows);
}
