/** Holds a located value against a zod schema; every issue becomes a diagnostic with its place. */
import { z } from "../../base/zod.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import {
  choices,
  describe,
  describeValue,
  type JsonSchema,
  schemasAt,
  tablesOf,
} from "./json_schema.ts";
import { type Located, nodeAt, plainValue, spanOfNode } from "./located.ts";
import { formatPath, type Path } from "./path.ts";

/** A value to check, and how messages speak of it. */
interface SchemaCheck {
  readonly schema: z.ZodType;
  readonly node: Located;
  /** Value to parse in place of the node's own: paths made absolute, wiring left out. */
  readonly value?: unknown;
  /** Action in messages: `Cannot read stage "train"`. */
  readonly what: string;
  /** Keys that are legal beside those of the schema, for did-you-mean. */
  readonly alsoKnown?: readonly string[];
  /** Keys that the list of known keys shows beside those of the schema. */
  readonly alsoListed?: readonly string[];
}

type SchemaResult<T> =
  | { readonly kind: "ok"; readonly output: T }
  | { readonly kind: "wrong"; readonly diagnostics: readonly Diagnostic[] };

type Issue = z.core.$ZodIssue;

/** Parses a located value; a failure carries one diagnostic for each thing that is wrong. */
export function checkSchema<T = unknown>(check: SchemaCheck): SchemaResult<T> {
  const plain = check.value ?? plainValue(check.node);
  const result = check.schema.safeParse(plain);
  const undeclared = [...undeclaredKeys(check.schema, plain)];
  if (result.success && undeclared.length === 0) return { kind: "ok", output: result.data as T };
  const reporter = new Reporter(check, plain);
  for (const issue of [...result.error?.issues ?? [], ...undeclared]) reporter.issue(issue, []);
  return { kind: "wrong", diagnostics: reporter.diagnostics };
}

/** Keys that zod would drop in silence: those of tables that are neither strict nor loose. */
function* undeclaredKeys(schema: z.ZodType, value: unknown): Generator<Issue> {
  const root = inputSchema(schema);
  for (const { path, schemas, value: table } of tablesOf(root, value)) {
    if (schemas.length === 0 || !schemas.every(isOpenByNeglect)) continue;
    const known = new Set(schemas.flatMap((s) => Object.keys(s.properties ?? {})));
    const keys = Object.keys(table).filter((key) => !known.has(key));
    const message = "unknown key";
    if (keys.length > 0) yield { code: "unrecognized_keys", keys, path: [...path], message };
  }
}

function isOpenByNeglect(schema: JsonSchema): boolean {
  return schema.properties !== undefined && schema.additionalProperties === undefined;
}

const schemas = new WeakMap<z.ZodType, JsonSchema>();

/** JSON Schema (draft-7) of what may be written for a schema; computed once for each schema. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema);
  if (known) return known;
  const options = { target: "draft-7", io: "input", unrepresentable: "any" } as const;
  const made = z.toJSONSchema(schema, options) as JsonSchema;
  schemas.set(schema, made);
  return made;
}

class Reporter {
  readonly #found = new Map<string, Diagnostic>();
  /** Keys that a mistyped key stands for; they are not reported as missing. */
  readonly #mistyped = new Set<string>();
  readonly #root: JsonSchema;

  constructor(readonly check: SchemaCheck, readonly plain: unknown) {
    this.#root = inputSchema(check.schema);
  }

  get diagnostics(): Diagnostic[] {
    const missing = ([path, { code }]: [string, Diagnostic]) =>
      code === "toml/missing-key" && this.#mistyped.has(path);
    return [...this.#found].filter((entry) => !missing(entry)).map(([, diagnostic]) => diagnostic);
  }

  issue(issue: Issue, base: Path): void {
    const path = [...base, ...issue.path as Path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) this.#unknownKey(path, key);
    } else if (issue.code === "invalid_union") {
      this.#union(issue, path);
    } else if (issue.code === "invalid_key") {
      this.#unknownKey(path.slice(0, -1), `${path.at(-1)}`);
    } else if (this.#valueAt(path) === undefined && path.length > 0) {
      this.#missingKey(path);
    } else {
      this.#wrongValue(path, issue);
    }
  }

  /** Reports the branch that the author had in mind, or the union as a whole. */
  #union(issue: z.core.$ZodIssueInvalidUnion, path: Path): void {
    const meant = issue.errors.filter((issues) => !issues.some((i) => rejects(i)));
    const [best] = meant.sort((a, b) => a.length - b.length);
    if (best) {
      for (const inner of best) this.issue(inner, path);
      return;
    }
    const shared = sharedDiscriminator(issue.errors);
    const place = shared === undefined ? path : [...path, shared];
    if (this.#valueAt(place) === undefined) this.#missingKey(place);
    else this.#wrongValue(place, issue);
  }

  #unknownKey(table: Path, key: string): void {
    const { node, what, alsoKnown = [], alsoListed = [] } = this.check;
    const top = table.length === 0;
    const known = schemasAt(this.#root, this.plain, table)
      .flatMap((schema) => Object.keys(schema.properties ?? {}));
    const listed = [...new Set([...known, ...(top ? alsoListed : [])])].sort();
    const near = nearest(key, top ? [...listed, ...alsoKnown] : listed);
    const within = top ? "" : ` in ${formatPath(table)}`;
    if (near) this.#mistyped.add(JSON.stringify([...table, near]));
    const hints = near ? [`did you mean "${near}"?`] : [];
    hints.push(listed.length > 0 ? `Known keys: ${listed.join(", ")}` : "It takes no keys here");
    const place = nodeAt(node, [...table, key]) ?? nodeAt(node, table) ?? node;
    this.#add([...table, key], {
      code: "toml/unknown-key",
      severity: "error",
      message: `${what}: unknown key "${key}"${within}`,
      span: spanOfNode(place, "key"),
      hint: hints.join(" "),
    });
  }

  #missingKey(path: Path): void {
    const table = nodeAt(this.check.node, path.slice(0, -1)) ?? this.check.node;
    const key = formatPath(path.slice(-1));
    const within = path.length > 1 ? ` in ${formatPath(path.slice(0, -1))}` : "";
    const schemas = this.#schemasAt(path);
    const wanted = describe(schemas);
    const example = exampleOf(schemas);
    this.#add(path, {
      code: "toml/missing-key",
      severity: "error",
      message: `${this.check.what}: missing key "${key}"${within}` +
        (wanted ? `, wanted ${wanted}` : ""),
      span: spanOfNode(table, "key"),
      hint: `add ${key} = ${example}`,
    });
  }

  #wrongValue(path: Path, issue: Issue): void {
    const node = nodeAt(this.check.node, path) ?? this.check.node;
    const value = plainValue(node);
    const schemas = this.#schemasAt(path);
    const known = choices(schemas);
    const near = typeof value === "string" ? nearest(value, known) : undefined;
    this.#add(path, {
      code: "toml/wrong-value",
      severity: "error",
      message: `${this.check.what}: ${this.#complaint(path, value, schemas, issue)}`,
      span: spanOfNode(node),
      hint: near && `did you mean "${near}"?`,
    });
  }

  #complaint(path: Path, value: unknown, schemas: readonly JsonSchema[], issue: Issue): string {
    const name = path.length > 0 ? formatPath(path) : "the value";
    const own = issue.code === "custom" && !/^Invalid input/.test(issue.message);
    const wanted = describe(schemas);
    if (own || wanted === "" || wanted === "another value") {
      return `${name} is ${describeValue(value)}: ${issue.message}`;
    }
    return `${name} is ${describeValue(value)}, wanted ${wanted}`;
  }

  #schemasAt(path: Path): readonly JsonSchema[] {
    return schemasAt(this.#root, this.plain, path);
  }

  #valueAt(path: Path): unknown {
    let here = this.plain;
    for (const part of path) here = (here as Record<string | number, unknown> | undefined)?.[part];
    return here;
  }

  #add(path: Path, diagnostic: Diagnostic): void {
    const name = JSON.stringify(path);
    if (!this.#found.has(name)) this.#found.set(name, diagnostic);
  }
}

/** Whether an issue means that a value is not of this branch at all, rather than wrong within it. */
function rejects(issue: Issue): boolean {
  const wrongType = issue.code === "invalid_type" || issue.code === "invalid_value";
  if (issue.path.length === 0) return wrongType || issue.code === "invalid_format";
  if (issue.path.length !== 1) return false;
  return issue.code === "invalid_format" ||
    (issue.code === "invalid_value" && issue.values.length === 1);
}

/** The key by which the branches of a union distinguish tables, when none of them fits. */
function sharedDiscriminator(errors: readonly (readonly Issue[])[]): string | undefined {
  const keys = errors.flatMap((issues) =>
    issues.filter((i) => i.path.length === 1 && rejects(i)).map((i) => `${String(i.path[0])}`)
  );
  return keys.length > 0 && new Set(keys).size === 1 ? keys[0] : undefined;
}

function exampleOf(schemas: readonly JsonSchema[]): string {
  const [first] = choices(schemas);
  if (first !== undefined) return `"${first}"`;
  const types = schemas.map((schema) => schema.type);
  if (types.includes("integer") || types.includes("number")) return "…";
  if (types.includes("boolean")) return "true";
  if (types.includes("array")) return "[…]";
  if (types.includes("object")) return "{ … }";
  return '"…"';
}
