/** Renders the batch script of a submission, and submits it to SLURM where the user asks for it. */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inputError, MissingPartError } from "../base/diagnostic.ts";
import { denoPath } from "../base/deno_command.ts";
import { readRegularText } from "../base/regular_file.ts";
import { shellWords } from "../base/shell_words.ts";
import { userFolder } from "../base/user_folder.ts";
import type { StageResources } from "../pipeline/basics/mod.ts";
import {
  batchScript,
  type Cluster,
  jobOf,
  readCluster,
  withResources,
} from "../experiments/mod.ts";
import { explainWrites } from "../base/atomic.ts";
import type { Terminal } from "../report/terminal.ts";
import type { ExitStatus } from "./exit.ts";

/** A job to submit. */
interface AskedSubmission {
  readonly root: string;
  /** Of the job. */
  readonly name: string;
  /** Words after `sluice`. */
  readonly command: (cluster: Cluster) => readonly string[];
  /** Points that are left. */
  readonly points: number;
  /** Demands of its stages; `cluster.toml` has the last word. */
  readonly resources: StageResources;
  /** `cluster.toml`. */
  readonly cluster: string;
  readonly go: boolean;
}

/** How a node calls Sluice: by absolute paths, for it may have neither Deno nor a network. */
export function callOnNodes(): string {
  return import.meta.url.endsWith(".ts")
    ? `${shellWords([denoPath()])} task --quiet sluice`
    : "npx --no-install sluice";
}

/** @throws InputError `cluster/no-call` where nodes would ask a folder for a task that it lacks. */
function requireTask(root: string): void {
  const checkout = fileURLToPath(new URL("../../", import.meta.url));
  if (!import.meta.url.endsWith(".ts") || resolve(root) === resolve(checkout)) return;
  const message = `Cannot submit: nodes would call "deno task sluice" in ${root}, which is no ` +
    "checkout of Sluice";
  const hint = 'say in cluster.toml how they call it: sluice = "…"';
  throw inputError("cluster/no-call", message, undefined, hint);
}

/** Reads `cluster.toml`, or returns the default; a template is beside it. */
export function clusterOf(file: string | undefined): Cluster {
  if (file === undefined) return readCluster("", "cluster.toml");
  const cluster = readCluster(readRegularText(resolve(file)), file);
  if (cluster.template === undefined) return cluster;
  return { ...cluster, template: readRegularText(join(dirname(resolve(file)), cluster.template)) };
}

/** Prints the script, or hands it to `sbatch`. */
export async function submit(asked: AskedSubmission, terminal: Terminal): Promise<ExitStatus> {
  const { root, name, command, points, go } = asked;
  const cluster = withResources(clusterOf(asked.cluster), asked.resources);
  const script = batchScript(cluster, {
    name: name.replace(/[^A-Za-z0-9_-]+/g, "-"),
    command: command(cluster),
    project: root,
    sluice: callOnNodes(),
    points: Math.max(1, points),
    userFolder: keyFolder(),
  });
  if (!go) {
    terminal.bytes(new TextEncoder().encode(script));
    terminal.note("not submitted: --go hands it to sbatch, or pipe it there");
    return 0;
  }
  if (cluster.sluice === undefined) requireTask(root);
  const logs = join(root, ".sluice", "slurm");
  explainWrites(logs, () => Deno.mkdirSync(logs, { recursive: true }));
  return tell(await sbatch(script), terminal);
}

/** The folder above the user's own, which `XDG_CONFIG_HOME` names. */
function keyFolder(): string | undefined {
  const folder = userFolder();
  return folder === undefined ? undefined : dirname(folder);
}

interface Sent {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** In a process that may start `sbatch`, which this one may not. */
async function sbatch(script: string): Promise<Sent> {
  const own = import.meta.url;
  const main = fileURLToPath(new URL(`./sbatch_main${own.slice(own.lastIndexOf("."))}`, own));
  const args = ["run", "--quiet", "--no-config", "--no-lock", "--allow-run=sbatch", main];
  const command = new Deno.Command(denoPath(), { args, stdin: "piped", stdout: "piped" });
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

function tell({ code, out, err }: Sent, terminal: Terminal): ExitStatus {
  if (code === 127) {
    throw new MissingPartError(
      "Cannot submit: this machine has no sbatch",
      "run it on a login node of the cluster, or carry the printed script there",
    );
  }
  if (code !== 0) {
    terminal.problem(`sbatch refused the script: ${err.trim() || out.trim()}`);
    terminal.problem("  mend: change cluster.toml; sluice submit prints the script");
    return 1;
  }
  const job = jobOf(out);
  terminal.out(job === undefined ? `submitted: ${out.trim()}` : `submitted as job ${job}`);
  return 0;
}
