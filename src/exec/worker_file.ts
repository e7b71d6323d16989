/** Where the bundled engine worker lies, and the digest that stands for the engine. */
import { fileURLToPath } from "node:url";
import { sha256 } from "../base/digest.ts";
import { readOwnFile } from "./own_file.ts";

/** Path of the bundled worker, beside this file. */
export function workerPath(): string {
  return fileURLToPath(new URL("./worker.js", import.meta.url));
}

/**
 * SHA-256 of the worker's bytes: the engine's part of every memo key and fingerprint.
 *
 * @throws MissingPartError if there is no such file.
 */
export function engineDigest(file: string = workerPath()): string {
  return sha256(readOwnFile(file));
}
