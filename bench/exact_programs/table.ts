/** The table of the README: by method and task the mean area, the mean distance at the end, and seeds. */
import { type Outcome, outcomes } from "./results.ts";
import { tasks } from "./tasks.ts";

/** Prints a table of Markdown over all tasks whose objects are listed; methods by their mean area. */
export function printTables(): void {
  const lines = outcomes().filter(({ area }) => area !== undefined);
  const named = tasks.filter(({ name }) => lines.some(({ task }) => task === name));
  const methods = [...new Set(lines.map(({ method }) => method))]
    .map((method) => lines.filter((one) => one.method === method))
    .sort((a, b) => meanOver(a) - meanOver(b));
  console.log([
    `| area / TV at the end (seeds) | ${named.map(({ name }) => `\`${name}\``).join(" | ")} |`,
    `| --- | ${named.map(() => "--:").join(" | ")} |`,
    ...methods.map((own) => {
      const cells = named.map(({ name }) => cellOf(own.filter(({ task }) => task === name)));
      return `| ${own[0].method} | ${cells.join(" | ")} |`;
    }),
  ].join("\n"));
}

/** Of the means by task. */
function meanOver(lines: readonly Outcome[]): number {
  const tasks = [...Map.groupBy(lines, ({ task }) => task).values()];
  return mean(tasks.map((own) => mean(own.map(({ area }) => area!))));
}

function cellOf(lines: readonly Outcome[]): string {
  if (lines.length === 0) return "";
  const area = mean(lines.map(({ area }) => area!));
  const end = mean(lines.map(({ points }) => points!.at(-1)!.tv));
  return `${shown(area)} / ${shown(end)} (${lines.length})`;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Three digits behind the point, four of what is smaller than a hundredth. */
function shown(value: number): string {
  return value.toFixed(value < 0.01 ? 4 : 3).replace(/^0/, "");
}
