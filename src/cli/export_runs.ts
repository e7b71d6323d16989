/** Exports numbers of a run, or of all runs of a sweep, in the form of another tool. */
import { join } from "node:path";
import { inputError } from "../base/diagnostic.ts";
import {
  type AskRuns,
  readSweep,
  snakefile,
  sweepStatus,
  withResources,
} from "../experiments/mod.ts";
import { TrackedLog, trackedSql, writeTracker } from "../experiments/trackers/mod.ts";
import { findRuns, listSweeps } from "../pipeline/store/mod.ts";
import type { Terminal } from "../report/terminal.ts";
import { askRuns } from "./ask_runs.ts";
import type { exportForms } from "./export_forms.ts";
import { requireWritable, writeOutput } from "./output_files.ts";
import { callOnNodes, clusterOf } from "./submitting.ts";

/** Flags of the command line. */
interface AskedExport {
  readonly to: (typeof exportForms)[number];
  readonly out?: string;
  /** `cluster.toml`, for resources of a Snakefile. */
  readonly slurm?: string;
}

/** Where an export goes by default. */
const places = {
  tensorboard: "tensorboard",
  mlflow: "mlruns",
  wandb: "wandb",
  csv: "export.csv",
  parquet: "export.parquet",
  dvc: "dvclive",
  snakemake: "Snakefile",
};

/** Exports a run or a sweep, whichever has this name. */
export async function exportRuns(
  root: string,
  what: string,
  { to, out = places[to], slurm }: AskedExport,
  terminal: Terminal,
): Promise<void> {
  await requireWritable("--out", out);
  const sweep = listSweeps(root).includes(what) ? what : undefined;
  if (to === "snakemake") return await writeSnakefile(root, what, { out, slurm }, terminal);
  const names = sweep === undefined
    ? new Map(findRuns(root, what).map((run) => [run, run]))
    : pointsOf(root, sweep);
  const runs = [...names.keys()];
  if (to === "csv" || to === "parquet") {
    return await writeTable(root, { runs, sweep }, to, out, terminal);
  }
  const nameOf = (run: string) => names.get(run) ?? run;
  const written = await askOneByOne(root, runs, async (ask) => {
    return await writeTracker({ to, folder: out, nameOf }, await new TrackedLog().read(ask), ask);
  });
  terminal.note(`${written.toLocaleString("en")} points of ${runs.length} runs are new in ${out}`);
}

/** A run that goes on is read by itself. */
async function askOneByOne<T>(
  root: string,
  runs: readonly string[],
  use: (ask: AskRuns) => Promise<T>,
): Promise<T> {
  if (runs.length !== 1) return await askRuns(root, runs, use);
  const { queries } = await import("../pipeline/store/sql/mod.ts");
  return await queries(root, { run: runs[0] }, async (ask) => {
    return await use(async (sql) => (await ask(sql)).objects());
  });
}

/** Folders of the points of a sweep by their runs. */
function pointsOf(root: string, name: string): ReadonlyMap<string, string> {
  const status = sweepStatus(root, readSweep(root, name));
  return new Map(status.flatMap(({ run, point, state }) => {
    return run !== null && state === "done" ? [[run, join(name, `${point}`)]] : [];
  }));
}

async function writeTable(
  root: string,
  { runs, sweep }: { readonly runs: readonly string[]; readonly sweep?: string },
  form: "csv" | "parquet",
  out: string,
  terminal: Terminal,
): Promise<void> {
  const { query } = await import("../pipeline/store/sql/mod.ts");
  const points = sweep === undefined ? "" : `left join (select run_id, min(point) as point,
    json_group_object(path, value) as set from sweep_point where sweep = '${sweep}' group by run_id)
    using (run_id)`;
  const sql = `select * from (${trackedSql}) ${points} order by all`;
  const result = await query(root, sql, { runs, limits: { timeout: 600 } });
  writeOutput(out, await result.format(form));
  terminal.note(`${result.rows.length.toLocaleString("en")} rows are in ${out}`);
}

async function writeSnakefile(
  root: string,
  name: string,
  { out, slurm }: { readonly out: string; readonly slurm?: string },
  terminal: Terminal,
): Promise<void> {
  if (!listSweeps(root).includes(name)) {
    const hint = "snakemake runs the points of a sweep: sluice sweep PIPELINE --set … makes one";
    throw inputError("export/no-sweep", `There is no sweep "${name}" to export`, undefined, hint);
  }
  const sweep = readSweep(root, name);
  const { points } = sweep;
  const { resourcesOfSweep } = await import("./sweep_runner.ts");
  const cluster = withResources(clusterOf(slurm), await resourcesOfSweep(root, sweep));
  const text = snakefile({ sweep: name, points: points.length, sluice: callOnNodes() }, cluster);
  writeOutput(out, text);
  terminal.note(`${points.length} jobs are in ${out}: snakemake --snakefile ${out} --cores 4`);
}
