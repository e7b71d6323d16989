/** Cursor of an export: how far each tag of a run is written, so that only new points are written. */
import { join } from "node:path";
import { readIfThere, writeAtomic } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import { after, keyOf, type TrackedSeries } from "./series.ts";

/** `sluice-cursors/RUN.json` in the folder of an export: a file a run, for runs of a sweep end together. */
interface Cursor {
  readonly format: 1;
  /** Number of exports with new points, the number of the next file. */
  readonly files: number;
  /** Last step by run, instance and tag. */
  readonly steps: Readonly<Record<string, number>>;
}

const nothing: Cursor = { format: 1, files: 0, steps: {} };

/** The cursor of a run; of a new one, that of nothing. */
export function readCursor(folder: string, run: string): Cursor {
  try {
    const bytes = readIfThere(pathOf(folder, run));
    const value = bytes && JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) && value.format === 1 ? value as unknown as Cursor : nothing;
  } catch {
    return nothing;
  }
}

/** Numbers behind the cursor: a step that was written is not written again, also after a rewind. */
export function behind(cursor: Cursor, series: readonly TrackedSeries[]): TrackedSeries[] {
  return series.map((one) => after(one, cursor.steps[keyOf(one)] ?? -1))
    .filter(({ steps }) => steps.length > 0);
}

/** Moves the cursor behind numbers whose file is there: a crash before it writes that file again. */
export function moveCursor(
  folder: string,
  run: string,
  cursor: Cursor,
  written: readonly TrackedSeries[],
): void {
  const reached = written.map((one) => [keyOf(one), one.steps.at(-1)!] as const);
  const steps = { ...cursor.steps, ...Object.fromEntries(reached) };
  const moved: Cursor = { format: 1, files: cursor.files + 1, steps };
  writeAtomic(pathOf(folder, run), JSON.stringify(moved) + "\n");
}

function pathOf(folder: string, run: string): string {
  return join(folder, "sluice-cursors", `${run}.json`);
}
