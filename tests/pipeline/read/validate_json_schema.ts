/** The part of JSON Schema (draft-7) that the pipeline's schema uses, as a validator for tests. */
type Schema = Readonly<Record<string, unknown>> | boolean;

/** The paths at which a value breaks a schema; empty if it is valid. */
export function violations(schema: Schema, value: unknown, root = schema, at = "$"): string[] {
  if (typeof schema === "boolean") return schema ? [] : [at];
  const known = new Set([
    ...["$ref", "$schema", "title", "description", "default", "definitions", "format", "type"],
    ...["const", "enum", "anyOf", "oneOf", "not", "required", "properties", "propertyNames"],
    ...["additionalProperties", "items", "pattern", "minLength", "minItems", "maxItems"],
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ]);
  const unknown = Object.keys(schema).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new Error(`internal: this validator lacks ${unknown.join(", ")}`);
  const s = schema as Record<string, never>;
  if (s.$ref) return violations(definition(root, s.$ref), value, root, at);
  const fails = (one: Schema) => violations(one, value, root, at).length > 0;
  const wrong = (s.type !== undefined && !hasType(s.type, value)) ||
    (s.const !== undefined && s.const !== value) ||
    (s.enum !== undefined && !(s.enum as unknown[]).includes(value)) ||
    (s.not !== undefined && !fails(s.not)) ||
    (s.anyOf !== undefined && (s.anyOf as Schema[]).every(fails)) ||
    (s.oneOf !== undefined && (s.oneOf as Schema[]).filter((one) => !fails(one)).length !== 1) ||
    breaksLimits(s, value);
  if (wrong) return [at];
  if (Array.isArray(value)) {
    if (s.items === undefined) return [];
    return value.flatMap((item, i) => violations(s.items, item, root, `${at}.${i}`));
  }
  return typeof value === "object" && value !== null ? tableViolations(s, value, root, at) : [];
}

function tableViolations(
  s: Readonly<Record<string, never>>,
  value: object,
  root: Schema,
  at: string,
): string[] {
  const missing = (s.required as string[] ?? []).filter((key) => !Object.hasOwn(value, key));
  const found = missing.map((key) => `${at}.${key} is missing`);
  for (const [key, child] of Object.entries(value)) {
    const names = s.propertyNames === undefined ? [] : violations(s.propertyNames, key, root, at);
    const own = (s.properties as Record<string, Schema>)?.[key];
    const schema: Schema = own ?? s.additionalProperties ?? true;
    found.push(
      ...(own === undefined ? names : []),
      ...violations(schema, child, root, `${at}.${key}`),
    );
  }
  return found;
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace("#/definitions/", "");
  return (root as { definitions: Record<string, Schema> }).definitions[name];
}

function hasType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return typeof value === type && !Array.isArray(value);
}

function breaksLimits(s: Readonly<Record<string, never>>, value: unknown): boolean {
  if (typeof value === "string") {
    return (s.pattern !== undefined && !new RegExp(s.pattern).test(value)) ||
      value.length < (s.minLength ?? 0);
  }
  if (Array.isArray(value)) {
    return value.length < (s.minItems ?? 0) || value.length > (s.maxItems ?? Infinity);
  }
  if (typeof value !== "number") return false;
  return value < (s.minimum ?? -Infinity) || value > (s.maximum ?? Infinity) ||
    value <= (s.exclusiveMinimum ?? -Infinity) || value >= (s.exclusiveMaximum ?? Infinity);
}
