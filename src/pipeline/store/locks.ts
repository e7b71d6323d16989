/** Advisory locks, one per fingerprint: who computes a stage, so that no two do it by accident. */
import { join } from "node:path";
import { explainWrites } from "../../base/atomic.ts";

/** A lock that is held; it goes with its process, however that ends. */
export interface HeldLock {
  /** False where the file system carries no locks: others may believe that they hold it too. */
  readonly isExclusive: boolean;
  release(): void;
}

/**
 * Takes the lock of a fingerprint, or returns undefined if another holder has it. The lock is the
 * kernel's (flock, LockFileEx): a holder that died holds nothing. On file systems that do not carry
 * locks (NFS without lockd, some Lustre and FUSE mounts) each process gets one that excludes no
 * other; two may then both compute, and write the same bytes.
 */
export function tryLock(
  root: string,
  fingerprint: string,
  lock: (file: Deno.FsFile) => boolean = (file) => file.tryLockSync(true),
): HeldLock | undefined {
  const folder = join(root, ".sluice", "locks");
  const path = join(folder, `${fingerprint}.lock`);
  const file = explainWrites(path, () => {
    Deno.mkdirSync(folder, { recursive: true });
    return Deno.openSync(path, { read: true, write: true, create: true });
  });
  const isExclusive = lockIfPossible(file, lock);
  if (isExclusive === "held") {
    file.close();
    return undefined;
  }
  return { isExclusive, release: () => file.close() };
}

function lockIfPossible(
  file: Deno.FsFile,
  lock: (file: Deno.FsFile) => boolean,
): boolean | "held" {
  try {
    return lock(file) || "held";
  } catch {
    return false; // ENOLCK, ENOTSUP, ENOSYS: this file system has none
  }
}
