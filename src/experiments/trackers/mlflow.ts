/** Writes numbers and parameters of runs as a folder that MLflow reads, its file store; whole each time. */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { writeAtomic } from "../../base/atomic.ts";
import { countPoints, type TrackedParams, trackedRuns, type TrackedSeries } from "./series.ts";

/** The experiment that holds the runs; `mlflow migrate-filestore` expects a number. */
const experiment = "1";

/** Letters of a parameter that MLflow takes. */
const mostLetters = 6000;

/**
 * Writes a folder for `mlflow migrate-filestore`, or for `mlflow ui --backend-store-uri FOLDER` with
 * `MLFLOW_ALLOW_FILE_STORE=true`: one experiment, a run of MLflow's for
 * each run and instance, with every point and every parameter. The same run has the same id in each
 * export, so that no point is there twice. Gives how many points it wrote.
 */
export function exportMlflow(
  folder: string,
  series: readonly TrackedSeries[],
  nameOf: (run: string) => string,
  params: TrackedParams,
): number {
  if (series.length === 0) return 0;
  const at = pathToFileURL(resolve(folder, experiment)).href;
  const began = milliseconds(series[0].walls[0]);
  const times = { creation_time: began, last_update_time: began };
  const about = { artifact_location: at, ...times, experiment_id: experiment, name: "sluice" };
  writeMeta(join(folder, experiment), { ...about, lifecycle_stage: "active" });
  for (const { run, id, name, series: own } of trackedRuns(series, nameOf)) {
    writeRun(folder, { id: id.slice(0, 32), at, name }, own, params.get(run) ?? {});
  }
  return countPoints(series);
}

function writeRun(
  folder: string,
  { id, at, name }: { readonly id: string; readonly at: string; readonly name: string },
  series: readonly TrackedSeries[],
  params: Readonly<Record<string, string>>,
): void {
  const own = join(folder, experiment, id);
  const times = series.flatMap(({ walls }) => walls).map(milliseconds);
  Deno.mkdirSync(join(own, "artifacts"), { recursive: true }); // or MLflow takes it for no run
  writeMeta(own, {
    artifact_uri: `${at}/${id}/artifacts`,
    end_time: times.reduce((a, b) => Math.max(a, b)),
    entry_point_name: "",
    experiment_id: experiment,
    lifecycle_stage: "active",
    run_id: id,
    run_name: name,
    run_uuid: id,
    source_name: "",
    source_type: 4, // local
    source_version: "",
    start_time: times.reduce((a, b) => Math.min(a, b)),
    status: 3, // finished
    tags: [],
    user_id: "",
  });
  for (const { tag, steps, values, walls } of series) {
    const lines = steps.map((step, i) =>
      `${milliseconds(walls[i])} ${numberText(values[i])} ${step}\n`
    );
    writeAtomic(join(own, "metrics", tag), lines.join(""));
  }
  for (const [path, value] of Object.entries(params)) {
    writeAtomic(join(own, "params", keyOf(path)), value.slice(0, mostLetters));
  }
  for (const [key, value] of [["mlflow.runName", name], ["sluice.run", series[0].run]]) {
    writeAtomic(join(own, "tags", key), value);
  }
}

/** YAML of one level: each value as JSON, which YAML reads. */
function writeMeta(folder: string, values: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  writeAtomic(join(folder, "meta.yaml"), lines.join(""));
}

function milliseconds(wall: number): number {
  return Math.round(1000 * wall);
}

/** Number as Python reads it. */
function numberText(value: number): string {
  return Number.isNaN(value) ? "nan" : `${value}`.replace("Infinity", "inf");
}

/** MLflow takes letters, digits and some signs in a key. */
function keyOf(path: string): string {
  return path.replace(/[^A-Za-z0-9_\-. :]/g, "_");
}
