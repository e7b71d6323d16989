/** Reads settings by a zod schema: the values with their defaults, or every finding with its mend. */
import { z } from "../../base/zod.ts";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";

/** Names and values, as a pipeline or a program writes them. */
export type Settings = Readonly<Record<string, unknown>>;

/** Name of the settings in messages, and the code of their findings. */
interface Reading {
  /** `objective "ppo"`, `policy`, … */
  readonly what: string;
  /** Stable, slash-separated: `objective/parameter`. */
  readonly code: string;
}

type Fields = Readonly<Record<string, z.core.$ZodType>>;

/**
 * The settings that `given` states, with the schema's defaults.
 *
 * @throws InputError with every finding: unknown keys, wrong types, wrong values.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { z } from "../../base/zod.ts";
 * import { readSettings } from "./read_settings.ts";
 * const schema = z.strictObject({ width: z.int().positive().default(64) });
 * const reading = { what: "network", code: "network/setting" };
 * assert.deepEqual(readSettings(schema, {}, reading), { width: 64 });
 * assert.throws(() => readSettings(schema, { width: 0 }, reading), /network: width is 0/);
 * ```
 */
export function readSettings<S extends z.ZodObject>(
  schema: S,
  given: Settings,
  reading: Reading,
): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new InputError(findingsOf(result.error, schema.shape, given, reading));
}

function findingsOf(
  { issues }: z.ZodError,
  fields: Fields,
  given: Settings,
  { what, code }: Reading,
): Diagnostic[] {
  const finding = ([message, hint]: readonly [string, string?]): Diagnostic => ({
    code,
    severity: "error",
    message: `Cannot read ${what}: ${message}`,
    ...(hint !== undefined && { hint }),
  });
  const unknown = issues.flatMap((one) => one.code === "unrecognized_keys" ? one.keys : []);
  const wrong = issues.filter((one) => one.code !== "unrecognized_keys");
  return [
    ...unknown.map((key) => finding(unknownKey(key, Object.keys(fields)))),
    ...wrong.map((one) => finding(wrongValue(one, fields, given))),
  ];
}

function unknownKey(key: string, known: readonly string[]): readonly [string, string] {
  const near = nearest(key, known);
  const list = known.length > 0 ? `known keys: ${known.join(", ")}` : "it has no parameters";
  return [`unknown key "${key}"`, near ? `did you mean "${near}"? ${list}` : list];
}

function wrongValue(
  { path: [key], code, message }: z.core.$ZodIssue,
  fields: Fields,
  given: Settings,
): readonly [string, string?] {
  if (code === "custom" || key === undefined) return [message];
  const value = given[`${String(key)}`];
  const hint = wanted(fields[`${String(key)}`]);
  if (value === undefined) return [`${String(key)} is missing`, hint];
  return [`${String(key)} is ${JSON.stringify(value)}`, hint];
}

/** Valid values, from the bounds or names that a field states; undefined where it states neither. */
function wanted(field: z.core.$ZodType): string | undefined {
  const { type, enum: names, const: only, ...bounds } = z.toJSONSchema(field, {
    io: "input",
    unrepresentable: "any",
  });
  const choices = only !== undefined ? [only] : names;
  if (choices) return `write ${oneOf(choices)}`;
  if (type === "array") return "write a list, and nothing empty in it";
  if (type !== "number" && type !== "integer") return type && `write a ${type}`;
  const [noun, least] = [type === "integer" ? "an integer" : "a number", lowest(bounds)];
  const { maximum } = bounds;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [maximum];
  return `write ${[`${noun}${least}`, ...most.map((one) => `at most ${one}`)].join(", ")}`;
}

function oneOf(choices: readonly unknown[]): string {
  const quoted = choices.map((one) => JSON.stringify(one));
  return quoted.length > 2 ? `one of ${quoted.join(", ")}` : quoted.join(" or ");
}

function lowest({ minimum, exclusiveMinimum }: z.core.JSONSchema.BaseSchema): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  const bounded = minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER;
  return bounded ? ` of ${minimum} or more` : "";
}
