/** Results of whole commands: kept in `bench/results/commands.json`, shown in bench/results/benchmarks.md. */

/** Cost of one command. */
export interface Taken {
  /** CPU seconds of all its processes. */
  readonly cpu: number;
  /** Memory of its largest process. */
  readonly mib: number;
  /** CPU seconds by kind of process, where it has several. */
  readonly shares?: Readonly<Record<string, number>>;
}

/** Columns by name, and in each what the commands took. */
export type Results = Readonly<Record<string, Readonly<Record<string, Taken>>>>;

/** Lines of a table in Markdown. */
export function commandsTable(results: Results): string {
  const names = Object.keys(results);
  const commands = [...new Set(Object.values(results).flatMap((column) => Object.keys(column)))];
  const rows = commands.map((command) => [command, ...names.map((n) => cell(results[n][command]))]);
  return markdown(["", ...names], rows);
}

/** Shares of one command in each column that has them. */
export function sharesTable(results: Results, command: string): string {
  const columns = Object.entries(results).flatMap(([name, column]) => {
    const shares = column[command]?.shares;
    return shares ? [[name, shares] as const] : [];
  });
  const kinds = [...new Set(columns.flatMap(([, shares]) => Object.keys(shares)))];
  const rows = kinds.map((kind) => [
    kind,
    ...columns.map(([, shares]) => kind in shares ? `${shares[kind].toFixed(1)} s` : "–"),
  ]);
  return markdown(["", ...columns.map(([name]) => name)], rows);
}

function cell(taken?: Taken): string {
  return taken ? `${taken.cpu.toFixed(2)} s, ${taken.mib.toFixed(0)} MiB` : "–";
}

/** As `deno fmt` would have it: columns as wide as their widest cell. */
function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((one, i) => one.padEnd(widths[i])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
