/**
 * Whether tracked files differ from git's index, read without starting git: whose configuration may
 * run programs of the repository's choice.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";

/** How the files of a checkout stand to its index. */
interface TreeState {
  readonly dirty: boolean;
  /** SHA-256 of the names and contents of the files that differ; absent of a clean tree. */
  readonly diff?: string;
  /** Files that differ, some of them. */
  readonly files: readonly string[];
}

/** Files of an index that are checked; a larger one is not. */
const mostFiles = 50_000;

/** Files that are named. */
const mostNamed = 20;

/** A file as the index has it (git's gitformat-index(5), versions 2 and 3). */
interface Entry {
  readonly path: string;
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly size: number;
  readonly mode: number;
  /** SHA-1 of the blob, in hexadecimal. */
  readonly blob: string;
}

/** The state of the checkout at `root`; undefined if there is no index that can be read. */
export function treeState(root: string): TreeState | undefined {
  const entries = readIndex(join(root, ".git", "index"));
  if (!entries) return undefined;
  const changed = entries.flatMap((entry) => {
    const content = changedContent(root, entry);
    return content === undefined ? [] : [[entry.path, content] as const];
  });
  if (changed.length === 0) return { dirty: false, files: [] };
  const files = changed.slice(0, mostNamed).map(([path]) => path);
  return { dirty: true, diff: sha256(JSON.stringify(changed)), files };
}

function readIndex(path: string): Entry[] | undefined {
  try {
    const bytes = Deno.readFileSync(path);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [version, count] = [view.getUint32(4), view.getUint32(8)];
    const isIndex = view.getUint32(0) === 0x44495243 && (version === 2 || version === 3); // DIRC
    return isIndex && count <= mostFiles ? entriesOf(bytes, view, count) : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(bytes: Uint8Array, view: DataView, count: number): Entry[] {
  const text = new TextDecoder();
  const entries: Entry[] = [];
  for (let at = 12, i = 0; i < count; i++) {
    const name = at + 62 + (view.getUint16(at + 60) & 0x4000 ? 2 : 0);
    const end = bytes.indexOf(0, name);
    entries.push({
      path: text.decode(bytes.subarray(name, end)),
      seconds: view.getUint32(at + 8),
      nanoseconds: view.getUint32(at + 12),
      mode: view.getUint32(at + 24),
      size: view.getUint32(at + 36),
      blob: bytes.subarray(at + 40, at + 60).toHex(),
    });
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return entries;
}

/** SHA-256 of a file that is not what the index has; `gone`, or undefined where it is the same. */
function changedContent(root: string, entry: Entry): string | undefined {
  if (entry.mode >> 12 === 0o16) return undefined; // a submodule
  const path = join(root, entry.path);
  try {
    const { size, mtime, isSymlink } = Deno.lstatSync(path);
    if (!isSymlink && size === entry.size && isSameTime(mtime, entry)) return undefined;
    const content = isSymlink
      ? new TextEncoder().encode(Deno.readLinkSync(path))
      : Deno.readFileSync(path);
    return blobOf(content) === entry.blob ? undefined : sha256(content);
  } catch {
    return "gone";
  }
}

/** Deno has times in milliseconds. */
function isSameTime(mtime: Date | null, { seconds, nanoseconds }: Entry): boolean {
  return mtime?.getTime() === seconds * 1000 + Math.floor(nanoseconds / 1e6);
}

function blobOf(content: Uint8Array): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
