/** A cluster of two nodes on this machine: Debian's slurmctld, two slurmd and munged, without systemd. */
import { join } from "node:path";

/** A cluster that runs; `env` leads its commands to it. */
export interface Slurm {
  readonly env: Readonly<Record<string, string>>;
  /** Output of a command of SLURM. */
  run(command: string, ...args: string[]): string;
  /** Waits until no job is left. */
  idle(): Promise<void>;
  stop(): void;
}

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
  run("slurmctld", "-c");
  for (const node of ["n1", "n2"]) run("slurmd", "-N", node);
  const until = async (holds: () => boolean) => {
    for (let tries = 0; !holds(); tries++) {
      if (tries > 300) throw new Error("the cluster does not come to rest");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  await until(() => run("sinfo", "-h", "-o", "%T").trim() === "idle");
  const stop = () => {
    for (const name of ["slurmd-n1", "slurmd-n2", "slurmctld"]) {
      Deno.kill(Number(Deno.readTextFileSync(join(folder, `${name}.pid`))), "SIGTERM");
    }
  };
  return { env, run, stop, idle: () => until(() => run("squeue", "-h").trim() === "") };
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
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
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
