/** Holds the size of each wing against its budget, which the page of budgets explains. */
import type { Size, Sizes } from "./count.ts";

/** The most that each wing may have, by its folder. */
export type Budget = Readonly<Record<string, Size>>;

/**
 * A sentence for each wing above its budget, without one, or with one that the page does not tell.
 * @param page text of `docs/design/budgets.md`
 */
export function budgetFaults(sizes: Sizes, budget: Budget, page: string): string[] {
  const gone = Object.keys(budget).filter((wing) => !sizes[wing])
    .map((wing) => `${wing}: the budget names it, and it holds no file: remove its line`);
  return [
    ...Object.keys(sizes).flatMap((wing) => faultsOf(wing, sizes[wing], budget[wing])),
    ...gone,
    ...Object.keys(budget).flatMap((wing) => untold(wing, budget[wing], page)),
  ];
}

function faultsOf(wing: string, size: Size, allowed?: Size): string[] {
  if (!allowed) return [`${wing}: no budget: give it one in tools/lines/budget.json`];
  return (["lines", "files"] as const).filter((unit) => size[unit] > allowed[unit]).map((unit) =>
    `${wing}: ${told(size[unit])} ${unit}, the budget is ${told(allowed[unit])}: take away, ` +
    `or raise the budget and say for what in docs/design/budgets.md`
  );
}

/** The page tells a budget by a line with the wing's name and both figures. */
function untold(wing: string, { lines, files }: Size, page: string): string[] {
  const figures = new RegExp(`\\| ${told(lines)} +\\| ${files} +\\| +[^|\\s]`);
  const says = page.split("\n").some((line) => line.includes(`\`${wing}\``) && figures.test(line));
  return says ? [] : [
    `${wing}: docs/design/budgets.md has no line with \`${wing}\`, ${told(lines)} lines, ` +
    `${told(files)} files and a reason`,
  ];
}

/** A count as people read it. */
export function told(count: number): string {
  return count.toLocaleString("en-US");
}
