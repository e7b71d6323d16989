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
  const columns = ["seeds", "TV", "largest", "processor seconds"];
  return `${said(lines)}\n\n${table(["", ...columns], body)}`;
}

function peerRow(name: string, rows: readonly PeerResult[]): string[] {
  const [tv, cpu] = ["tv", "cpu_seconds"].map((key) => timed(rows, key));
  const processor = cpu.length === 0 ? "" : short(mean(cpu));
  return [name, `${rows.length}`, both(tv), short(Math.max(...tv)), processor];
}

/**
 * How many times the processor time of ours the peer needs: the smallest and the largest ratio over
 * grids, objectives and recipes, each a mean over seeds of pairs that ran one after the other.
 */
export function speedRatios(lines: readonly PeerResult[]): readonly [number, number] | undefined {
  const pairs = lines.filter((one) => one.interleaved === 1);
  const cells = Map.groupBy(pairs, (one) => `${one.task} ${one.objective} ${one.recipe}`);
  const ratios = [...cells.values()].map(ratiosOf).filter((some) => some.length > 0).map(mean);
  return ratios.length > 0 ? [Math.min(...ratios), Math.max(...ratios)] : undefined;
}

/** Of one grid, objective and recipe: a ratio for each seed that both ran. */
function ratiosOf(lines: readonly PeerResult[]): number[] {
  const seconds = (program: string, seed: unknown) =>
    lines.find((one) => String(one.program).startsWith(program) && one.seed === seed)?.cpu_seconds;
  return lines.filter(({ program }) => program === "Sluice").flatMap(
    ({ seed, cpu_seconds: own }) => {
      const theirs = seconds("torchgfn", seed);
      return theirs === undefined ? [] : [Number(theirs) / Number(own)];
    },
  );
}

function said(lines: readonly PeerResult[]): string {
  const { program, threads, trajectories } = lines.find((one) => one.threads !== undefined)!;
  const count = Number(trajectories).toLocaleString("en");
  return `For comparison: ${program}, ${threads} thread, ${count} trajectories ` +
    "(`deno task bench torchgfn PYTHON`), by both recipes:";
}

/** Values of the lines that have the key: runs beside other work were not timed. */
function timed(lines: readonly PeerResult[], key: string): number[] {
  return lines.filter((one) => one[key] !== undefined).map((one) => Number(one[key]));
}
