/** CPU seconds of a command by kind of process, looked at several times a second. */
import type { ControlGroup } from "./control_group.ts";

/** Kinds of processes, by what stands on their command line; the first that fits. */
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["bundling the engine", /bundle_engine|esbuild/],
  ["engine workers", /\.sluice\/engine\/|--no-npm/],
  ["stages", /\.sluice\/entries\//],
  ["runner", /src\/cli\/main\.ts/],
];

const lookEvery = 100;

/** Linux counts CPU time of processes in hundredths of a second. */
const ticksPerSecond = 100;

/** Samples a command while it runs; a process's time after the last sample is in no share. */
export class Shares {
  readonly #ticks = new Map<string, { readonly kind: string; readonly ticks: number }>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(group: ControlGroup) {
    this.#timer = setInterval(() => group.pids.forEach((pid) => this.#look(pid)), lookEvery);
  }

  /** Ends the looking. CPU seconds by kind; those of `all` that were not seen are "starts and ends". */
  end(all: number): Record<string, number> {
    clearInterval(this.#timer);
    const found: Record<string, number> = {};
    for (const { kind, ticks } of this.#ticks.values()) {
      found[kind] = (found[kind] ?? 0) + ticks / ticksPerSecond;
    }
    const seen = Object.values(found).reduce((sum, one) => sum + one, 0);
    return { ...found, "starts and ends": Math.max(0, all - seen) };
  }

  #look(pid: string): void {
    try {
      const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
      const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
      const line = Deno.readTextFileSync(`/proc/${pid}/cmdline`);
      const before = this.#ticks.get(pid)?.kind;
      const kind = line === "" && before // one that has ended has no line left
        ? before
        : kinds.find(([, pattern]) => pattern.test(line))?.[0] ?? "others";
      this.#ticks.set(pid, { kind, ticks: Number(user) + Number(system) });
    } catch {
      // It has ended.
    }
  }
}
