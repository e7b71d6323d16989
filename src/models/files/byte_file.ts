/** A file that is read in stretches, so that a model is never in memory as a whole. */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { loadAgain, modelError } from "./model_error.ts";

/** An open file. */
export class ByteFile {
  readonly #descriptor: number;
  /** Bytes of the file. */
  readonly size: number;

  /** @throws InputError if it is no regular file: to open a pipe may never return. */
  constructor(readonly path: string) {
    if (!statSync(path).isFile()) {
      const [problem, mend] = ["it is no regular file", "name the file that holds the model"];
      throw modelError({ kind: "file", path, problem, mend });
    }
    this.#descriptor = openSync(path, "r");
    this.size = fstatSync(this.#descriptor).size;
  }

  /**
   * Fresh copies of the bytes [begin, end).
   *
   * @throws InputError if the file ends before.
   */
  read(begin: number, end: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(0, end - begin));
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(this.#descriptor, bytes, done, bytes.length - done, begin + done);
      if (count === 0) throw this.#ended(end);
      done += count;
    }
    return bytes;
  }

  #ended(end: number) {
    const problem = `it ends after ${this.size} bytes, ${end} are wanted`;
    return modelError({ kind: "truncated", path: this.path, problem, mend: loadAgain });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
