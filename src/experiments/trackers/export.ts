/** Writes numbers of runs for other tools: TensorBoard, DVC; each again only what is new. */
import { join } from "node:path";
import { writeAtomic } from "../../base/atomic.ts";
import { behind, moveCursor, readCursor } from "./cursor.ts";
import type { TrackedPoint } from "./points.ts";
import { eventFile } from "./tfevents.ts";

/** Name of a run's folder in an export, by its id. */
type RunNames = (run: string) => string;

/**
 * Adds what is new to a folder that `tensorboard --logdir` reads: a folder for each run and instance,
 * an event file for each export. Gives how many points were written.
 */
export function exportTensorboard(
  folder: string,
  points: readonly TrackedPoint[],
  nameOf: RunNames,
): number {
  const cursor = readCursor(folder);
  const fresh = behind(cursor, points);
  if (fresh.length === 0) return 0;
  for (const [place, some] of Map.groupBy(fresh, (one) => placeOf(one, nameOf))) {
    const wall = Math.min(...some.slice(0, 1000).map((one) => one.wall));
    const name = `events.out.tfevents.${String(Math.floor(wall)).padStart(10, "0")}.sluice`;
    const path = join(folder, place, `${name}.${String(cursor.files).padStart(6, "0")}`);
    writeAtomic(path, eventFile(some, wall));
  }
  moveCursor(folder, cursor, fresh);
  return fresh.length;
}

/**
 * Writes a folder that `dvc plots` and `dvc metrics` read: a table for each tag, and the last values.
 * The files are written whole each time.
 */
export function exportDvc(
  folder: string,
  points: readonly TrackedPoint[],
  nameOf: RunNames,
): number {
  for (const [place, some] of Map.groupBy(points, (one) => placeOf(one, nameOf))) {
    const last: Record<string, number> = {};
    for (const [tag, all] of Map.groupBy(some, (one) => one.tag)) {
      const sorted = all.toSorted((a, b) => a.step - b.step);
      const name = tag.split("/").at(-1)!;
      const rows = sorted.map(({ step, value }) => `${step}\t${value}\n`).join("");
      writeAtomic(join(folder, place, "plots", "metrics", `${tag}.tsv`), `step\t${name}\n${rows}`);
      last[tag] = sorted.at(-1)!.value;
    }
    const text = JSON.stringify(
      last,
      (_, value) => typeof value === "number" && !Number.isFinite(value) ? `${value}` : value,
      2,
    );
    writeAtomic(join(folder, place, "metrics.json"), text + "\n");
  }
  return points.length;
}

function placeOf({ run, instance }: TrackedPoint, nameOf: RunNames): string {
  return instance === "" ? nameOf(run) : join(nameOf(run), instance);
}
