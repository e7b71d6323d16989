/** Opens files of unknown origin: only regular ones of bounded size, with a check of links. */
import { createHash } from "node:crypto";
import { isAbsolute, relative } from "node:path";
import { inputError } from "./diagnostic.ts";
import { joinParts } from "./join_parts.ts";

/** Most bytes of a file, by default: 1 GiB. */
export const defaultMaxFileBytes = 1024 ** 3;

/** Bytes read at once. */
const chunkBytes = 1024 * 1024;

/**
 * All bytes of a regular file. A device, a pipe or a folder is refused before it is opened, for
 * opening it may never return.
 *
 * @throws InputError `file/not-regular`, `file/too-large`; Deno's own error if there is no such file.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readRegular } from "./regular_file.ts";
 * assert.throws(() => readRegular("/dev/null"), /it is a device/);
 * ```
 */
export function readRegular(path: string, maxBytes: number = defaultMaxFileBytes): Uint8Array {
  return joinParts([...chunksOf(path, maxBytes, true)]);
}

/** The text of a regular file, like `readRegular`. */
export function readRegularText(path: string, maxBytes?: number): string {
  return new TextDecoder().decode(readRegular(path, maxBytes));
}

/** Lower-case hexadecimal SHA-256 of a regular file, of which no more than a chunk is held. */
export function hashRegular(path: string, maxBytes: number = defaultMaxFileBytes): string {
  const hash = createHash("sha256");
  for (const chunk of chunksOf(path, maxBytes, false)) hash.update(chunk);
  return hash.digest("hex");
}

/** The bytes in order; without `keep` each chunk is valid until the next is asked for. */
function* chunksOf(path: string, maxBytes: number, keep: boolean): Generator<Uint8Array> {
  const { size } = requireRegular(path, Deno.statSync(path), maxBytes);
  using file = Deno.openSync(path);
  // It may have been exchanged between the two calls.
  requireRegular(path, file.statSync(), maxBytes);
  let buffer = new Uint8Array(Math.min(chunkBytes, size + 1));
  for (let total = 0;;) {
    const read = file.readSync(buffer);
    if (read === null) return;
    total += read;
    if (total > maxBytes) throw tooLarge(path, total, maxBytes);
    yield buffer.subarray(0, read);
    if (keep) buffer = new Uint8Array(Math.min(chunkBytes, Math.max(4096, size - total + 1)));
  }
}

function requireRegular(path: string, info: Deno.FileInfo, maxBytes: number): Deno.FileInfo {
  if (!info.isFile) {
    const message = `Cannot read ${path}: it is ${nameOf(info)}, wanted a regular file`;
    throw inputError("file/not-regular", message, undefined, "name a file that holds the data");
  }
  if (info.size > maxBytes) throw tooLarge(path, info.size, maxBytes);
  return info;
}

function nameOf({ isDirectory, isFifo, isSocket }: Deno.FileInfo): string {
  if (isDirectory) return "a folder";
  if (isFifo) return "a pipe";
  return isSocket ? "a socket" : "a device";
}

function tooLarge(path: string, size: number, maxBytes: number): Error {
  const message = `Cannot read ${path}: it has ${inGib(size)}, more than the limit of ${
    inGib(maxBytes)
  }`;
  const enough = Math.ceil(size / 1024 ** 3);
  const hint = `keep fewer rows, or raise the limit: --max-file-size ${enough}GiB`;
  return inputError("file/too-large", message, undefined, hint);
}

function inGib(bytes: number): string {
  return bytes < 1024 ** 3 ? `${bytes} bytes` : `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}

/**
 * Refuses a path that stands inside of a folder and leads out of it by a symbolic link, unless it
 * ends in one of the folders that the user trusts. Paths that are written outside are not its matter.
 *
 * @throws InputError `file/link-outside`.
 */
export function refuseLinksOutside(
  path: string,
  root: string,
  trusted: readonly string[] = [],
): void {
  if (!isInside(path, root)) return;
  const target = realPathOf(path);
  if (target === undefined || isInside(target, realPathOf(root) ?? root)) return;
  if (trusted.some((folder) => isInside(target, realPathOf(folder) ?? folder))) return;
  const message = `Cannot use ${path}: a symbolic link leads out of the project, to ${target}`;
  const hint = `if that is meant: sluice trust add ${target}`;
  throw inputError("file/link-outside", message, undefined, hint);
}

/** Whether a file that is there lies in none of the folders once all links are followed. */
export function liesOutside(path: string, folders: readonly string[]): boolean {
  const target = realPathOf(path);
  return target !== undefined &&
    !folders.some((folder) => isInside(target, realPathOf(folder) ?? folder));
}

/** Where a path leads once all links are followed; undefined if there is nothing. */
function realPathOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!/^\.\.([\\/]|$)/.test(way) && !isAbsolute(way));
}
