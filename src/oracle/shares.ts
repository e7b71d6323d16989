/** What a batch took, shared among its calls by their tokens. */
import type { OracleCall } from "./oracle.ts";

/** Seconds of each call. */
export function sharesOf(calls: readonly OracleCall[], seconds: number): number[] {
  const tokens = calls.map(({ prompt_ids, ids }) => prompt_ids.length + ids.length);
  const all = tokens.reduce((sum, one) => sum + one, 0);
  return tokens.map((one) => seconds * one / all);
}
