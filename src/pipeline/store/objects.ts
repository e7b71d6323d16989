/** The content-addressed store: every artifact once, under the SHA-256 of its bytes. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { explainWrites, readIfThere, removeIfThere, writeAtomic } from "../../base/atomic.ts";
import { stampOf } from "../../base/file_stamp.ts";
import { hashRegular } from "../../base/regular_file.ts";
import { Stamps } from "./stamps.ts";

/** Content of the store under a digest. A corrupt object has been removed when it is reported. */
export type ObjectRead =
  | { readonly kind: "found"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "corrupt"; readonly path: string };

/** Bytes from which on an object is known by its stamp: a smaller one is hashed sooner than looked up. */
const stampedBytes = 32 * 1024;

/** Objects under `<root>/.sluice/objects/ab/cdef…`. */
export class ObjectStore {
  readonly #folder: string;
  readonly #root: string;
  #stamps: Stamps | undefined;

  /**
   * Objects of the project whose folder is `root`.
   *
   * @param verify hashes every object that is asked about, whatever its stamp.
   */
  constructor(root: string, readonly verify = false) {
    this.#root = root;
    this.#folder = join(root, ".sluice", "objects");
  }

  /** Path of a digest's object, whether or not it exists. */
  path(digest: string): string {
    if (!/^[0-9a-f]{64}$/.test(digest)) throw new TypeError(`internal: "${digest}" is no SHA-256`);
    return join(this.#folder, digest.slice(0, 2), digest.slice(2));
  }

  /** Keeps bytes and returns their digest. Keeping the same bytes again writes nothing. */
  put(bytes: Uint8Array): string {
    const digest = sha256(bytes);
    if (!this.has(digest)) writeAtomic(this.path(digest), bytes);
    return digest;
  }

  /** Keeps a file, which is moved, and returns its digest. It must lie on the disk of the store. */
  putFile(file: string): string {
    const digest = hashRegular(file, Infinity);
    const path = this.path(digest);
    if (this.has(digest)) removeIfThere(file);
    else {
      explainWrites(path, () => {
        Deno.mkdirSync(dirname(path), { recursive: true });
        sync(file);
        Deno.renameSync(file, path);
      });
    }
    return digest;
  }

  /** True if there is an object of this digest; its bytes are not read. */
  has(digest: string): boolean {
    try {
      return Deno.statSync(this.path(digest)).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  /** Whether the object of a digest is there and whole: hashed, or as it was when it was hashed. */
  check(digest: string): ObjectRead["kind"] {
    const path = this.path(digest);
    const size = sizeOf(path);
    if (size === undefined) return "missing";
    const stamps = size < stampedBytes ? undefined : this.#stamps ??= new Stamps(this.#root);
    if (!this.verify && stamps?.vouch(path, digest)) return "found";
    const stamp = stamps && stampOf(path); // before it is read: who writes meanwhile changes it
    if (hashRegular(path, Infinity) === digest) {
      if (stamp) stamps.learn(digest, stamp);
      return "found";
    }
    removeIfThere(path);
    return "corrupt";
  }

  /** The bytes of a digest, verified. */
  get(digest: string): ObjectRead {
    const path = this.path(digest);
    const bytes = readIfThere(path);
    if (!bytes) return { kind: "missing" };
    if (sha256(bytes) === digest) return { kind: "found", bytes };
    removeIfThere(path);
    return { kind: "corrupt", path };
  }

  /** Writes for the next run which objects were found whole. */
  save(): void {
    this.#stamps?.save();
  }
}

function sizeOf(path: string): number | undefined {
  const info = statSync(path, { throwIfNoEntry: false });
  return info?.isFile() ? info.size : undefined;
}

/** Syncs a file to the disk, before it gets its name. */
function sync(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true });
  file.syncSync();
}
