/** Holds the size of each wing against its budget, which a decision record allows. */
import type { Size, Sizes } from "./count.ts";

/** The most that a wing may have, and the number of the record that says so. */
export interface Allowed extends Size {
  readonly record: string;
}

/** The budget of each wing, by its folder. */
export type Budget = Readonly<Record<string, Allowed>>;

/**
 * A sentence for each wing above its budget, without one, or with one that no record tells.
 * @param record gives the text of the decision record of a number, undefined if there is none
 */
export function budgetFaults(
  sizes: Sizes,
  budget: Budget,
  record: (number: string) => string | undefined,
): string[] {
  const gone = Object.keys(budget).filter((wing) => !sizes[wing])
    .map((wing) => `${wing}: the budget names it, and it holds no file: remove its line`);
  return [
    ...Object.keys(sizes).flatMap((wing) => faultsOf(wing, sizes[wing], budget[wing])),
    ...gone,
  ]
    .concat(Object.keys(budget).flatMap((wing) => untold(wing, budget[wing], record)));
}

function faultsOf(wing: string, size: Size, allowed?: Allowed): string[] {
  if (!allowed) return [`${wing}: no budget: give it one in tools/lines/budget.json`];
  return (["lines", "files"] as const).filter((unit) => size[unit] > allowed[unit]).map((unit) =>
    `${wing}: ${told(size[unit])} ${unit}, the budget is ${told(allowed[unit])}: take away, ` +
    `or raise the budget with a decision record`
  );
}

/** A record allows a budget by a line with the wing's name and both figures. */
function untold(
  wing: string,
  { lines, files, record: number }: Allowed,
  record: (number: string) => string | undefined,
): string[] {
  const text = record(number);
  const says = text?.split("\n").some((line) =>
    line.includes(`\`${wing}\``) && line.includes(told(lines)) && line.includes(told(files))
  );
  return says ? [] : [
    `${wing}: decision record ${number} has no line with \`${wing}\`, ${told(lines)} lines and ` +
    `${told(files)} files: write there why the budget is so`,
  ];
}

/** A count as people read it. */
export function told(count: number): string {
  return count.toLocaleString("en-US");
}
