/** torchgfn on the same grid, by both recipes, and ours by the same. */
import { both, mean, short, table } from "./numbers.ts";
import type { PeerResult } from "./results.ts";

/** Recipes in the order of the rows, as they are called there. */
const recipes: Readonly<Record<string, string>> = {
  constant: "rate held at 0.001",
  falling: "rate falls from 0.005",
};

/** A row per objective, recipe and program; empty if the peer did not run this task. */
export function peerTable(lines: readonly PeerResult[]): string {
  if (lines.length === 0) return "";
  const objectives = [...new Set(lines.map(({ objective }) => String(objective)))];
  const body = objectives.flatMap((objective) =>
    Object.entries(recipes).flatMap(([recipe, said]) =>
      ["torchgfn", "Sluice"].flatMap((program) => {
        const rows = lines.filter((one) =>
          one.objective === objective && one.recipe === recipe &&
          String(one.program).startsWith(program)
        );
        return rows.length === 0 ? [] : [peerRow(`${program}, ${objective}, ${said}`, rows)];
      })
    )
  );
  const columns = ["seeds", "TV", "largest", "seconds", "processor seconds"];
  return `${said(lines)}\n\n${table(["", ...columns], body)}`;
}

function peerRow(name: string, rows: readonly PeerResult[]): string[] {
  const of = (key: string) => timed(rows, key);
  const seconds = (key: string) => of(key).length === 0 ? "" : short(mean(of(key)));
  return [
    name,
    `${rows.length}`,
    both(of("tv")),
    short(Math.max(...of("tv"))),
    seconds("seconds"),
    seconds("cpu_seconds"),
  ];
}

/**
 * How many times the processor time of ours the peer needs, over every objective and recipe that both
 * have: the smallest and the largest ratio of means. Lines of one grid, objective and recipe were run on
 * one machine; others may be of another day.
 */
export function speedRatios(lines: readonly PeerResult[]): readonly [number, number] {
  const cells = Map.groupBy(lines, (one) => `${one.task} ${one.objective} ${one.recipe}`);
  const ratios = [...cells.values()].flatMap((some) => {
    const [theirs, ours] = ["torchgfn", "Sluice"].map((program) =>
      some.filter((one) => String(one.program).startsWith(program))
    ).map((some) => timed(some, "cpu_seconds"));
    return theirs.length > 0 && ours.length > 0 ? [mean(theirs) / mean(ours)] : [];
  });
  return [Math.min(...ratios), Math.max(...ratios)];
}

function said(lines: readonly PeerResult[]): string {
  const { program, threads, trajectories } = lines.find((one) => one.threads !== undefined)!;
  const count = Number(trajectories).toLocaleString("en");
  return `Beside it ${program}, ${threads} thread, ${count} trajectories ` +
    "(`deno task bench torchgfn PYTHON`), by two recipes: that of its examples, a constant rate, log Z " +
    "from 0 and no exploration; and that of Sluice's pipeline, a rate that falls to 0, log Z from the " +
    "first batch, and the pipeline's exploration. Both programs are pushed through the grid exactly. " +
    "The recipe decides the distance; the program, the time. Rows without seconds were not timed; " +
    "seconds are of the clock beside other work, so that processor seconds tell more.";
}

/** Of the lines that have it: what ran beside other work was not timed. */
function timed(lines: readonly PeerResult[], key: string): number[] {
  return lines.filter((one) => one[key] !== undefined).map((one) => Number(one[key]));
}
