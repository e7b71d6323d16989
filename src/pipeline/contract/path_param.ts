/** Parameters that name files and modules: how a kind declares them, and where they are found. */
import { z } from "../../base/zod.ts";
import { choices, type JsonSchema, placesOf } from "../toml/json_schema.ts";
import type { Path } from "../toml/path.ts";

/** Prefixes that distinguish a path from a name. */
export const pathPrefix = /^(\.{1,2}\/|\/|sluice:|[A-Za-z]:[\\/])/;

/**
 * A parameter that holds the path of a file. It resolves against the file in which it is written;
 * the stage is given the absolute path, may read it, and its content enters the fingerprint.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { filePath, z } from "sluice";
 * const params = z.strictObject({ data: filePath() });
 * assert.equal(params.parse({ data: "./rows.csv" }).data, "./rows.csv");
 * ```
 */
export function filePath(): z.ZodString {
  return z.string().min(1).meta({ format: "file-path" });
}

/**
 * A parameter that holds the path of a module (a judge, an objective), beside built-in names:
 * `z.union([z.enum(["elpd_loo"]), modulePath()])`. It begins with `./`, `../`, `/` or `sluice:`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { modulePath, z } from "sluice";
 * const judge = z.union([z.enum(["elpd_loo"]), modulePath()]);
 * assert(judge.safeParse("./my_judge.ts").success);
 * assert(!judge.safeParse("my_judge").success);
 * ```
 */
export function modulePath(): z.ZodString {
  // Aborts on another beginning, so that a union explains the branch of a name and not that of a path.
  return z.string().regex(pathPrefix, { abort: true }).meta({ format: "module-path" });
}

/** A path among the parameters of a stage. */
interface PathParam {
  readonly path: Path;
  readonly written: string;
  readonly role: "file" | "module";
}

/** The paths among parameters; a string beside fixed names counts if it begins like a path. */
export function findPaths(schema: JsonSchema, params: unknown): readonly PathParam[] {
  const found: PathParam[] = [];
  for (const { path, schemas, value } of placesOf(schema, params)) {
    const role = roleOf(schemas);
    if (!role || typeof value !== "string" || value === "") continue;
    if (isOnlyPath(schemas) || pathPrefix.test(value)) found.push({ path, written: value, role });
  }
  return found;
}

/** Strings that a union of names and paths would let pass although they are neither. */
export function findMistypedNames(schema: JsonSchema, params: unknown): readonly Path[] {
  const found: Path[] = [];
  for (const { path, schemas, value } of placesOf(schema, params)) {
    if (!roleOf(schemas) || isOnlyPath(schemas) || typeof value !== "string") continue;
    if (!schemas.every((s) => isPath(s) || choices([s]).length > 0 || s.type !== "string")) {
      continue;
    }
    if (!choices(schemas).includes(value) && !pathPrefix.test(value)) found.push(path);
  }
  return found;
}

function roleOf(schemas: readonly JsonSchema[]): PathParam["role"] | undefined {
  if (schemas.some((s) => s.format === "file-path")) return "file";
  return schemas.some((s) => s.format === "module-path") ? "module" : undefined;
}

function isPath(schema: JsonSchema): boolean {
  return schema.format === "file-path" || schema.format === "module-path";
}

function isOnlyPath(schemas: readonly JsonSchema[]): boolean {
  return schemas.every((s) => isPath(s) || s.type !== "string");
}
