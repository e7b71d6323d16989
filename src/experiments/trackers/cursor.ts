/** Cursor of an export: how far each tag is written, so that what is exported again is only what is new. */
import { join } from "node:path";
import { readIfThere, writeAtomic } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import type { TrackedPoint } from "./points.ts";

/** `sluice-cursor.json` in the folder of an export. */
interface Cursor {
  readonly format: 1;
  /** How often something new was written: the number of the next file. */
  readonly files: number;
  /** Last step by run, instance and tag. */
  readonly steps: Readonly<Record<string, number>>;
}

const nothing: Cursor = { format: 1, files: 0, steps: {} };

/** The cursor of a folder; of a new one, that of nothing. */
export function readCursor(folder: string): Cursor {
  try {
    const bytes = readIfThere(join(folder, "sluice-cursor.json"));
    const value = bytes && JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) && value.format === 1 ? value as unknown as Cursor : nothing;
  } catch {
    return nothing;
  }
}

/** Points behind the cursor: a step that was written is not written again, also after a rewind. */
export function behind(cursor: Cursor, points: readonly TrackedPoint[]): TrackedPoint[] {
  return points.filter((point) => point.step > (cursor.steps[keyOf(point)] ?? -1));
}

/** Moves the cursor behind points whose file is there: a crash before it writes that file again. */
export function moveCursor(folder: string, cursor: Cursor, written: readonly TrackedPoint[]): void {
  const steps = { ...cursor.steps };
  for (const one of written) steps[keyOf(one)] = Math.max(steps[keyOf(one)] ?? -1, one.step);
  const moved: Cursor = { format: 1, files: cursor.files + 1, steps };
  writeAtomic(join(folder, "sluice-cursor.json"), JSON.stringify(moved) + "\n");
}

function keyOf({ run, instance, tag }: TrackedPoint): string {
  return `${run} ${instance} ${tag}`;
}
