/** Ustar archives in memory, the same bytes for the same files: sorted, without times or owners. */

const block = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One regular file of an archive. */
export interface TarEntry {
  /** Path with forward slashes; at most 255 bytes, in two parts of at most 155 and 100. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

/**
 * Writes an archive as POSIX.1-1988 (ustar) has it. All files bear the time 1985-10-26T08:15:00Z,
 * as npm does, because some tools refuse the year 1970.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { tar } from "./tar.ts";
 *
 * const bytes = tar([{ path: "package/a.txt", bytes: new TextEncoder().encode("a") }]);
 * assert.equal(bytes.length, 4 * 512); // a header, a block of content, two empty blocks
 * ```
 */
export function tar(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const sorted = [...entries].sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  const padded = (size: number) => Math.ceil(size / block) * block;
  const size = sorted.reduce((sum, { bytes }) => sum + block + padded(bytes.length), 2 * block);
  const archive = new Uint8Array(size);
  let at = 0;
  for (const entry of sorted) {
    archive.set(header(entry), at);
    archive.set(entry.bytes, at + block);
    at += block + padded(entry.bytes.length);
  }
  return archive;
}

const npmTime = 499162500;

function header({ path, bytes, executable }: TarEntry): Uint8Array {
  const { prefix, name } = split(path);
  const field = new Uint8Array(block);
  const put = (at: number, text: string) => field.set(encoder.encode(text), at);
  put(0, name);
  put(100, octal(executable ? 0o755 : 0o644, 8));
  put(108, octal(0, 8));
  put(116, octal(0, 8));
  put(124, octal(bytes.length, 12));
  put(136, octal(npmTime, 12));
  put(148, " ".repeat(8)); // the checksum counts as spaces while it is computed
  put(156, "0");
  put(257, "ustar\0" + "00");
  put(345, prefix);
  put(148, octal(field.reduce((sum, byte) => sum + byte, 0), 7) + " ");
  return field;
}

/** `size` bytes: leading zeros, digits, NUL. */
function octal(value: number, size: number): string {
  return value.toString(8).padStart(size - 1, "0") + "\0";
}

function split(path: string): { readonly prefix: string; readonly name: string } {
  if (encoder.encode(path).length <= 100) return { prefix: "", name: path };
  const at = path.indexOf("/", path.length - 101);
  const prefix = path.slice(0, at);
  if (at < 0 || encoder.encode(prefix).length > 155) throw new Error(`path too long: ${path}`);
  return { prefix, name: path.slice(at + 1) };
}

/**
 * The regular files of an archive, in its order.
 *
 * @throws TypeError if it is cut off, or holds anything but regular files.
 */
export function untar(archive: Uint8Array): TarEntry[] {
  const entries: TarEntry[] = [];
  for (let at = 0; at + block <= archive.length;) {
    const field = archive.subarray(at, at + block);
    if (field[0] === 0) return entries;
    const text = (from: number, size: number) =>
      decoder.decode(field.subarray(from, from + size)).replace(/\0.*$/s, "");
    const [name, prefix, size] = [text(0, 100), text(345, 155), parseInt(text(124, 12), 8)];
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const end = at + block + size;
    if (!(size >= 0) || end > archive.length) {
      throw new TypeError(`the archive ends within ${path}`);
    }
    if (text(156, 1) !== "0") throw new TypeError(`${path} is no regular file`);
    entries.push({ path, bytes: archive.slice(at + block, end) });
    at = Math.ceil(end / block) * block;
  }
  throw new TypeError("the archive has no end");
}
