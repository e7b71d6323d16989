/** Shares the cost of a batch among its calls by their tokens. */
import type { OracleCall } from "./oracle.ts";

/** Seconds of CPU time that this process has taken. */
export function cpuSeconds(): number {
  const { cpuUsage } = Deno as unknown as { cpuUsage(): { user: number; system: number } };
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

/** Seconds of each call. */
export function sharesOf(calls: readonly OracleCall[], seconds: number): number[] {
  const tokens = calls.map(({ prompt_ids, ids }) => prompt_ids.length + ids.length);
  const all = tokens.reduce((sum, one) => sum + one, 0);
  return tokens.map((one) => seconds * one / all);
}
