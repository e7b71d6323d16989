/** Stamps of files: size, times and inode, by which a file that is as it was need not be read again. */

/** Milliseconds within which a coarse clock of a file system may give two changes one time. */
const coarse = 2000;

/**
 * Size, times (ms) and inode of a file. The time of change is among them because a copy can keep the
 * time of modification (`cp -p`, `rsync -t`, `tar`), but no program can set the other.
 *
 * @throws as `Deno.statSync` does, if there is no such file.
 */
export function stampOf(path: string): string {
  const { size, mtime, ctime, ino } = Deno.statSync(path);
  return [size, Number(mtime), Number(ctime), ino].join(" ");
}

/** False if the file could change once more and keep this stamp. */
export function isSettled(stamp: string): boolean {
  return Date.now() - Number(stamp.split(" ")[2]) > coarse;
}
