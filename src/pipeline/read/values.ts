/** Lists every resolved leaf of a pipeline with the file and line that it came from. */
import type { Json } from "../../base/canonical_json.ts";
import type { Span } from "../../base/span.ts";
import { leaves, type Located, plainValue, spanOfNode } from "../toml/located.ts";
import { formatPath } from "../toml/path.ts";
import type { ResolvedStage, ResolvedValue } from "./resolved.ts";

/** Values as written, in the order of the document, then the defaults of each stage. */
export function resolvedValues(
  root: Located,
  stages: readonly ResolvedStage[],
): readonly ResolvedValue[] {
  const written = [...leaves(root)].map(([path, node]) => writtenValue(path, node))
    .filter(({ path }) => !/^(sweep|export)\./.test(path)); // no values of a run
  return [...written, ...stages.flatMap((stage) => [...defaultsOf(stage)])];
}

/** A value whose place is looked for when it is asked: a run that changes nothing asks of none. */
function writtenValue(path: string, node: Located): ResolvedValue {
  let span: Span | undefined;
  const place = () => span ??= spanOfNode(node);
  return {
    path,
    value: plainValue(node) as Json,
    source: node.origin.source,
    get file() {
      return place().file;
    },
    get line() {
      return place().line;
    },
    get column() {
      return place().column;
    },
  };
}

function* defaultsOf(stage: ResolvedStage): Generator<ResolvedValue> {
  const path = stage.name.split(".").flatMap((name) => ["stages", name]);
  yield* missingIn(stage.params, stage.rawParams, path);
  for (const inner of stage.loop?.stages ?? []) yield* defaultsOf(inner);
}

/** Leaves that zod added: those of `output` whose key `raw` does not have. */
function* missingIn(
  output: unknown,
  raw: unknown,
  path: readonly string[],
): Generator<ResolvedValue> {
  if (!isTable(output) || !isTable(raw)) return;
  for (const [name, value] of Object.entries(output)) {
    const key = Object.hasOwn(raw, name) ? name : snakeCase(name);
    if (Object.hasOwn(raw, key)) yield* missingIn(value, raw[key], [...path, key]);
    else yield* leavesOf(value, [...path, key]);
  }
}

function* leavesOf(value: unknown, path: readonly string[]): Generator<ResolvedValue> {
  if (isTable(value) && Object.keys(value).length > 0) {
    for (const [key, child] of Object.entries(value)) yield* leavesOf(child, [...path, key]);
  } else if (isJson(value)) {
    yield { path: formatPath(path), value, source: "default" };
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function isJson(value: unknown): value is Json {
  if (value === null || ["string", "boolean"].includes(typeof value)) return true;
  if (typeof value === "number") return Number.isFinite(value);
  return Array.isArray(value)
    ? value.every(isJson)
    : isTable(value) && Object.values(value).every(isJson);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
