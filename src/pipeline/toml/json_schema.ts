/** Looks up parts of a JSON Schema, and describes in plain English the values that it allows. */
import type { Path } from "./path.ts";

/** The part of JSON Schema (draft-7) that zod writes. */
export interface JsonSchema {
  /** JSON types that a value may have. */
  readonly type?: string | readonly string[];
  /** Meaning of a string beyond its type: `file-path`, `token-mask`. */
  readonly format?: string;
  /** The one value that is taken. */
  readonly const?: unknown;
  /** Values of which one is taken. */
  readonly enum?: readonly unknown[];
  /** Schemas of an object's keys. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** Keys without which an object is refused. */
  readonly required?: readonly string[];
  /** Schema of keys that `properties` lacks; false refuses them. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** Schema that every key itself must fit. */
  readonly propertyNames?: JsonSchema;
  /** Schema of all items of an array, or of each place. */
  readonly items?: JsonSchema | readonly JsonSchema[] | boolean;
  /** A value must fit one of these at least. */
  readonly anyOf?: readonly JsonSchema[];
  /** A value must fit exactly one of these. */
  readonly oneOf?: readonly JsonSchema[];
  /** A value must fit all of these. */
  readonly allOf?: readonly JsonSchema[];
  /** Least number, itself included. */
  readonly minimum?: number;
  /** Greatest number, itself included. */
  readonly maximum?: number;
  /** Bound that a number must exceed. */
  readonly exclusiveMinimum?: number;
  /** Bound that a number must stay below. */
  readonly exclusiveMaximum?: number;
  /** Number of which a value must be a whole multiple. */
  readonly multipleOf?: number;
  /** Least characters of a string. */
  readonly minLength?: number;
  /** Most characters of a string. */
  readonly maxLength?: number;
  /** Least items of an array. */
  readonly minItems?: number;
  /** Most items of an array. */
  readonly maxItems?: number;
  /** Regular expression that a string must match somewhere. */
  readonly pattern?: string;
  /** Sentence for help and editors. */
  readonly description?: string;
  /** Value that a missing key has. */
  readonly default?: unknown;
  /** Pointer to a schema that stands here: `#/definitions/…`. */
  readonly $ref?: string;
  /** Schemas that `$ref` points to, in draft-7. */
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  /** Schemas that `$ref` points to, in later drafts. */
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** The alternatives of a schema, without references and unions at their top. */
export function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const seen = new Set<JsonSchema>();
  const open = (here: JsonSchema): JsonSchema[] => {
    if (seen.has(here)) return [];
    seen.add(here);
    if (here.$ref) return open(lookUp(here.$ref, root));
    const branches = here.anyOf ?? here.oneOf;
    if (branches) return branches.flatMap(open);
    if (here.allOf) return here.allOf.flatMap(open);
    return [here];
  };
  return open(schema);
}

function lookUp(reference: string, root: JsonSchema): JsonSchema {
  let here: unknown = root;
  for (const part of reference.replace(/^#\/?/, "").split("/").filter((p) => p !== "")) {
    here = (here as Record<string, unknown>)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return (here ?? {}) as JsonSchema;
}

/**
 * The alternatives that a value may still mean: tables are distinguished by the keys that have one
 * fixed value (`kind`), or else by those that hold the path of a module; everything else by type.
 */
function fitting(schemas: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
  const typed = schemas.filter((schema) => fitsType(schema, value));
  const told = typed.filter((schema) => fitsConstants(schema, value));
  return told.length > 0 ? told : typed;
}

/** Whether a value has the type that a schema names. */
function fitsType(schema: JsonSchema, value: unknown): boolean {
  if (schema.type === undefined) return true;
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number") return types.includes("number") || types.includes("integer");
  return types.includes(typeof value);
}

function fitsConstants(schema: JsonSchema, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const fields = value as Record<string, unknown>;
  const properties = Object.entries(schema.properties ?? {});
  const constant = properties.filter(([, child]) => child.const !== undefined);
  if (constant.length > 0) return constant.every(([key, child]) => fields[key] === child.const);
  return properties.every(([key, child]) => fitsPath(child, fields[key]));
}

/** Whether a value may stand where nothing but the path of a module may. */
function fitsPath({ format, pattern }: JsonSchema, value: unknown): boolean {
  if (format !== "module-path" || pattern === undefined) return true;
  return typeof value === "string" && new RegExp(pattern).test(value);
}

/** The schemas of the value at a path, given the whole value. */
export function schemasAt(root: JsonSchema, value: unknown, path: Path): readonly JsonSchema[] {
  let here = alternatives(root, root);
  let at = value;
  for (const part of path) {
    here = fitting(here, at).flatMap((schema) => {
      const child = childSchema(schema, part);
      return child ? alternatives(child, root) : [];
    });
    at = (at as Record<string | number, unknown> | undefined)?.[part];
  }
  return here;
}

/** The schema of one key of a table, or of one place in a list. */
function childSchema(schema: JsonSchema, part: string | number): JsonSchema | undefined {
  const { items, properties, additionalProperties } = schema;
  if (typeof part === "number") {
    if (Array.isArray(items)) return items[part];
    return typeof items === "object" ? items as JsonSchema : undefined;
  }
  if (properties && Object.hasOwn(properties, part)) return properties[part];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** All fixed values among alternatives, if there is nothing else but paths beside them. */
export function choices(schemas: readonly JsonSchema[]): readonly string[] {
  return schemas.flatMap((s) => s.enum ?? (s.const === undefined ? [] : [s.const])).map(String);
}

/** "a whole number of at least 1", "one of a, b", "a number or a table". */
export function describe(schemas: readonly JsonSchema[]): string {
  const fixed = choices(schemas);
  const others = schemas.filter((s) => s.enum === undefined && s.const === undefined);
  const words = [...new Set(others.map(describeOne))];
  if (fixed.length === 1) words.unshift(`"${fixed[0]}"`);
  if (fixed.length > 1) words.unshift(`one of ${fixed.join(", ")}`);
  return words.join(", or ");
}

function describeOne(schema: JsonSchema): string {
  switch (schema.type) {
    case "integer":
      return `a whole number${limits(schema)}`;
    case "number":
      return `a number${limits(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list${sizes(schema.minItems, schema.maxItems, "item")}`;
    case "object":
      return describeTable(schema);
    case "string":
      return describeText(schema);
    default:
      return "another value";
  }
}

function describeTable(schema: JsonSchema): string {
  const keys = Object.keys(schema.properties ?? {});
  return keys.length > 0 ? `a table { ${keys.join(", ")} }` : "a table";
}

function describeText(schema: JsonSchema): string {
  if (schema.format === "file-path") return "the path of a file";
  if (schema.format === "module-path") return 'the path of a module ("./mine.ts")';
  if (schema.pattern) return `text that matches /${schema.pattern}/`;
  return `text${sizes(schema.minLength, schema.maxLength, "character")}`;
}

const safe = Number.MAX_SAFE_INTEGER;

function limits(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const isClosed = [minimum, maximum].every((n) => n !== undefined && Math.abs(n) < safe);
  if (isClosed && multipleOf === undefined) return ` from ${minimum} to ${maximum}`;
  const words: string[] = [];
  if (exclusiveMinimum !== undefined) words.push(`above ${exclusiveMinimum}`);
  else if (minimum !== undefined && minimum > -safe) words.push(`of at least ${minimum}`);
  if (exclusiveMaximum !== undefined) words.push(`below ${exclusiveMaximum}`);
  else if (maximum !== undefined && maximum < safe) words.push(`of at most ${maximum}`);
  if (multipleOf !== undefined && multipleOf !== 1) words.push(`in steps of ${multipleOf}`);
  return words.length > 0 ? ` ${words.join(" and ")}` : "";
}

function sizes(least: number | undefined, most: number | undefined, unit: string): string {
  const plural = (n: number) => `${n} ${unit}${n === 1 ? "" : "s"}`;
  if (least !== undefined && least === most) return ` of ${plural(least)}`;
  if (least && most !== undefined) return ` of ${least} to ${plural(most)}`;
  if (least) return ` of at least ${plural(least)}`;
  return most === undefined ? "" : ` of at most ${plural(most)}`;
}

/** A value as a message shows it: text in quotes, long things by their size. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") {
    return value.length > 60 ? `"${value.slice(0, 57)}…"` : `"${value}"`;
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  }
  if (typeof value === "object" && value !== null) return "a table";
  return Object.is(value, -0) ? "-0" : `${value}`;
}

/** A value within a value, and the schemas that it may be meant for. */
interface SchemaPlace<T = unknown> {
  readonly path: Path;
  readonly schemas: readonly JsonSchema[];
  readonly value: T;
}

/** Visits a value beside its schema: itself, then everything in it. */
export function* placesOf(
  root: JsonSchema,
  value: unknown,
  schemas = alternatives(root, root),
  path: Path = [],
): Generator<SchemaPlace> {
  yield { path, schemas, value };
  if (typeof value !== "object" || value === null) return;
  const fits = fitting(schemas, value);
  const children: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [part, child] of children) {
    const below = fits.flatMap((schema) => {
      const found = childSchema(schema, part);
      return found ? alternatives(found, root) : [];
    });
    yield* placesOf(root, child, below, [...path, part]);
  }
}

/** The tables among {@link placesOf}, with the schemas that fit them. */
export function* tablesOf(root: JsonSchema, value: unknown): Generator<SchemaPlace<object>> {
  for (const { path, schemas, value: here } of placesOf(root, value)) {
    if (typeof here !== "object" || here === null || Array.isArray(here)) continue;
    yield { path, schemas: fitting(schemas, here), value: here };
  }
}
