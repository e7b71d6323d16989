/** CPU time and peak memory of another process, as the kernel of Linux reports them. */

/** Usage of a process, as the kernel reports it. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly maxRssKib: number;
}

/** Clock ticks per second in /proc, fixed at 100 on every Linux that Deno runs on (USER_HZ). */
const ticksPerSecond = 100;

/**
 * Usage of a process so far; undefined if it is gone, on other systems, and where the caller may
 * not read /proc (Deno asks for --allow-all there).
 */
export function processUsage(pid: number): ProcessUsage | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return parseUsage(stat, status);
  } catch {
    return undefined;
  }
}

/** Reads the texts of `/proc/<pid>/stat` and `/proc/<pid>/status` (proc(5), fields 14 and 15). */
export function parseUsage(stat: string, status: string): ProcessUsage {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return { cpuMs: ticks * 1000 / ticksPerSecond, maxRssKib: Number(peak ?? 0) };
}
