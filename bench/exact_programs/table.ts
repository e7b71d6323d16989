/** The tables of the README: mean area and distance at the end, by task and method. */
import { type Outcome, outcomes } from "./results.ts";
import { tasks } from "./tasks.ts";

/** Prints a table of Markdown for each task whose objects are listed. */
export function printTables(): void {
  const lines = outcomes();
  for (const { name, budget } of tasks) {
    const own = lines.filter(({ task, area }) => task === name && area !== undefined);
    if (own.length > 0) console.log(tableOf(`\`${name}\`, ${budget} executions`, own));
  }
}

function tableOf(title: string, lines: readonly Outcome[]): string {
  const methods = [...new Set(lines.map(({ method }) => method))];
  const rows = methods.map((method) => lines.filter((one) => one.method === method))
    .map((own) => ({ own, area: mean(own.map(({ area }) => area!)) }))
    .sort((a, b) => a.area - b.area)
    .map(({ own, area }) => {
      const ends = own.map(({ points }) => points!.at(-1)!.tv);
      const range = `${shown(Math.min(...ends))} to ${shown(Math.max(...ends))}`;
      const seconds = own.flatMap(({ cpu_seconds }) => cpu_seconds ?? []);
      const time = seconds.length === 0 ? "" : mean(seconds).toPrecision(2);
      return `| ${own[0].method} | ${own.length} | ${shown(area)} | ${
        shown(mean(ends))
      } | ${range} | ${time} |`;
    });
  return [
    `| ${title} | seeds | area | TV at the end | range | processor seconds |`,
    "| --- | --: | --: | --: | --: | --: |",
    ...rows,
    "",
  ].join("\n");
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Three digits behind the point, four of what is smaller than a hundredth. */
function shown(value: number): string {
  return value.toFixed(value < 0.01 ? 4 : 3).replace(/^0/, "");
}
