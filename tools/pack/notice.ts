/** Writes the notice of a package that holds others: the licence of each, in full where it brings its text. */

const texts = /^(licen[cs]e|copying|notice)([.-][^/]*)?$/i;

/** Whether a file of a package is its licence or notice. */
export function isLicence(path: string): boolean {
  return texts.test(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * The notice of packages.
 *
 * @param files by path in `node_modules`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { noticeOf } from "./notice.ts";
 * const bytes = (text: string) => new TextEncoder().encode(text);
 * const notice = noticeOf(new Map([
 *   ["a/package.json", bytes('{ "name": "a", "version": "1.0.0", "license": "MIT" }')],
 *   ["a/LICENSE.md", bytes("Do as you like.")],
 * ]));
 * assert.match(notice, /a 1\.0\.0: MIT/);
 * assert.match(notice, /Do as you like\./);
 * ```
 *
 * @throws Error for a package that says nothing of its licence.
 */
export function noticeOf(files: ReadonlyMap<string, Uint8Array>): string {
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const parts = [...files].flatMap(([path, bytes]) => {
    const folder = /^((?:.*\/)?node_modules\/|)((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path);
    if (!folder) return [];
    const { name, version, license } = JSON.parse(decode(bytes));
    if (!name || !version) return [];
    const root = path.slice(0, -"package.json".length);
    const own = [...files].filter(([one]) =>
      one.startsWith(root) && !one.slice(root.length).includes("/") && isLicence(one)
    );
    const said = typeof license === "string" ? license : license?.type;
    if (!said && own.length === 0) {
      throw new Error(`${name} ${version} says nothing of its licence`);
    }
    const full = own.map(([, text]) => decode(text).replaceAll("\r\n", "\n").trim());
    return [[`${name} ${version}: ${said ?? "see below"}`, ...full].join("\n\n")];
  });
  const head = "Sluice holds these packages, each under its own licence.";
  return [head, ...parts.sort()].join(`\n\n${"-".repeat(80)}\n\n`) + "\n";
}
