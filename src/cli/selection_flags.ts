/** Flags that select stages of a pipeline: `--only`, `--from`, `--to`, `--force`, `--keep-going`. */
import type { Selection } from "../pipeline/plan/mod.ts";

/** Values of the flags, as commander reads them. */
interface SelectionFlags {
  readonly only?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly force?: readonly string[];
  readonly keepGoing?: boolean;
}

/** Each flag with its help; names are separated by commas. */
export const selectionFlags: readonly (readonly [flag: string, help: string])[] = [
  ["--only <stages>", "run only these; their inputs must be in the cache"],
  ["--from <stages>", "run these and all stages that depend on them"],
  ["--to <stages>", "run these and all stages that they need"],
  ["--force <stages>", "recompute these despite the cache, or all"],
];

/** Names separated by commas; the flag may be given again. */
export function stageNames(text: string, before: readonly string[] | undefined): string[] {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  return [...before ?? [], ...names];
}

/** The selection, or undefined where no flag selects anything. */
export function selectionOf({ only, from, to, force }: SelectionFlags): Selection | undefined {
  return only || from || to || force ? { only, from, to, force } : undefined;
}
