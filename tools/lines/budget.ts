/** Compares the size of each wing with its budget. */
import type { Size, Sizes } from "./count.ts";

/** The most that a wing may have, and the reason of the last rise. */
export interface Allowed extends Size {
  readonly for: string;
}

/** Budgets by the folders of wings. */
export type Budget = Readonly<Record<string, Allowed>>;

/** A sentence for each wing above its budget, without one, or with one that gives no reason. */
export function budgetFaults(sizes: Sizes, budget: Budget): string[] {
  const gone = Object.keys(budget).filter((wing) => !sizes[wing])
    .map((wing) => `${wing}: the budget names it, and it holds no file: remove its entry`);
  return [
    ...Object.keys(sizes).flatMap((wing) => faultsOf(wing, sizes[wing], budget[wing])),
    ...gone,
  ];
}

function faultsOf(wing: string, size: Size, allowed?: Allowed): string[] {
  if (!allowed) return [`${wing}: no budget: give it one in tools/lines/budget.json`];
  const reason = allowed.for === "" ? [`${wing}: its budget gives no reason: say it in "for"`] : [];
  const above = (["lines", "files"] as const).filter((unit) => size[unit] > allowed[unit]);
  return [
    ...reason,
    ...above.map((unit) =>
      `${wing}: ${told(size[unit])} ${unit}, the budget is ${told(allowed[unit])}: take away, ` +
      `or raise the budget and say for what in tools/lines/budget.json`
    ),
  ];
}

/** A count as people read it. */
function told(count: number): string {
  return count.toLocaleString("en-US");
}
