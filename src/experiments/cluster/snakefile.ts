/** A sweep as a Snakefile: a job for each point, for the schedulers that Snakemake knows. */
import { shellWords } from "../../base/shell_words.ts";
import type { Cluster } from "./slurm.ts";

/** Sweep of a Snakefile. */
interface SnakeSweep {
  readonly sweep: string;
  readonly points: number;
  /** Command of the user for Sluice, as words of a shell. */
  readonly sluice: string;
}

/** The text of the Snakefile; it is run in the project's folder. */
export function snakefile({ sweep, points, sluice }: SnakeSweep, cluster: Cluster): string {
  const folder = `sweeps/${sweep}/snakemake`;
  const command = shellWords(["sweep", "work", sweep, "--wait", "--retry", "--points"]);
  const call = `${cluster.sluice ?? sluice} ${command} {wildcards.point}`;
  const resources = resourcesOf(cluster);
  return `# Written by sluice export sweep ${sweep} --to snakemake; run it in the project's folder:
#   snakemake --snakefile FILE --cores 4
# After a kill: the same with --unlock, then with --rerun-incomplete.
# A job is a point: one that is done is not run again, whichever worker ran it.
POINTS = range(${points})


rule all:
    input:
        expand("${folder}/{point}.done", point=POINTS),


rule point:
    output:
        touch("${folder}/{point}.done"),
    threads: ${cluster.cpus ?? 1}
${resources.length === 0 ? "" : `    resources:\n${resources.join("")}`}    shell:
        ${pythonText([...cluster.setup, call].join("\n"))}
`;
}

function resourcesOf({ memory, time, gpus, partition, account }: Cluster): string[] {
  const values = {
    mem: memory,
    runtime: time && minutesOf(time),
    gpu: gpus,
    slurm_partition: partition,
    slurm_account: account,
  };
  return Object.entries(values).filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      return `        ${key}=${typeof value === "number" ? value : pythonText(value!)},\n`;
    });
}

/** Minutes of SLURM's times: `90`, `1:30:00` and `2-12:00:00`; other texts stay. */
function minutesOf(time: string): number | string {
  const [, days = "0", rest] = /^(?:(\d+)-)?([\d:]+)$/.exec(time) ?? [];
  if (rest === undefined) return time;
  const parts = rest.split(":").map(Number);
  const withDays = time.includes("-");
  const [hours, minutes, seconds] = withDays
    ? [parts[0], parts[1] ?? 0, parts[2] ?? 0]
    : parts.length === 3
    ? parts
    : [0, parts[0], parts[1] ?? 0];
  return Math.ceil(Number(days) * 1440 + hours * 60 + minutes + seconds / 60);
}

/** A string of Python; JSON's escapes are those of Python. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}
