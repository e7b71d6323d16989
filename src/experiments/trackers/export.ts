/** Writes numbers of runs for other tools: TensorBoard, DVC; repeated exports add new ones alone. */
import { join } from "node:path";
import { writeAtomic } from "../../base/atomic.ts";
import { behind, moveCursor, readCursor } from "./cursor.ts";
import { countPoints, type TrackedSeries } from "./series.ts";
import { eventFile } from "./tfevents.ts";

/** Name of a run's folder in an export, by its id. */
type RunNames = (run: string) => string;

/**
 * Adds new points to a folder that `tensorboard --logdir` reads: a folder for each run and instance,
 * an event file for each export. Gives how many points were written.
 */
export function exportTensorboard(
  folder: string,
  series: readonly TrackedSeries[],
  nameOf: RunNames,
): number {
  let written = 0;
  for (const [run, all] of Map.groupBy(series, (one) => one.run)) {
    const cursor = readCursor(folder, run);
    const fresh = behind(cursor, all);
    if (fresh.length === 0) continue;
    for (const [place, some] of Map.groupBy(fresh, (one) => placeOf(one, nameOf))) {
      const wall = Math.min(...some.map(({ walls }) => walls[0]));
      const name = `events.out.tfevents.${String(Math.floor(wall)).padStart(10, "0")}.sluice`;
      const path = join(folder, place, `${name}.${String(cursor.files).padStart(6, "0")}`);
      writeAtomic(path, eventFile(some, wall));
    }
    moveCursor(folder, run, cursor, fresh);
    written += countPoints(fresh);
  }
  return written;
}

/**
 * Writes a folder that `dvc plots` and `dvc metrics` read: a table for each tag, and the last values.
 * The files are written whole each time.
 */
export function exportDvc(
  folder: string,
  series: readonly TrackedSeries[],
  nameOf: RunNames,
): number {
  for (const [place, some] of Map.groupBy(series, (one) => placeOf(one, nameOf))) {
    for (const { tag, steps, values } of some) {
      const name = tag.split("/").at(-1)!;
      const rows = steps.map((step, i) => `${step}\t${values[i]}\n`).join("");
      writeAtomic(join(folder, place, "plots", "metrics", `${tag}.tsv`), `step\t${name}\n${rows}`);
    }
    const last = Object.fromEntries(some.map(({ tag, values }) => [tag, values.at(-1)!]));
    const text = JSON.stringify(
      last,
      (_, value) => typeof value === "number" && !Number.isFinite(value) ? `${value}` : value,
      2,
    );
    writeAtomic(join(folder, place, "metrics.json"), text + "\n");
  }
  return countPoints(series);
}

function placeOf({ run, instance }: TrackedSeries, nameOf: RunNames): string {
  return instance === "" ? nameOf(run) : join(nameOf(run), instance);
}
