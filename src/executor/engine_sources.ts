/** The sources of the engine worker: every module that its entry imports, and their digest. */
import { dirname, join, relative } from "node:path";
import { sha256 } from "../base/digest.ts";

/** A relative module that is imported or exported from, at the beginning of a line or after `}`. */
const specifiers = /(?:^|\})\s*(?:import|export)?[^"'`;\n]*?\bfrom\s+"(\.{1,2}\/[^"]+)"/gm;

/** Modules that are loaded for what they do alone. */
const bareImports = /^import\s+"(\.{1,2}\/[^"]+)"/gm;

/**
 * The module that the bundle begins with, and the one that takes the place of `node:crypto` in it
 * without being imported.
 */
export function engineEntries(folder: string): readonly string[] {
  return ["worker_main.ts", "worker_crypto.ts"].map((name) => join(folder, name));
}

/**
 * Every module that the entries import, themselves included, with its text; paths are absolute,
 * sorted.
 *
 * @throws Deno.errors.NotFound if an import leads nowhere.
 */
export function engineSources(entries: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const text = Deno.readTextFileSync(path);
    texts.set(path, text);
    for (const [, specifier] of [...text.matchAll(specifiers), ...text.matchAll(bareImports)]) {
      waiting.push(join(dirname(path), specifier));
    }
  }
  return new Map([...texts].sort(([a], [b]) => a < b ? -1 : 1));
}

/** One digest of texts and of their places relative to `root`. */
export function sourcesDigest(sources: ReadonlyMap<string, string>, root: string): string {
  const named = [...sources].map(([path, text]) => [relative(root, path), sha256(text)]);
  return sha256(JSON.stringify(named));
}
