/** Finds what a page lacks of what the code has: columns, keys and kinds by their names. */
import { loopKind, loopParams } from "../../src/pipeline/read/draft.ts";
import { headerParams } from "../../src/pipeline/read/header.ts";
import { inputSchema } from "../../src/pipeline/toml/schema.ts";
import type { StageSignature } from "../../src/pipeline/contract/stage.ts";

/** The part of a page under the heading that names something in code; undefined if there is none. */
export function partOf(page: string, name: string): string | undefined {
  return page.split(/^(?=#{2,3} )/m).find((part) => part.split("\n")[0].includes(`\`${name}\``));
}

/** Names in code, those of a list as `a, b` included. */
function codeNames(text: string): Set<string> {
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span);
  return new Set(spans.flatMap((span) => [...span.matchAll(/\w+/g)].map(([name]) => name)));
}

/** Columns that every table has. */
const everywhere = ["run_id", "stage", "step"];

/** Columns, as `table.column`, that the part of their table does not name; and tables without a part. */
export function missingColumns(
  page: string,
  tables: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(tables).flatMap(([table, columns]) => {
    const part = partOf(page, table);
    if (part === undefined) return [table];
    const named = codeNames(part.slice(part.indexOf("\n")));
    return columns.filter((column) => !named.has(column) && !everywhere.includes(column))
      .map((column) => `${table}.${column}`);
  });
}

/** Keys, as `kind.key`, that the part of their kind does not name; and kinds without a part. */
export function missingKeys(
  page: string,
  kinds: ReadonlyMap<string, Pick<StageSignature, "params">>,
): string[] {
  return [...kinds].flatMap(([kind, { params }]) => {
    const part = partOf(page, kind);
    if (part === undefined) return [kind];
    const named = namesOf([part]);
    return keysOf(inputSchema(params as Parameters<typeof inputSchema>[0]))
      .filter((key) => !named.has(key)).map((key) => `${kind}.${key}`);
  });
}

/** Values, as `kind: value`, that a stage of a kind may be given by name, and that its part has not. */
export function missingValues(
  page: string,
  kinds: ReadonlyMap<string, Pick<StageSignature, "params">>,
): string[] {
  return [...kinds].flatMap(([kind, { params }]) => {
    const named = namesOf([partOf(page, kind) ?? ""]);
    return valuesOf(inputSchema(params as Parameters<typeof inputSchema>[0]))
      .filter((value) => value.match(/\w+/g)?.some((word) => !named.has(word)))
      .map((value) => `${kind}: ${value}`);
  });
}

/** Names in code of texts, fenced code included. */
function namesOf(texts: readonly string[]): Set<string> {
  return codeNames(texts.join("\n").replaceAll(/^ *```\w*$/gm, "`"));
}

/** Words that a JSON schema names as values, at any depth. */
function valuesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { enum: values = [], const: value } = schema as { enum?: unknown[]; const?: unknown };
  const own = [...values, value].filter((one) => typeof one === "string");
  return [...new Set([...own, ...Object.values(schema).flatMap(valuesOf)])];
}

/** Names of a registry that its page does not name in code. */
export function missingNames(page: string, registry: Iterable<string>): string[] {
  const named = namesOf([page]);
  return [...registry].filter((name) => !named.has(name));
}

/** Keys of a pipeline and of a loop that a page does not name. */
export function missingFileKeys(page: string): string[] {
  const named = namesOf([page]);
  const keys = [...keysOf(inputSchema(headerParams)), loopKind, ...keysOf(inputSchema(loopParams))];
  return keys.filter((key) => !named.has(key));
}

/** The keys of a JSON schema, at any depth. */
export function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, ...rest } = schema as { readonly properties?: object };
  const own = Object.entries(properties).flatMap(([key, value]) => [key, ...keysOf(value)]);
  return [...new Set([...own, ...Object.values(rest).flatMap(keysOf)])];
}
