/** The content-addressed store: every artifact once, under the SHA-256 of its bytes. */
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { readIfThere, removeIfThere, writeAtomic } from "../../base/atomic.ts";

/** What the store holds under a digest. A corrupt object has been removed when it is reported. */
export type ObjectRead =
  | { readonly kind: "found"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "corrupt"; readonly path: string };

/** Objects under `<root>/.sluice/objects/ab/cdef…`. */
export class ObjectStore {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, ".sluice", "objects");
  }

  /** Where the object of a digest lies, or would lie. */
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

  /** True if there is an object of this digest; its bytes are checked by `get` only. */
  has(digest: string): boolean {
    try {
      return Deno.statSync(this.path(digest)).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
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
}
