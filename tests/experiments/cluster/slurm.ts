/** A cluster of two nodes on this machine: Debian's slurmctld, two slurmd and munged, without systemd. */
import { join } from "node:path";

/** A cluster that runs; `env` leads its commands to it. */
export interface Slurm {
  readonly env: Readonly<Record<string, string>>;
  /** Output of a command of SLURM. */
  run(command: string, ...args: string[]): string;
  /** Waits until no job is left; requeued ones wait for no delay. */
  idle(): Promise<void>;
  /** Starts slurmctld, or a slurmd by the name of its node. */
  start(daemon: Daemon): void;
  /** `kill -9` of a daemon; of a node with all that runs there. */
  kill(daemon: Daemon): void;
  /** Ends a daemon; all of them if none is named. */
  stop(daemon?: Daemon): void;
}

/** The controller, or a node. */
export type Daemon = "slurmctld" | "n1" | "n2";

/** Starts one in a folder. Needs root, and `apt-get install slurmctld slurmd slurm-client munge`. */
export async function startSlurm(folder: string): Promise<Slurm> {
  const conf = join(folder, "slurm.conf");
  Deno.writeTextFileSync(conf, configuration(folder));
  const env = { SLURM_CONF: conf };
  const run = (command: string, ...args: string[]): string => {
    const { code, stdout, stderr } = new Deno.Command(command, { args, env }).outputSync();
    if (code !== 0) throw new Error(`${command}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  };
  for (const name of ["state", "spool-n1", "spool-n2"]) Deno.mkdirSync(join(folder, name));
  run(
    "bash",
    "-c",
    "[ -s /etc/munge/munge.key ] || mungekey --create; mkdir -p /run/munge; " +
      "chown munge: /run/munge; pgrep -x munged >/dev/null || runuser -u munge -- munged",
  );
  const start = (daemon: Daemon) => {
    if (daemon === "slurmctld") run("slurmctld");
    else run("slurmd", "-N", daemon);
  };
  for (const daemon of daemons) start(daemon);
  const until = async (holds: () => boolean) => {
    for (let tries = 0; !holds(); tries++) {
      if (tries > 500) throw new Error("the cluster does not come to rest");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  await until(() => run("sinfo", "-h", "-o", "%T").trim() === "idle");
  const idle = () =>
    until(() => {
      for (const line of run("squeue", "-h", "-t", "PD", "-r", "-o", "%i %r").split("\n")) {
        const [, job] = /^(\S+) BeginTime$/.exec(line) ?? [];
        if (job) run("scontrol", "update", `JobId=${job}`, "StartTime=now");
      }
      return run("squeue", "-h").trim() === "";
    });
  const pidOf = (daemon: Daemon) => {
    const name = daemon === "slurmctld" ? daemon : `slurmd-${daemon}`;
    return Number(Deno.readTextFileSync(join(folder, `${name}.pid`)));
  };
  const kill = (daemon: Daemon) => {
    for (const pid of [pidOf(daemon), ...processesOn(daemon)]) killed(pid, "SIGKILL");
  };
  const stop = (one?: Daemon) => {
    for (const daemon of one ? [one] : daemons.toReversed()) killed(pidOf(daemon), "SIGTERM");
  };
  return { env, run, start, kill, stop, idle };
}

const daemons: readonly Daemon[] = ["slurmctld", "n1", "n2"];

/** Sends a signal to what may have ended. */
function killed(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
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

function configuration(folder: string): string {
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
SlurmctldPort=16817
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
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}
