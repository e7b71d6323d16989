/** Holds a whole TOML file against a schema, so that every finding has its place in the file. */
import { dirname } from "node:path";
import { InputError } from "../../base/diagnostic.ts";
import type { z } from "../../base/zod.ts";
import { locate } from "./located.ts";
import type { TomlDocument } from "./parse.ts";
import { checkSchema } from "./schema.ts";

/**
 * The values of a file as its schema has them, defaults filled in.
 *
 * @param what beginning of messages: `Cannot read the experiment`.
 * @throws InputError with every key that is unknown, missing or wrong.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { z } from "../../base/zod.ts";
 * import { parseTomlFile, readDocument } from "./mod.ts";
 * const schema = z.strictObject({ budget: z.int().default(10) });
 * assert.deepEqual(readDocument(parseTomlFile("", "a.toml"), schema, "Cannot read a"), { budget: 10 });
 * ```
 */
export function readDocument<S extends z.ZodType>(
  document: TomlDocument,
  schema: S,
  what: string,
): z.output<S> {
  const folder = dirname(document.file);
  const node = locate(document.value, { source: "file", document, path: [], folder });
  const result = checkSchema<z.output<S>>({ schema, node, what });
  if (result.kind === "ok") return result.output;
  throw new InputError(result.diagnostics, new Map([[document.file, document.text]]));
}
