/** torchgfn on the same grid: what its program printed, and ours that ran right after it. */
import { both, mean, short, table } from "./numbers.ts";
import type { PeerResult } from "./results.ts";

/** A row per objective; empty if the peer did not run this task. */
export function peerTable(lines: readonly PeerResult[]): string {
  if (lines.length === 0) return "";
  const objectives = [...new Set(lines.map(({ objective }) => String(objective)))];
  const body = objectives.flatMap((objective) => {
    const rows = lines.filter((one) => one.objective === objective);
    const row = (name: string, prefix: string) => peerRow(name, prefix, rows);
    return [row(`torchgfn, ${objective}`, ""), row(`Sluice, \`${rows[0].own_variant}\``, "own_")];
  });
  const columns = ["seeds", "TV", "largest", "seconds", "processor seconds"];
  return `${said(lines[0])}\n\n${table(["", ...columns], body)}`;
}

function peerRow(name: string, prefix: string, rows: readonly PeerResult[]): string[] {
  const of = (key: string) => rows.map((one) => Number(one[prefix + key]));
  const [seconds, cpu] = [of("seconds"), of("cpu_seconds")];
  return [
    name,
    `${rows.length}`,
    both(of("tv")),
    short(Math.max(...of("tv"))),
    short(mean(seconds)),
    short(mean(cpu)),
  ];
}

function said({ program, threads, trajectories }: PeerResult): string {
  const count = Number(trajectories).toLocaleString("en");
  return `Beside it ${program}, ${threads} thread, ${count} trajectories, and Sluice right after ` +
    "it with the same seed (`deno task bench torchgfn PYTHON`). torchgfn has the network, batch " +
    "and constant learning rate of its examples and explores not, Sluice those of its pipeline, whose rate falls " +
    "to 0; both are pushed through the grid exactly. So these are two recipes, and their distances compare recipes as much as libraries: with a rate that falls, log Z from the first batch and exploration either is better. What compares libraries is the time of the same number of steps. Seconds are of training, on a machine that was busy: those of the processor compare.";
}
