/** Stamps of files: size, times and inode, by which a file that is as it was need not be read again. */
import { statSync } from "node:fs";

/** Milliseconds within which a coarse clock of a file system may give two changes one time. */
const coarse = 2000;

/**
 * Size, times (ns) and inode of a file. The time of change is among them because a copy can keep the
 * time of modification (`cp -p`, `rsync -t`, `tar`), but no program can set the other.
 *
 * @throws as `statSync` does, if there is no such file.
 */
export function stampOf(path: string): string {
  const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
  return [size, mtimeNs, ctimeNs, ino].join(" ");
}

/** False if the file could change once more and keep this stamp. */
export function isSettled(stamp: string): boolean {
  return Date.now() - Number(stamp.split(" ")[2]) / 1e6 > coarse;
}
