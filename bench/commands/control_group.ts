/** A control group of Linux: CPU seconds of a command with all its processes, whichever process waits for them. */

/** Where groups lie, and the file that has the CPU time in so many units a second. */
const hierarchies = [
  { root: "/sys/fs/cgroup/cpuacct", file: "cpuacct.usage", field: /^(\d+)/, perSecond: 1e9 },
  { root: "/sys/fs/cgroup", file: "cpu.stat", field: /^usage_usec (\d+)/m, perSecond: 1e6 },
] as const;

/** One group, for one command. */
export class ControlGroup {
  private constructor(
    readonly folder: string,
    readonly hierarchy: typeof hierarchies[number],
  ) {}

  /** @throws Error if this machine lets no user make groups: CPU time could then not be told. */
  static make(): ControlGroup {
    for (const hierarchy of hierarchies) {
      const folder = `${hierarchy.root}/sluice-bench-${Deno.pid}-${counter++}`;
      try {
        Deno.mkdirSync(folder);
        const group = new ControlGroup(folder, hierarchy);
        if (Number.isFinite(group.seconds)) return group;
        group.remove();
      } catch {
        // The next hierarchy, or none.
      }
    }
    throw new Error("Cannot count CPU seconds: no control group can be made; be root on Linux");
  }

  /** The command, to be started within the group. */
  within(command: readonly string[]): readonly string[] {
    return ["sh", "-c", `echo $$ > ${this.folder}/cgroup.procs; exec "$@"`, "sh", ...command];
  }

  /** CPU seconds so far. */
  get seconds(): number {
    const { file, field, perSecond } = this.hierarchy;
    const text = Deno.readTextFileSync(`${this.folder}/${file}`);
    return Number(field.exec(text)?.[1] ?? NaN) / perSecond;
  }

  /** Ids of the processes that are in it now. */
  get pids(): readonly string[] {
    return Deno.readTextFileSync(`${this.folder}/cgroup.procs`).split("\n").filter(Boolean);
  }

  remove(): void {
    try {
      Deno.removeSync(this.folder);
    } catch {
      // A process that was killed a moment ago is still in it.
    }
  }
}

let counter = 0;
