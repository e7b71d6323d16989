/** Claims: who is executing which program, so that runs that began together share the work. */
import { join } from "node:path";
import { explainWrites, readIfThere, removeIfThere } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import { ulid } from "../basics/ulid.ts";
import { isAlive, isOfThisHost, type ProcessIdentity, thisProcess } from "./machine.ts";

/** Milliseconds between two signs of life, and after which a silent process counts as dead. */
const [beatEvery, silentAfter] = [5000, 30_000];

/** Bytes of a process's own description. */
const mostBytes = 1 << 16;

/** Digits of a hash in the name of a claim. */
const nameLength = 32;

/**
 * Claims of this process on programs of a memo. A claim is a file that was made exclusively: a hard link to
 * the owner's own file, whose content names the owner and whose time of change is its sign of life. Claims
 * save work and decide nothing: where one breaks, two processes find the same result.
 */
export class Claims {
  readonly #folder: string;
  readonly #owner: Owner;
  readonly #seen = new Map<string, { readonly mtime: number; readonly at: number }>();

  /** Claims lie under `memoFolder`, in the name of `owner`. */
  constructor(memoFolder: string, owner: Owner) {
    this.#folder = join(memoFolder, "claims");
    this.#owner = owner;
  }

  /** True if the program is this process's now; a claim of a dead process is taken over. */
  take(hash: string): boolean {
    const path = this.#path(hash);
    if (this.#make(path)) return true;
    if (!this.isAbandoned(hash)) return false;
    try {
      removeIfThere(path);
    } catch {
      return true; // an entry that cannot be removed is no claim and blocks no process
    }
    return this.#make(path);
  }

  /** Gives a claim back. */
  release(hash: string): void {
    removeIfThere(this.#path(hash));
    this.#seen.delete(hash);
  }

  /** True if no process holds the program, or its holder is dead. */
  isAbandoned(hash: string): boolean {
    const path = this.#path(hash);
    const owner = ownerIn(path); // opened before its time of change is asked for
    const mtime = changedAt(path);
    if (mtime === undefined) return true;
    const alive = owner && (isAlive(owner) ?? holdsLock(path, owner));
    if (alive !== undefined) return !alive;
    return this.#isSilent(hash, mtime);
  }

  /** By this process's own clock: those of two machines may differ. */
  #isSilent(hash: string, mtime: number): boolean {
    const [seen, now] = [this.#seen.get(hash), performance.now()];
    if (seen?.mtime === mtime) return now - seen.at > silentAfter;
    this.#seen.set(hash, { mtime, at: now });
    return false;
  }

  #make(path: string): boolean {
    return explainWrites(path, () => {
      try {
        return this.#owner.link(path);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        Deno.mkdirSync(this.#folder, { recursive: true });
        return this.#owner.link(path);
      }
    });
  }

  #path(hash: string): string {
    return join(this.#folder, hash.slice(0, nameLength));
  }
}

/** The file that is the sign of life of a process, under `<root>/.sluice/memo/writers`. */
export class Owner {
  readonly #path: string;
  readonly #identity: ProcessIdentity;
  #file: Deno.FsFile | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** The file is written with the first claim. */
  constructor(root: string, identity: ProcessIdentity = thisProcess()) {
    this.#path = join(root, ".sluice", "memo", "writers", ulid());
    this.#identity = identity;
  }

  /** Makes a claim at a path; false if there is one. */
  link(path: string): boolean {
    this.#begin();
    try {
      Deno.linkSync(this.#path, path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      if (error instanceof Deno.errors.NotFound) throw error;
      return this.#create(path); // a file system without hard links, or with too few
    }
  }

  /** Ends the signs of life. */
  close(): void {
    clearInterval(this.#timer);
    if (this.#timer !== undefined) removeIfThere(this.#path);
    this.#timer = undefined;
    this.#file?.close();
    this.#file = undefined;
  }

  #begin(): void {
    if (this.#timer !== undefined) return;
    Deno.mkdirSync(join(this.#path, ".."), { recursive: true });
    removeDead(join(this.#path, ".."));
    this.#file = Deno.openSync(this.#path, { read: true, write: true, createNew: true });
    const locked = lockIfPossible(this.#file);
    this.#file.writeSync(new TextEncoder().encode(JSON.stringify({ ...this.#identity, locked })));
    this.#timer = setInterval(() => this.#beat(), beatEvery);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  #beat(): void {
    try {
      Deno.utimeSync(this.#path, new Date(), new Date());
    } catch {
      // The folder is gone or cannot be written: others will take over.
    }
  }

  #create(path: string): boolean {
    try {
      using file = Deno.openSync(path, { write: true, createNew: true });
      file.writeSync(new TextEncoder().encode(JSON.stringify(this.#identity)));
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    }
  }
}

/** True if the kernel carries locks there, so that this one goes with its process. */
function lockIfPossible(file: Deno.FsFile): boolean {
  try {
    return file.tryLockSync(true);
  } catch {
    return false;
  }
}

/**
 * Whether the owner of a claim still holds the lock of its file, which the claim is a link to;
 * undefined if it has none, or is of another host, whose locks a file system may not show here.
 */
function holdsLock(path: string, owner: ClaimOwner): boolean | undefined {
  if (!owner.locked || !isOfThisHost(owner)) return undefined;
  try {
    using file = Deno.openSync(path, { read: true, write: true });
    return !file.tryLockSync(true);
  } catch {
    return undefined;
  }
}

/** Owner of a claim, as its file states it. */
interface ClaimOwner extends ProcessIdentity {
  /** True if the owner holds the kernel's lock of the file. */
  readonly locked: boolean;
}

/** Removes the files of processes of this machine that have ended without doing so. */
function removeDead(folder: string): void {
  for (const { name } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    const owner = ownerIn(path);
    if (owner && (isAlive(owner) ?? holdsLock(path, owner)) === false) removeIfThere(path);
  }
}

/**
 * When a file changed last. Open it before: a shared folder may answer for a path from a cache that is
 * a minute old, and asks its server when a file is opened (NFS, RFC 8881, section 10.3.1).
 */
function changedAt(path: string): number | undefined {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Owner of a claim; undefined if the file names none, cannot be read, or is a pipe, which is not opened. */
function ownerIn(path: string): ClaimOwner | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(readIfThere(path, mostBytes)));
    if (!isRecord(value) || typeof value.pid !== "number") return undefined;
    const [host, machine, started] = [value.host, value.machine, value.started].map(String);
    return { host, machine, started, pid: value.pid, locked: value.locked === true };
  } catch {
    return undefined;
  }
}
