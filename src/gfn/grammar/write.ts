/** Writes a grammar as the TOML file that is read back as the same grammar. */
import type { ClauseSpec, GrammarSpec, HoleSpec, ProductionSpec } from "./spec.ts";

/**
 * The text of a grammar's file. `readGrammar` restores programs, priors and questions from it:
 * weights are written to the last digit.
 *
 * @param comments lines above it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { grammarText } from "./write.ts";
 * const spec = { format: 1, name: "coin", template: "x = 1", exit: 1, holes: [], clauses: [] } as const;
 * assert.match(grammarText(spec), /name = "coin"/);
 * ```
 */
export function grammarText(spec: GrammarSpec, comments: readonly string[] = []): string {
  const { name, writes, template, exit, holes, clauses, effects, against, at, ratios } = spec;
  const { formula, fromData } = spec;
  const parts = [
    ...comments.map((comment) => `# ${comment}`),
    "format = 1",
    `name = ${quoted(name)}`,
    ...(writes ? [`writes = ${quoted(writes)}`] : []),
    ...(fromData ? ["from_data = true"] : []),
    ...(formula === undefined ? [] : [`formula = ${quoted(formula)}`]),
    `exit = ${number(exit)}`,
    `template = ${lines(template)}`,
    ...holes.flatMap(holeLines),
    ...clauses.flatMap(clauseLines),
    ...(effects ? ["", "[effects]", ...Object.entries(effects).map(pair)] : []),
    ...(against ? ["", "[against]", ...Object.entries(against).map(pair)] : []),
    ...(at ? ["", "[at]", ...Object.entries(at).map(pair)] : []),
    ...(ratios ? ["", "[ratios]", ...Object.entries(ratios).map(pair)] : []),
  ];
  return `${parts.join("\n")}\n`;
}

function holeLines({ name, type, question, nuisance, productions }: HoleSpec): string[] {
  return [
    "",
    `[holes.${name}]`,
    `type = ${quoted(type)}`,
    ...(question === undefined ? [] : [`question = ${quoted(question)}`]),
    ...(nuisance ? ["nuisance = true"] : []),
    ...productions.flatMap((production) => ["", ...productionLines(name, production)]),
  ];
}

function productionLines(hole: string, production: ProductionSpec): string[] {
  const { name, weight, text, requires, requiresAny, excludes, answer, answers } = production;
  const list = (key: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${key} = [${names.map(quoted).join(", ")}]`];
  return [
    `[[holes.${hole}.productions]]`,
    `name = ${quoted(name)}`,
    `weight = ${number(weight)}`,
    ...(answer === undefined ? [] : [`answer = ${quoted(answer)}`]),
    ...(production.class === undefined ? [] : [`class = ${quoted(production.class)}`]),
    ...(answers === undefined
      ? []
      : [`answers = { ${Object.entries(answers).map(pair).join(", ")} }`]),
    ...list("requires", requires),
    ...list("requires_any", requiresAny),
    ...list("excludes", excludes),
    `text = ${lines(text)}`,
  ];
}

function clauseLines({ hole, default: text, exit, answer }: ClauseSpec): string[] {
  return [
    ...["", "[[clauses]]", `hole = ${quoted(hole)}`, `default = ${lines(text)}`],
    `exit = ${number(exit)}`,
    ...(answer === undefined ? [] : [`answer = ${quoted(answer)}`]),
  ];
}

function pair([key, value]: readonly [string, string]): string {
  return `${quoted(key)} = ${quoted(value)}`;
}

/** Strings of JSON are strings of TOML, but for the character 127. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

/** Lines as they are, where nothing in them has to be escaped. */
function lines(text: string): string {
  const isPlain = /^[\n\x20-\x7e]*$/.test(text) && !text.includes("'''");
  if (!isPlain || !text.includes("\n") || /^\n|'$/.test(text)) return quoted(text);
  return `'''\n${text}'''`;
}

/** A number with a point, since TOML distinguishes floats from integers by it. */
function number(value: number): string {
  const text = String(value);
  if (text.includes(".")) return text;
  return text.includes("e") ? text.replace("e", ".0e") : `${text}.0`;
}
