/** Which npm packages the compiled modules import, or read files of. */
import { isBuiltin } from "node:module";
import ts from "typescript";

/**
 * Names of the packages that texts of `.js` and `.d.ts` files import, sorted.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { importedPackages } from "./imports.ts";
 *
 * const texts = ['import "node:fs"; import "./a.js"; import { parse } from "csv-parse/sync";'];
 * assert.deepEqual(importedPackages(texts), ["csv-parse"]);
 * ```
 */
export function importedPackages(texts: Iterable<string>): string[] {
  const specifiers = [...texts].flatMap((text) => [
    ...ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName),
    ...[...text.matchAll(/import\.meta\.resolve\("([^"]+)"\)/g)].map(([, name]) => name),
  ]);
  const bare = specifiers.filter((name) => !name.startsWith(".") && !isBuiltin(name));
  return [...new Set(bare.map(packageName))].sort();
}

function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
