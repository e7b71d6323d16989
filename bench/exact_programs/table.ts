/**
 * The table of the README: by method and task the mean area, the mean distance at the end with its
 * standard error over seeds, and their number.
 */
import { type Outcome, outcomes } from "./results.ts";
import { tasks } from "./tasks.ts";

/** Prints a table of Markdown over all tasks whose objects are listed; methods by their mean area. */
export function printTables(): void {
  const lines = outcomes().filter(({ area, endTv }) => area !== undefined || endTv !== undefined);
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

/** Of the means by task; a method without areas stands last. */
function meanOver(lines: readonly Outcome[]): number {
  const tasks = [...Map.groupBy(lines, ({ task }) => task).values()];
  return mean(tasks.map((own) => mean(own.map(({ area }) => area ?? 1))));
}

/** Errors that three digits would call 0. */
const LEAST_OF_THREE = 0.0005;

function cellOf(lines: readonly Outcome[]): string {
  if (lines.length === 0) return "";
  const areas = lines.flatMap(({ area }) => area ?? []);
  const ends = lines.map(({ points, endTv }) => endTv ?? points!.at(-1)!.tv);
  const area = areas.length > 0 ? shown(mean(areas)) : "–";
  const spread = ends.length > 1 ? standardError(ends) : Infinity;
  const digits = Math.max(digitsOf(mean(ends)), spread < LEAST_OF_THREE ? 4 : 0);
  const error = ends.length > 1 ? ` ± ${shown(spread, digits)}` : "";
  return `${area} / ${shown(mean(ends), digits)}${error} (${lines.length})`;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Of the mean. */
function standardError(values: readonly number[]): number {
  const centre = mean(values);
  const squares = values.reduce((sum, one) => sum + (one - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** Three behind the point, four of what is smaller than a hundredth. */
const digitsOf = (value: number) => value < 0.01 ? 4 : 3;

function shown(value: number, digits: number = digitsOf(value)): string {
  return value.toFixed(digits).replace(/^0/, "");
}
