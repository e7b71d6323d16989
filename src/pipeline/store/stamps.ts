/** Which files were hashed, and as what, by size, times and inode: a file that has them is not read again. */
import { join } from "node:path";
import { writeAtomic } from "../../base/atomic.ts";
import { isSettled, stampOf } from "../../base/file_stamp.ts";
import { readRegularText } from "../../base/regular_file.ts";
import { JsonSeals } from "../../base/sealed_json.ts";

/** Purpose under which the file of stamps is sealed. */
const sealedAs = "stamps";

/** Digests of large files of a project by their stamps, in `.sluice/stamps.json`, sealed by the user's key. */
export class Stamps {
  readonly #path: string;
  readonly #seals: JsonSeals;
  readonly #known: Map<string, string>;
  #changed = false;

  constructor(root: string) {
    this.#path = join(root, ".sluice", "stamps.json");
    this.#seals = new JsonSeals(root);
    this.#known = this.#read();
  }

  /** True if the file has the stamp that it had when it was found to be of this digest. */
  vouch(path: string, digest: string): boolean {
    return this.#known.get(digest) === stampOf(path);
  }

  /** Records that a file with this stamp has this digest, unless it could change once more unseen. */
  learn(digest: string, stamp: string): void {
    if (!isSettled(stamp)) return;
    this.#known.set(digest, stamp);
    this.#changed = true;
  }

  /** Writes what is known for the next run. */
  save(): void {
    if (!this.#changed) return;
    const sealed = this.#seals.seal(sealedAs, { files: Object.fromEntries(this.#known) });
    writeAtomic(this.#path, JSON.stringify(sealed));
    this.#changed = false;
  }

  #read(): Map<string, string> {
    try {
      const files = this.#seals.open(sealedAs, JSON.parse(readRegularText(this.#path)))?.files;
      return new Map(Object.entries(files ?? {}) as [string, string][]);
    } catch {
      return new Map();
    }
  }
}
