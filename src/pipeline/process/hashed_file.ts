/** Files by digest and stamp: whether one has the content that it had, without reading it each time. */
import { isSettled, stampOf } from "../../base/file_stamp.ts";
import { hashRegular } from "../../base/regular_file.ts";

/** A file as it was read last. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
  /** Its stamp; empty if it changed just before it was read. */
  readonly stamp: string;
}

/** Reads and hashes a file. */
export function hashedFile(path: string): HashedFile {
  const stamp = stampOf(path);
  const settled = isSettled(stamp);
  return { path, sha256: hashRegular(path), stamp: settled ? stamp : "" };
}

/** The file with its stamp of now, if it still has this content. */
export function stillHolds(file: HashedFile): HashedFile | undefined {
  try {
    if (file.stamp === stampOf(file.path)) return file;
    const now = hashedFile(file.path);
    return now.sha256 === file.sha256 ? now : undefined;
  } catch {
    return undefined;
  }
}
