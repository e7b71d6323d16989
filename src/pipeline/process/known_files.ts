/** Files of a project's code, each read once for all module graphs that it is part of. */
import { type HashedFile, hashedFile, stillHolds } from "./hashed_file.ts";

/** A file's content, of which a graph was made. */
export type FileContent = Pick<HashedFile, "path" | "sha256">;

/** Files by their paths, with their digests and stamps. */
export class KnownFiles {
  readonly #files: Map<string, HashedFile>;
  readonly #looked = new Set<string>();
  #changed = false;

  constructor(files: readonly HashedFile[] = []) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /** True once a file got another stamp or digest than was kept. */
  get changed(): boolean {
    return this.#changed;
  }

  /** To be called once they are kept for the next run. */
  saved(): void {
    this.#changed = false;
  }

  /** A file as it is now, read once. @throws if it cannot be read. */
  read(path: string): HashedFile {
    const known = this.#files.get(path);
    if (known && this.#looked.has(path)) return known;
    this.#looked.add(path);
    return this.#keep((known && stillHolds(known)) ?? hashedFile(path));
  }

  /** True if a file has this content; the file itself is read once. */
  holds({ path, sha256 }: FileContent): boolean {
    try {
      return this.read(path).sha256 === sha256;
    } catch {
      return false;
    }
  }

  /** As `holds`, of this moment. */
  holdsNow(file: FileContent): boolean {
    this.#looked.delete(file.path);
    return this.holds(file);
  }

  /** The last record of a file, without a look at it. */
  kept(path: string): HashedFile | undefined {
    return this.#files.get(path);
  }

  #keep(file: HashedFile): HashedFile {
    this.#changed ||= this.#files.get(file.path) !== file;
    this.#files.set(file.path, file);
    return file;
  }
}
