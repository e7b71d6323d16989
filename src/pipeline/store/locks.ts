/** Advisory locks, one per fingerprint: who computes a stage, so that no two do it by accident. */
import { join } from "node:path";
import { explainWrites } from "../../base/atomic.ts";

/** A lock that is held; it goes with its process, however that ends. */
export interface HeldLock {
  release(): void;
}

/**
 * Takes the lock of a fingerprint, or returns undefined if another holder has it. The lock is the
 * kernel's (flock, LockFileEx): a holder that died holds nothing. On file systems that do not
 * carry locks two processes may both compute; they then write the same bytes.
 */
export function tryLock(root: string, fingerprint: string): HeldLock | undefined {
  const folder = join(root, ".sluice", "locks");
  const path = join(folder, `${fingerprint}.lock`);
  const file = explainWrites(path, () => {
    Deno.mkdirSync(folder, { recursive: true });
    return Deno.openSync(path, { read: true, write: true, create: true });
  });
  if (!file.tryLockSync(true)) {
    file.close();
    return undefined;
  }
  return { release: () => file.close() };
}
