/** A cluster of four nodes on this machine: Debian's slurmctld, slurmd and munged, without systemd. */
import { join } from "node:path";

/** A cluster that runs; `env` leads its commands to it. */
export interface Slurm {
  readonly env: Readonly<Record<string, string>>;
  /** Output of a command of SLURM. */
  run(command: string, ...args: string[]): string;
  /** Nodes of the partition `debug`, and of `other`. */
  readonly nodes: Readonly<Record<"debug" | "other", readonly string[]>>;
  /** Waits until no job is left that was submitted in a folder; requeued ones wait for seconds. */
  idle(folder?: string): Promise<void>;
  /** Starts slurmctld, or a slurmd by the name of its node. */
  start(daemon: Daemon): void;
  /** `kill -9` of a daemon; of a node with all that runs there. */
  kill(daemon: Daemon): void;
  /** Ends a daemon; all of them if none is named. */
  stop(daemon?: Daemon): void;
}

/** The controller, or the name of a node. */
type Daemon = string;

/**
 * Starts one in a folder, by a number of its own if there are others. Needs root, and
 * `apt-get install slurmctld slurmd slurm-client munge`.
 */
export async function startSlurm(folder: string, number = 0): Promise<Slurm> {
  const conf = join(folder, "slurm.conf");
  const names = [1, 2, 3, 4].map((node) => `c${number}n${node}`);
  const daemons = ["slurmctld", ...names];
  Deno.writeTextFileSync(conf, configuration(folder, number));
  const env = { SLURM_CONF: conf };
  const run = (command: string, ...args: string[]): string => {
    const { code, stdout, stderr } = new Deno.Command(command, { args, env }).outputSync();
    if (code !== 0) throw new Error(`${command}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  };
  for (const name of ["state", ...names.map((name) => `spool-${name}`)]) {
    Deno.mkdirSync(join(folder, name));
  }
  run(
    "bash",
    "-c",
    // Two tests that start at once wait for each other here.
    "mkdir -p /run/munge; chown munge: /run/munge; exec 9> /run/munge/start; flock 9; " +
      "[ -s /etc/munge/munge.key ] || mungekey --create; " +
      "pgrep -x munged >/dev/null || runuser -u munge -- munged 9>&-",
  );
  const start = (daemon: Daemon) => {
    if (daemon === "slurmctld") run("slurmctld");
    else run("slurmd", "-N", daemon);
  };
  for (const daemon of daemons) start(daemon);
  const until = async (holds: () => boolean) => {
    for (let tries = 0; !holds(); tries++) {
      if (tries > 1000) throw new Error("the cluster does not come to rest");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  const isIdle = (line: string) => line === "idle";
  await until(() => run("sinfo", "-h", "-N", "-o", "%T").trim().split("\n").every(isIdle));
  const hurried = new Map<string, number>();
  const idle = (from = "/") =>
    until(() => {
      const lines = run("squeue", "-h", "-r", "-o", "%i %r %Z").trim().split("\n");
      const own = lines.filter((line) => line.split(" ")[2]?.startsWith(from));
      for (const line of own) {
        const [, job] = /^(\S+) BeginTime /.exec(line) ?? [];
        if (!job || Date.now() - (hurried.get(job) ?? 0) < 20_000) continue;
        hurried.set(job, Date.now()); // at once would be while the node still ends what ran before
        run("scontrol", "update", `JobId=${job}`, "StartTime=now+4");
      }
      return own.length === 0;
    });
  const pidOf = (daemon: Daemon) => {
    const name = daemon === "slurmctld" ? daemon : `slurmd-${daemon}`;
    return Number(Deno.readTextFileSync(join(folder, `${name}.pid`)));
  };
  const kill = (daemon: Daemon) => {
    killTogether([pidOf(daemon), ...processesOn(daemon)]);
  };
  const stop = (one?: Daemon) => {
    for (const daemon of one ? [one] : daemons.toReversed()) signal(pidOf(daemon), "SIGTERM");
  };
  const nodes = { debug: names.slice(0, 2), other: names.slice(2) };
  return { env, nodes, run, start, kill, stop, idle };
}

/** `kill -9` of all at one moment, as a machine dies: no process sees another die, and tells of it. */
export function killTogether(pids: readonly number[]): void {
  for (const kind of ["SIGSTOP", "SIGKILL"] as const) for (const pid of pids) signal(pid, kind);
}

/** Sends a signal to what may have ended. */
function signal(pid: number, kind: Deno.Signal): void {
  try {
    Deno.kill(pid, kind);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Processes of jobs on a node, the keepers of their steps first. */
function processesOn(node: string): number[] {
  const keepers = new Set<number>();
  const found = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      const environment = Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0");
      if (!environment.includes(`SLURMD_NODENAME=${node}`)) return false;
      const parent = Number(
        /^PPid:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))![1],
      );
      if (Deno.readTextFileSync(`/proc/${parent}/comm`).startsWith("slurmstepd")) {
        keepers.add(parent);
      }
      return true;
    } catch {
      return false; // no process, or one that has ended
    }
  });
  return [...keepers, ...found];
}

function configuration(folder: string, number: number): string {
  const [name, port] = [`c${number}n`, 17001 + 10 * number];
  return `ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool-%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd-%n.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd-%n.log
SlurmctldPort=${16817 + number}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=900
SlurmdTimeout=5
SchedulerParameters=bf_interval=1,sched_interval=2,batch_sched_delay=0,sched_min_interval=1
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
NodeName=${name}[1-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[${port}-${
    port + 3
  }] CPUs=8 RealMemory=8000 State=UNKNOWN
PartitionName=debug Nodes=${name}[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=${name}[3-4] MaxTime=INFINITE State=UP
`;
}
