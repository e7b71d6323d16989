/** Files that a command writes where its user said, and clear words where it may not or cannot. */
import { dirname, resolve } from "node:path";
import { inputError } from "../base/diagnostic.ts";
import { explainWrites } from "../base/atomic.ts";
import { refuseLinksOutside } from "../base/regular_file.ts";

/**
 * Makes sure, before any work is done, that Sluice has Deno's permission to write there, and that
 * no link of a folder of foreign content leads out of it.
 *
 * @param option as the user knows it: `--out`.
 * @param folder where the command was started.
 * @throws InputError `cli/cannot-write` if it has not; `file/link-outside`.
 */
export async function requireWritable(
  option: string,
  path: string,
  folder: string = Deno.cwd(),
): Promise<void> {
  refuseLinks(path, folder);
  if (await mayWrite(path)) return;
  const here = Deno.cwd();
  const hint = await mayWrite(here)
    ? `choose a path below ${here}, the folder that Sluice was started in`
    : `start Sluice with --allow-write for ${dirname(resolve(path))}`;
  const message = `Cannot write ${path}, as ${option} says: Sluice may not write there`;
  throw inputError("cli/cannot-write", message, undefined, hint);
}

/**
 * Makes sure that no link leads a file out of the folder that Sluice was started in.
 *
 * @throws InputError `file/link-outside`.
 */
export function refuseLinks(path: string, folder: string = Deno.cwd()): void {
  refuseLinksOutside(deepestThatIs(resolve(folder, path)), folder);
}

/**
 * Makes sure that files can be put into a folder: that it is none yet, or a folder.
 *
 * @throws InputError `cli/not-a-folder`.
 */
export function requireFolder(option: string, path: string): void {
  const there = deepestThatIs(resolve(path));
  if (Deno.statSync(there).isDirectory) return;
  const message = `Cannot write into ${path}, as ${option} says: ${there} is a file`;
  throw inputError("cli/not-a-folder", message, undefined, `name a folder, or remove the file`);
}

/**
 * Writes a file, and the folders above it.
 *
 * @throws InputError `store/cannot-write` if the disk is full, read-only or forbidden, or a file
 * stands where a folder is needed.
 */
export function writeOutput(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  explainWrites(path, () => {
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeFileSync(path, bytes);
  });
}

/** The path, or the deepest folder above it that is there; a link counts as there, wherever it leads. */
function deepestThatIs(path: string): string {
  try {
    Deno.lstatSync(path);
    return path;
  } catch (error) {
    const above = dirname(path);
    const isNothing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (!isNothing || above === path) return path;
    return deepestThatIs(above);
  }
}

async function mayWrite(path: string): Promise<boolean> {
  return (await Deno.permissions.query({ name: "write", path })).state === "granted";
}

/** @throws InputError if there is a file of this path. */
export function refuseToReplace(path: string): void {
  try {
    Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  const message = `Cannot write ${path}: it is there already`;
  throw inputError(
    "output/exists",
    message,
    undefined,
    "add --force to replace it, or --out for another place",
  );
}
