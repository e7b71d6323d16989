/** Reading an objective's parameters as the pipeline wrote them, with every finding at once. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { InputError } from "../../base/diagnostic.ts";

/** How one parameter is checked; `fallback` stands where the pipeline is silent. */
export type ParameterRule =
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly fallback: string }
  | { readonly kind: keyof typeof numberRules; readonly fallback: number };

/** Rules by the name of the parameter. */
export type ParameterRules = Readonly<Record<string, ParameterRule>>;

/** Parameters as the pipeline wrote them. */
export type Parameters = Readonly<Record<string, unknown>>;

/** What a number must be. */
const numberRules = {
  positive: { holds: (x: number) => x > 0, hint: "write a number above 0" },
  not_negative: { holds: (x: number) => x >= 0, hint: "write a number of 0 or more" },
  share: { holds: (x: number) => x > 0 && x <= 1, hint: "write a number above 0, at most 1" },
  count: {
    holds: (x: number) => Number.isInteger(x) && x > 0,
    hint: "write an integer above 0",
  },
} as const;

/** Findings on `parameters` of the objective `name`: unknown keys, wrong types, wrong values. */
export function checkParameters(
  name: string,
  rules: ParameterRules,
  parameters: Parameters,
): Diagnostic[] {
  const unknown = Object.keys(parameters).filter((key) => !(key in rules));
  const known = Object.keys(rules).filter((key) => parameters[key] !== undefined);
  return [
    ...unknown.map((key) => unknownKey(name, key, Object.keys(rules))),
    ...known.flatMap((key) => checkValue(name, key, rules[key], parameters[key])),
  ];
}

function finding(name: string, what: string, hint: string): Diagnostic {
  const message = `Cannot read objective "${name}": ${what}`;
  return { code: "objective/parameter", severity: "error", message, hint };
}

function unknownKey(name: string, key: string, known: readonly string[]): Diagnostic {
  const near = nearest(key, known);
  const list = known.length > 0 ? `known keys: ${known.join(", ")}` : "it has no parameters";
  return finding(name, `unknown key "${key}"`, near ? `did you mean "${near}"? ${list}` : list);
}

function checkValue(name: string, key: string, rule: ParameterRule, value: unknown): Diagnostic[] {
  if (rule.kind === "choice") {
    if (typeof value === "string" && rule.choices.includes(value)) return [];
    const wanted = rule.choices.map((c) => `"${c}"`).join(" or ");
    return [finding(name, `${key} is ${JSON.stringify(value)}`, `write ${wanted}`)];
  }
  const { holds, hint } = numberRules[rule.kind];
  if (typeof value === "number" && Number.isFinite(value) && holds(value)) return [];
  return [finding(name, `${key} is ${JSON.stringify(value)}`, hint)];
}

/**
 * The value of a choice parameter, or its fallback.
 *
 * @throws InputError if the value is not one of the choices.
 */
export function readChoice<T extends string>(
  name: string,
  rules: ParameterRules,
  parameters: Parameters,
  key: string,
): T {
  return readValue(name, rules, parameters, key) as T;
}

/**
 * The value of a number parameter, or its fallback.
 *
 * @throws InputError if the value is out of its range.
 */
export function readNumber(
  name: string,
  rules: ParameterRules,
  parameters: Parameters,
  key: string,
): number {
  return readValue(name, rules, parameters, key) as number;
}

function readValue(
  name: string,
  rules: ParameterRules,
  parameters: Parameters,
  key: string,
): unknown {
  const value = parameters[key];
  if (value === undefined) return rules[key].fallback;
  const findings = checkValue(name, key, rules[key], value);
  if (findings.length > 0) throw new InputError(findings);
  return value;
}
