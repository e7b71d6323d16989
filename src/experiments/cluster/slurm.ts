/** The batch script by which SLURM works on a sweep or a pipeline: rendered, never sent by itself. */
import { type Diagnostic, InputError, inputError } from "../../base/diagnostic.ts";
import { shellWords } from "../../base/shell_words.ts";
import { z } from "../../base/zod.ts";
import type { StageResources } from "../../pipeline/basics/mod.ts";
import { parseTomlFile } from "../../pipeline/toml/mod.ts";

const word = z.string().min(1).regex(/^[^\n\r]*$/, "one line");

/** Schema of `cluster.toml`; every key may be left out. */
const clusterParams = z.strictObject({
  workers: z.int().min(1).default(1),
  points_at_once: z.int().min(1).default(1),
  most_array: z.int().min(1).default(1000),
  partition: word.optional(),
  account: word.optional(),
  qos: word.optional(),
  time: word.optional(),
  memory: word.optional(),
  cpus: z.int().min(1).optional(),
  gpus: z.int().min(1).optional(),
  constraint: word.optional(),
  requeue: z.boolean().default(true),
  warning_seconds: z.int().min(1).default(120),
  options: z.array(word).default([]),
  setup: z.array(word).default([]),
  sluice: word.optional(),
  template: word.optional(),
});

/** Contents of `cluster.toml`. */
export type Cluster = z.output<typeof clusterParams>;

/**
 * Reads `cluster.toml`.
 *
 * @throws InputError with every key that is unknown or has a wrong value.
 */
export function readCluster(text: string, file: string): Cluster {
  const { value, spanOf } = parseTomlFile(text, file);
  const result = clusterParams.safeParse(value);
  if (result.success) return result.data;
  const keys = Object.keys(clusterParams.shape);
  throw new InputError(
    result.error.issues.flatMap((issue): Diagnostic[] => {
      const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
      const paths = unknown.length > 0
        ? unknown.map((key) => [key])
        : [issue.path as (string | number)[]];
      return paths.map((path) => ({
        code: "cluster/wrong-value",
        severity: "error",
        message: unknown.length > 0
          ? `Cannot read the cluster: unknown key "${path[0]}"`
          : `Cannot read the cluster: ${path.join(".")}: ${issue.message}`,
        span: spanOf(path, "key"),
        hint: `known keys: ${keys.join(", ")}`,
      }));
    }),
    new Map([[file, text]]),
  );
}

/** A cluster with the resources that stages ask for, where `cluster.toml` gives none. */
export function withResources(
  cluster: Cluster,
  { cores, gpus, memory, minutes }: StageResources,
): Cluster {
  const megabytes = memory === undefined ? undefined : `${Math.ceil(memory / 1024 ** 2)}M`;
  return {
    ...cluster,
    cpus: cluster.cpus ?? cores,
    gpus: cluster.gpus ?? gpus,
    memory: cluster.memory ?? megabytes,
    time: cluster.time ?? (minutes === undefined ? undefined : `${Math.ceil(minutes)}`),
  };
}

/** Job of a script. */
interface Submission {
  /** Name of the job: letters, digits, `-`, `_`. */
  readonly name: string;
  /** Words after `sluice`. */
  readonly command: readonly string[];
  /** Absolute folder of the project. */
  readonly project: string;
  /** Command of the user for Sluice, as words of a shell. */
  readonly sluice: string;
  /** Points that are left: more workers than these would find nothing to do. */
  readonly points: number;
  /** The user's key and trust are below it; nodes need the same. */
  readonly userFolder?: string;
}

/**
 * The script: one array of workers, each of which takes points until none is left, so that a task
 * which starts twice, or again after its node died, does nothing twice.
 */
export function batchScript(cluster: Cluster, submission: Submission): string {
  const { template } = cluster;
  const parts = { directives: directives(cluster, submission), body: body(cluster, submission) };
  if (template === undefined) return `#!/bin/bash\n${parts.directives}\n\n${parts.body}\n`;
  const missing = (["directives", "body"] as const).filter((key) => !template.includes(`{${key}}`));
  if (missing.length > 0) {
    const message = `Cannot use the template of the cluster: it lacks {${missing.join("} and {")}}`;
    throw inputError("cluster/template", message, undefined, "write {directives}, then {body}");
  }
  return template.replace("{directives}", () => parts.directives)
    .replace("{body}", () => parts.body);
}

function directives(cluster: Cluster, { name, points, project }: Submission): string {
  const { most_array, partition, account, qos, time, memory, cpus, gpus, constraint } = cluster;
  const workers = Math.min(cluster.workers, points, most_array);
  const values = { partition, account, qos, time, mem: memory, constraint };
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const lines = [
    `--job-name=${name}`,
    ...workers > 1 ? [`--array=0-${workers - 1}`] : [],
    ...known.map(([key, value]) => `--${key}=${value}`),
    ...cpus === undefined ? [] : [`--cpus-per-task=${cpus}`],
    ...gpus === undefined ? [] : [`--gpus=${gpus}`],
    `--chdir=${quoted(project)}`,
    `--output=${quoted(`${project}/.sluice/slurm/%x-%A_%a.log`)}`,
    `--signal=B:USR1@${cluster.warning_seconds}`,
    ...cluster.requeue ? ["--requeue"] : [],
    ...cluster.options,
  ];
  return lines.map((line) => `#SBATCH ${line}`).join("\n");
}

/** A value of a directive, in quotes where it has blanks. */
function quoted(value: string): string {
  return /\s/.test(value) ? JSON.stringify(value) : value;
}

/**
 * The scheduler's warning goes to the shell, which asks the worker to stop: the loop ends its step and
 * writes a checkpoint, and the task goes back into the queue, as it does where the warning comes before
 * there is a worker. A user's scancel does not.
 */
function body({ setup, requeue, sluice }: Cluster, submission: Submission): string {
  const { project, command, userFolder } = submission;
  const key = userFolder === undefined ? [] : [
    "# The user's key and trust: without them nodes believe no record, and compute all again.",
    `export XDG_CONFIG_HOME=${shellWords([userFolder])}`,
  ];
  const requeued = 'scontrol requeue "$SLURM_JOB_ID"';
  return [
    "set -u",
    "warned=0",
    "trap warned=1 USR1",
    `cd ${shellWords([project])}`,
    ...setup,
    ...key,
    ...requeue ? [`[ "$warned" -eq 1 ] && ${requeued} && exit 130`] : [],
    `srun --ntasks=1 ${sluice ?? submission.sluice} ${shellWords(command)} &`,
    "worker=$!",
    "trap 'warned=1; kill -TERM \"$worker\" 2>/dev/null' USR1",
    "trap 'kill -TERM \"$worker\" 2>/dev/null' TERM",
    'wait "$worker"; status=$?',
    'while kill -0 "$worker" 2>/dev/null; do wait "$worker"; status=$?; done',
    ...requeue ? [`[ "$warned" -eq 1 ] && [ "$status" -ge 128 ] && ${requeued}`] : [],
    'exit "$status"',
  ].join("\n");
}

/**
 * The number of a job in the output of sbatch, among the banner of a site.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { jobOf } from "./slurm.ts";
 * assert.equal(jobOf("Welcome to the cluster!\n4711;cluster\n"), "4711");
 * assert.equal(jobOf("Submitted batch job 12\n"), "12");
 * ```
 */
export function jobOf(printed: string): string | undefined {
  const lines = printed.split("\n").map((line) => line.trim()).toReversed();
  for (const line of lines) {
    const job = /^(\d+)(?:;\S+)?$|^Submitted batch job (\d+)/.exec(line);
    if (job) return job[1] ?? job[2];
  }
  return undefined;
}
