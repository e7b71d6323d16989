/** Which machine and process this is, so that another process can check whether it still lives. */
import { hostname } from "node:os";

/** Written where others read it. */
export interface ProcessIdentity {
  readonly host: string;
  /** Boot and namespace of process numbers: where it is another's, a number has no meaning. */
  readonly machine: string;
  readonly pid: number;
  /** When the process began, in the kernel's ticks: numbers are given again. */
  readonly started: string;
}

/** Identity of this process. */
export function thisProcess(): ProcessIdentity {
  return { host: hostName(), machine: machineName(), pid: Deno.pid, started: startOf(Deno.pid) };
}

/** False if the process is of this machine and has ended; undefined if that cannot be known. */
export function isAlive({ machine, pid, started }: ProcessIdentity): boolean | undefined {
  if (machine === "" || machine !== machineName() || started === "") return undefined;
  return startOf(pid) === started;
}

/** True if the process names this host, as far as names determine. */
export function isOfThisHost({ host }: ProcessIdentity): boolean {
  return host !== "" && host === hostName();
}

function hostName(): string {
  try {
    return hostname();
  } catch {
    return "";
  }
}

let known: string | undefined;

function machineName(): string {
  return known ??= quietly(() => {
    const boot = Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").trim();
    return `${boot} ${Deno.readLinkSync("/proc/self/ns/pid")}`;
  });
}

/** Field 22 of `/proc/<pid>/stat` (proc_pid_stat(5)); the name before it may hold anything. */
function startOf(pid: number): string {
  return quietly(() => {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "" : fields[19];
  });
}

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
