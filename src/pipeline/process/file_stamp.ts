/** Stamps of files: whether a file is what it was, without reading it again each time. */
import { hashRegular } from "../../base/regular_file.ts";

/** Stamp of a file when it was last read. */
export interface FileStamp {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Size, both times and number of the file; empty if it changed just before it was read. */
  readonly seen: string;
}

/** Milliseconds within which a coarse clock may give two changes one time. */
const coarse = 2000;

/** The stamp of a file as it is now. */
export function stampOf(path: string): FileStamp {
  const stats = Deno.statSync(path);
  const isSettled = Date.now() - (stats.ctime?.getTime() ?? Infinity) > coarse;
  return {
    path,
    sha256: hashRegular(path),
    size: stats.size,
    seen: isSettled ? seenIn(stats) : "",
  };
}

/**
 * The stamp of a file that still has the content of this one: the same, or with what is seen of the
 * file now, or undefined. The time of change is compared because a copy can keep the time of
 * modification (`cp -p`, `rsync -t`, `tar`), but no program can set the other.
 */
export function stillHolds(stamp: FileStamp): FileStamp | undefined {
  try {
    const stats = Deno.statSync(stamp.path);
    if (stamp.seen === seenIn(stats)) return stamp;
    if (stamp.size !== stats.size) return undefined;
    const now = stampOf(stamp.path);
    return now.sha256 === stamp.sha256 ? now : undefined;
  } catch {
    return undefined;
  }
}

function seenIn({ size, mtime, ctime, ino }: Deno.FileInfo): string {
  return `${size} ${mtime?.getTime()} ${ctime?.getTime()} ${ino}`;
}
