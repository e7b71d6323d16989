/**
 * `deno task lines`: prints lines and files of each wing, its budget, and the difference since a
 * commit (`deno task lines REV`; the parent of HEAD if none is named). Fails above a budget.
 */
import { type Budget, budgetFaults } from "./lines/budget.ts";
import { type Size, type Sizes, sizesAt, total } from "./lines/count.ts";

const budgetFile = new URL("./lines/budget.json", import.meta.url);

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const [since] = Deno.args;
  const [now, before] = await Promise.all([sizesAt(), sizesAt(since ?? "HEAD~1")]);
  if (!now || since !== undefined && !before) {
    console.error(
      `Cannot count lines: git tells none${now ? ` of ${since}` : ""}\n` +
        "  mend: run it in a clone of the repository, with a commit that the clone has",
    );
    return 2;
  }
  const budget: Budget = JSON.parse(Deno.readTextFileSync(budgetFile));
  console.table(rows(now, budget, before));
  const faults = budgetFaults(now, budget);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

/** The rows of the table: each wing, and all together. */
function rows(now: Sizes, budget: Budget, before?: Sizes): Record<string, Record<string, number>> {
  const empty = { lines: 0, files: 0 };
  const named: Sizes = { ...now, "all together": total(now) };
  const earlier: Sizes = { ...before, "all together": before ? total(before) : empty };
  const allowed: Sizes = { ...budget, "all together": total(budget) };
  return Object.fromEntries(
    Object.keys(named).map((wing) => [
      wing,
      row(named[wing], allowed[wing] ?? empty, before && (earlier[wing] ?? empty)),
    ]),
  );
}

function row(size: Size, allowed: Size, before?: Size): Record<string, number> {
  const units = ["lines", "files"] as const;
  return Object.fromEntries(units.flatMap((unit) => [
    [unit, size[unit]],
    ...before ? [[`${unit} since`, size[unit] - before[unit]]] : [],
    [`${unit} left`, allowed[unit] - size[unit]],
  ]));
}
