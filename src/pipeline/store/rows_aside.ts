/** Exchanges the folder of a run's rows for another one; a kill in between loses neither. */
import { join } from "node:path";
import { explainWrites } from "../../base/atomic.ts";

/** Where lines are put aside while files take their place. */
const aside = "rows.old";

/** Replaces the rows of a run by packed ones. */
export function swapRows(folder: string, packed: string): void {
  explainWrites(folder, () => {
    Deno.renameSync(join(folder, "rows"), join(folder, aside));
    Deno.renameSync(packed, join(folder, "rows"));
    Deno.removeSync(join(folder, aside), { recursive: true });
  });
}

/** Puts rows back, or what was put aside away, where a process was killed between the two. */
export function mendRows(folder: string): void {
  const [rows, old] = [join(folder, "rows"), join(folder, aside)];
  if (!isThere(old)) return;
  if (isThere(rows)) Deno.removeSync(old, { recursive: true });
  else Deno.renameSync(old, rows);
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
