/** The JSON Schema (draft-7) of the pipeline format, generated from the zod schemas of its kinds. */
import type { JsonSchema } from "../toml/json_schema.ts";
import { inputSchema } from "../toml/schema.ts";
import type { StageSignature } from "../contract/stage.ts";
import {
  type CheckedDeclaration,
  declarationOf,
  isParameterPath,
  type PortDeclarations,
} from "./declaration.ts";
import { commonParams, loopKind, loopParams, loopSignature, loopWires } from "./draft.ts";
import { headerParams, pipelineFormat } from "./header.ts";

/** A part of a schema under construction. */
export type Node = Record<string, unknown>;

/**
 * The schema that editors complete and check pipelines with. A table with `use` may lack required
 * keys, since the used file may give them; {@link resolvePipeline} checks the whole.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { pipelineJsonSchema } from "./json_schema.ts";
 * assert.equal(typeof pipelineJsonSchema(new Map()), "object");
 * ```
 */
export function pipelineJsonSchema(kinds: ReadonlyMap<string, StageSignature>): Node {
  const names = [...kinds.keys()].sort();
  const definitions: Node = {
    use: { type: "string", description: "A TOML file whose values lie under this table." },
    wire: { type: "string", minLength: 1, description: '"stage.port", "stage" or "state.name".' },
    stage: { anyOf: stageBranches(names) },
    stages: stagesSchema(),
    [definitionOf(loopKind)]: loopSchema(),
    path_kind: pathKindSchema(),
    used_kind: usedKindSchema(),
  };
  for (const name of names) {
    definitions[definitionOf(name)] = kindSchema(declarationOf(kinds.get(name)!), definitions);
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Sluice pipeline",
    ...headerSchema(),
    definitions,
  };
}

function definitionOf(kind: string): string {
  return `kind_${kind}`;
}

function ref(name: string): Node {
  return { $ref: `#/definitions/${name}` };
}

function stageBranches(names: readonly string[]): Node[] {
  return [loopKind, ...names].map((name) => ref(definitionOf(name)))
    .concat(ref("path_kind"), ref("used_kind"));
}

function headerSchema(): Node {
  const { properties } = inputSchema(headerParams);
  const format = { const: pipelineFormat, description: "The version of the pipeline format." };
  const stages = { ...ref("stages"), description: "The stages by name; their order is free." };
  const all = { format, ...properties, stages };
  return closedTable({ ...mapValues(all, (schema) => allowUse(schema)) }, ["format", "stages"]);
}

function stagesSchema(): Node {
  return {
    type: "object",
    propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_-]*$" },
    properties: { use: ref("use") },
    additionalProperties: ref("stage"),
  };
}

function kindSchema(declaration: CheckedDeclaration, definitions: Node): Node {
  const { kind, description, paramsJsonSchema, wired = {} } = declaration;
  const params = hoisted(paramsJsonSchema, kind, definitions);
  const given = paramsOf(params, definitions);
  const required = Object.entries(declaration.inputs).filter(([, p]) => !p.optional);
  const properties = {
    kind: { const: kind, description },
    ...commonSchemas(),
    inputs: portTable(declaration.inputs),
    ...given.properties,
    ...mapValues(tablesOf(wired), wiredTable),
  };
  const keys = ["kind", ...given.required, ...(required.length > 0 ? ["inputs"] : [])];
  return { description, ...closedTable(properties, keys) };
}

/** Keys and required keys of parameters; those of a union of tables are united. */
function paramsOf(schema: JsonSchema, definitions: Node): { properties: Node; required: string[] } {
  const target = schema.$ref
    ? definitions[schema.$ref.replace("#/definitions/", "")] as JsonSchema
    : schema;
  const branches = target.anyOf ?? target.oneOf;
  const parts = (branches ?? [target]) as readonly JsonSchema[];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const required = [...(branches ? [] : target.required ?? [])];
  return { properties: mapValues(properties, (s) => allowUse(s as JsonSchema)), required };
}

function commonSchemas(): Node {
  const { inputs: _, ...rest } = inputSchema(commonParams).properties ?? {};
  return rest;
}

function portTable(ports: PortDeclarations): Node {
  const wires = mapValues(ports, ({ type, description }) => ({
    ...ref("wire"),
    description: description ? `${type}: ${description}` : type,
  }));
  const required = Object.keys(ports).filter((name) => !ports[name].optional);
  return { description: 'Wiring: port = "stage.port".', ...closedTable(wires, required) };
}

/** Ports of table parameters; the schema of other parameters contains their wires. */
function tablesOf(wired: PortDeclarations): PortDeclarations {
  return Object.fromEntries(Object.entries(wired).filter(([name]) => !isParameterPath(name)));
}

function wiredTable({ type }: { readonly type: string }): Node {
  const description = `Wires to ${type}, by name.`;
  return { type: "object", description, additionalProperties: ref("wire") };
}

function loopSchema(): Node {
  const params = inputSchema(loopParams).properties ?? {};
  const wires = mapValues(inputSchema(loopWires).properties ?? {}, ({ description }) => ({
    type: "object",
    description,
    additionalProperties: ref("wire"),
  }));
  const { description } = loopSignature;
  const { every, retries, timeout, resources } = commonSchemas();
  const kind = { const: loopKind, description };
  const common = { every, retries, timeout, resources };
  const all = { kind, ...common, ...params, ...wires, stages: ref("stages") };
  return { description, ...closedTable(all, ["kind", "steps", "stages"]) };
}

function pathKindSchema(): Node {
  const kind = { type: "string", pattern: "^(\\.{1,2}/|/|sluice:)" };
  const description = "A kind of your own, named by the path of its module.";
  return {
    type: "object",
    description,
    properties: { kind, ...commonSchemas() },
    required: ["kind"],
  };
}

/** A stage whose kind is said by the file that it uses. */
function usedKindSchema(): Node {
  return { type: "object", properties: { use: ref("use"), kind: { not: {} } }, required: ["use"] };
}

/** A table of known keys and `use`; with `use`, no key is required. */
function closedTable(properties: Node, required: readonly string[]): Node {
  const table = {
    type: "object",
    properties: { ...properties, use: ref("use") },
    additionalProperties: false,
  };
  if (required.length === 0) return table;
  return { ...table, anyOf: [{ required }, { required: ["use"] }] };
}

/** Allows `use` in every table of a schema. */
function allowUse(schema: JsonSchema): Node {
  const { anyOf, oneOf, items, properties, required, additionalProperties, ...rest } = schema;
  const branches = anyOf ?? oneOf;
  const node: Node = { ...rest };
  if (branches) node.anyOf = branches.map(allowUse);
  if (Array.isArray(items)) node.items = items.map(allowUse);
  else if (typeof items === "object") node.items = allowUse(items as JsonSchema);
  if (typeof additionalProperties === "object") {
    node.additionalProperties = allowUse(additionalProperties);
    node.properties = { use: ref("use") };
  }
  if (!properties) return node;
  const closed = closedTable(mapValues(properties, allowUse), required ?? []);
  return { ...node, ...closed, additionalProperties: node.additionalProperties ?? false };
}

/** A schema whose own definitions are moved to the shared ones, under the name of its kind. */
function hoisted(schema: JsonSchema, kind: string, definitions: Node): JsonSchema {
  const { $schema: _, definitions: own, ...rest } = schema as JsonSchema & { $schema?: string };
  const moved = (text: string) => text.replaceAll("#/definitions/", `#/definitions/${kind}_`);
  for (const [name, one] of Object.entries(own ?? {})) {
    definitions[`${kind}_${name}`] = allowUse(JSON.parse(moved(JSON.stringify(one))));
  }
  return JSON.parse(moved(JSON.stringify(rest)));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value)]),
  ) as Record<string, U>;
}

/** The text of the schema file. */
export function pipelineSchemaText(kinds: ReadonlyMap<string, StageSignature>): string {
  return `${JSON.stringify(pipelineJsonSchema(kinds), null, 2)}\n`;
}
