/** Reading an objective's parameters as the pipeline wrote them, with every finding at once. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { InputError } from "../../base/diagnostic.ts";

/** How one parameter is checked; `fallback` stands where the pipeline is silent. */
export type ParameterRule =
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly fallback: string }
  | { readonly kind: "positive"; readonly fallback: number };

/** Rules by the name of the parameter. */
export type ParameterRules = Readonly<Record<string, ParameterRule>>;

/** Findings on `parameters` of the objective `name`: unknown keys, wrong types, wrong values. */
export function checkParameters(
  name: string,
  rules: ParameterRules,
  parameters: Readonly<Record<string, unknown>>,
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
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return [];
  return [finding(name, `${key} is ${JSON.stringify(value)}`, "write a number above 0")];
}

/**
 * The value of a choice parameter, or its fallback.
 *
 * @throws InputError if the value is not one of the choices.
 */
export function readChoice<T extends string>(
  name: string,
  rules: ParameterRules,
  parameters: Readonly<Record<string, unknown>>,
  key: string,
): T {
  return readValue(name, rules, parameters, key) as T;
}

/**
 * The value of a positive parameter, or its fallback.
 *
 * @throws InputError if the value is not a number above 0.
 */
export function readPositive(
  name: string,
  rules: ParameterRules,
  parameters: Readonly<Record<string, unknown>>,
  key: string,
): number {
  return readValue(name, rules, parameters, key) as number;
}

function readValue(
  name: string,
  rules: ParameterRules,
  parameters: Readonly<Record<string, unknown>>,
  key: string,
): unknown {
  const value = parameters[key];
  if (value === undefined) return rules[key].fallback;
  const findings = checkValue(name, key, rules[key], value);
  if (findings.length > 0) throw new InputError(findings);
  return value;
}
