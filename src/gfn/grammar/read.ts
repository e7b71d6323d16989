/** Reads a weighted grammar from a parsed TOML file; reports all errors at once. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { mostChoices, mostDepth, mostOperands } from "./bounds.ts";
import { checkGrammar } from "./check.ts";
import { Findings, knownNames, shown } from "./findings.ts";
import { type GrammarDocument, rememberPlaces } from "./places.ts";
import {
  type ClauseSpec,
  type GrammarSpec,
  type HoleSpec,
  type HoleType,
  holeTypes,
  type ProductionSpec,
} from "./spec.ts";
import { readRange } from "./read_range.ts";
import { checkName, TableReader } from "./table_reader.ts";

/**
 * The grammar that a document holds. Its parts keep their places, so that later findings
 * (`checkGrammarPrograms`) point into the file as well.
 *
 * @param document the parsed file: values, and where they stand.
 * @param file how messages call the file where a place is not known.
 * @throws InputError with every finding: keys, types and weights; names; holes that are not
 * declared, not of their type, cyclic, without a legal production, or never used; productions
 * that no derivation can reach; derivations with the same text.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readGrammar } from "./read.ts";
 * const value = {
 *   format: 1,
 *   name: "coin",
 *   template: "side = {side}",
 *   holes: { side: { type: "number", productions: [{ name: "heads", weight: 2, text: "1" }] } },
 * };
 * const grammar = readGrammar({ value, spanOf: () => undefined }, "coin.toml");
 * assert.equal(grammar.holes[0].productions[0].name, "heads");
 * ```
 */
export function readGrammar(document: GrammarDocument, file: string): GrammarSpec {
  const findings = new Findings();
  const top = new TableReader(document, findings, [], document.value, `grammar ${file}`);
  const spec = readTop(top);
  findings.throwIfAny();
  checkGrammar(spec, document.spanOf);
  rememberPlaces(spec, document.spanOf);
  return spec;
}

/**
 * Everything that `readGrammar` would refuse a document for, each with its place; none if the grammar
 * can be read. Programs are written where texts are compared, and none is compiled: it takes well
 * below a second.
 *
 * @param document,file as in `readGrammar`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { grammarFindings } from "./read.ts";
 * const value = { format: 1, name: "coin", template: "side = {side}", holes: {}, exti: 2 };
 * const findings = grammarFindings({ value, spanOf: () => undefined }, "coin.toml");
 * assert.deepEqual(findings.map(({ code }) => code), ["grammar/unknown-key"]);
 * ```
 */
export function grammarFindings(document: GrammarDocument, file: string): readonly Diagnostic[] {
  try {
    readGrammar(document, file);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.diagnostics;
    throw error;
  }
}

function readTop(top: TableReader): GrammarSpec {
  readFormat(top);
  const name = top.name("name");
  const writes = readWrites(top);
  const template = top.text("template");
  const exit = top.weight("exit", 1);
  const depth = top.whole("depth", 1, mostDepth);
  const choices = top.whole("choices", 1, mostChoices);
  const holes = top.tablesByName("holes", "hole").map(([hole, reader]) => readHole(hole, reader));
  const clauses = top.tables("clauses", "clause", []).map(readClause);
  const effects = top.labels("effects");
  const [against, at, ratios] = ["against", "at", "ratios"].map((key) =>
    readOfTerms(top, key, effects)
  );
  const formula = top.label("formula");
  const fromData = top.flag("from_data");
  top.end();
  const named = { format: 1, name, ...(writes && { writes }) } as const;
  const bounds = written({ depth, choices });
  return {
    ...named,
    template,
    exit,
    ...bounds,
    holes,
    clauses,
    ...written({ effects, against, at, ratios, formula }),
    ...(fromData && { fromData }),
  };
}

/** Labels of terms that have an effect. */
function readOfTerms(top: TableReader, key: string, effects: GrammarSpec["effects"]) {
  const labels = top.labels(key);
  requireTerms(top, key, Object.keys(labels ?? {}), effects);
  return labels;
}

function requireTerms(
  top: TableReader,
  key: string,
  terms: readonly string[],
  effects: GrammarSpec["effects"] = {},
): void {
  for (const term of terms.filter((one) => !Object.hasOwn(effects, one))) {
    const message = `Cannot read ${top.what}: ${key} names ${shown(term)}, which is no term of ` +
      "its effects";
    const hint = "name it in [effects], with the variable of the programs that is its effect";
    top.findings.add(key, message, top.document.spanOf([key, term], "key"), hint);
  }
}

/** Left out, or `programs`, where derivations are programs. */
function readWrites(top: TableReader): "text" | undefined {
  const writes = top.raw("writes");
  if (writes === undefined || writes === "programs") return undefined;
  if (writes === "text") return writes;
  const message = `Cannot read ${top.what}: writes is ${
    shown(writes)
  }, wanted "programs" or "text"`;
  top.findings.add("writes", message, top.span("writes"), 'write writes = "text"');
  return undefined;
}

function readFormat(top: TableReader): void {
  const format = top.raw("format");
  if (format === 1) return;
  const found = format === undefined ? "format is missing" : `format is ${shown(format)}`;
  const message = `Cannot read ${top.what}: ${found}, wanted 1`;
  top.findings.add("format", message, top.span("format"), "write format = 1 at the top");
}

function readHole(name: string, reader: TableReader): HoleSpec {
  const span = reader.document.spanOf(reader.path, "key");
  checkName(reader.findings, `hole "${name}"`, name, span);
  if (reader.table.number !== undefined || isBareNumber(reader)) return readNumber(name, reader);
  const type = readType(reader);
  const question = reader.label("question");
  const nuisance = reader.flag("nuisance");
  const productions = reader.tables("productions", "production").map(readProduction);
  if (productions.length === 0 && Array.isArray(reader.table.productions)) {
    reader.findings.add("dead-end", `Cannot read ${reader.what}: it has no productions`, span);
  }
  reader.end();
  const asked = question === undefined ? {} : { question };
  return { name, type, ...asked, ...(nuisance && { nuisance }), productions };
}

/** A hole of numbers with neither productions nor bounds. */
function isBareNumber({ table }: TableReader): boolean {
  const words = ["scale", "bits", "stop"].some((key) => table[key] !== undefined);
  return table.productions === undefined && (table.type === "number" || words);
}

/** A hole whose number is found by halving: it has bounds, and asks nothing. */
function readNumber(name: string, reader: TableReader): HoleSpec {
  const type = reader.table.type === undefined ? "number" : readType(reader);
  reader.flag("nuisance");
  if (type !== "number") {
    const message = `Cannot read ${reader.what}: it has bounds of a number, and type "${type}"`;
    reader.findings.add("hole-type", message, reader.span("type"), 'write type = "number"');
  }
  const number = readRange(reader);
  reader.end();
  return { name, type: "number", productions: [], ...(number && { number }) };
}

function readType(reader: TableReader): HoleType {
  const type = reader.text("type");
  const known: readonly string[] = holeTypes;
  if (typeof reader.table.type === "string" && !known.includes(type)) {
    const message = `Cannot read ${reader.what}: unknown type "${type}"`;
    reader.findings.add(
      "hole-type",
      message,
      reader.span("type"),
      knownNames("types", type, known),
    );
  }
  return type as HoleType;
}

function readProduction(reader: TableReader): ProductionSpec {
  const production = {
    name: reader.name("name"),
    weight: reader.weight("weight"),
    text: reader.text("text"),
    requires: reader.names("requires"),
    requiresAny: reader.names("requires_any"),
    excludes: reader.names("excludes"),
  };
  const meaning = {
    answer: reader.label("answer"),
    answers: reader.labels("answers"),
    class: reader.label("class"),
  };
  const normal = {
    commutative: reader.flag("commutative"),
    associative: reader.flag("associative"),
    operands: reader.whole("operands", 2, mostOperands),
  };
  reader.end();
  return { ...production, ...written(meaning), ...written(normal) };
}

function readClause(reader: TableReader): ClauseSpec {
  const clause = {
    hole: reader.name("hole"),
    default: reader.text("default"),
    exit: reader.weight("exit", 1),
  };
  const answer = reader.label("answer");
  reader.end();
  return { ...clause, ...written({ answer }) };
}

/** The keys that the file has: a key that is left out is no part of the spec. */
function written<T extends Record<string, unknown>>(
  keys: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  const present = Object.entries(keys).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: NonNullable<T[K]> };
}
