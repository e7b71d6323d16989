/** SQL checks prepared against an empty run, to find their faults before anything has run. */
import { type DuckDBConnection, DuckDBTypeId, StatementType } from "@duckdb/node-api";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../base/span.ts";
import { closeToOutside, openInMemory } from "./closed_database.ts";
import { createStatements } from "./schema.ts";

/** A check, and where its SQL is written. */
export interface WrittenSql {
  /** Query, as written. */
  readonly sql: string;
  /** Present where the pipeline names it. */
  readonly name?: string;
  /** The first and last character of the text, its quotes included. */
  readonly span?: Span;
}

/**
 * Faults of each query: its syntax, a table or column that no run has, or the form of its answer.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkSql } from "./prepared_checks.ts";
 * assert.deepEqual(await checkSql([]), []);
 * ```
 */
export async function checkSql(checks: readonly WrittenSql[]): Promise<Diagnostic[]> {
  if (checks.length === 0) return [];
  const instance = await openInMemory();
  const connection = await instance.connect();
  try {
    for (const statement of createStatements()) await connection.run(statement);
    for (const statement of closeToOutside) await connection.run(statement);
    const found: Diagnostic[] = [];
    for (const check of checks) found.push(...await findingsOf(connection, check));
    return found;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function findingsOf(connection: DuckDBConnection, check: WrittenSql): Promise<Diagnostic[]> {
  try {
    const prepared = await connection.prepare(check.sql);
    const isQuery = prepared.statementType === StatementType.SELECT;
    const found = isQuery
      ? [...Array(prepared.columnCount).keys()].map((i) => `${prepared.columnType(i)}`)
      : [];
    const holds = prepared.columnCount === 1 && prepared.columnTypeId(0) === DuckDBTypeId.BOOLEAN;
    prepared.destroySync();
    return isQuery && holds ? [] : [wrongAnswer(check, isQuery, found)];
  } catch (error) {
    return [notPrepared(check, error instanceof Error ? error.message : `${error}`)];
  }
}

const called = ({ name }: WrittenSql): string => name === undefined ? "a check" : `check "${name}"`;

function wrongAnswer(check: WrittenSql, isQuery: boolean, types: readonly string[]): Diagnostic {
  const what = types.length === 1 ? types[0] : `${types.length} columns: ${types.join(", ")}`;
  const found = isQuery ? `it gives ${what}` : "it is no query";
  return {
    code: "check/sql",
    severity: "error",
    message: `Cannot use ${called(check)}: ${found}, wanted one BOOLEAN`,
    span: check.span,
    hint: "compare what you select, in one row: select max(value) <= 0.02 from evaluation where …",
  };
}

function notPrepared(check: WrittenSql, text: string): Diagnostic {
  const [first, ...rest] = text.split("\n").map((line) => line.trim()).filter((line) =>
    line !== ""
  );
  const at = rest.findIndex((line) => /^LINE \d+:/.test(line));
  const hint = rest.slice(0, at < 0 ? undefined : at).join("; ");
  return {
    code: "check/sql",
    severity: "error",
    message: `Cannot prepare ${called(check)}: ${first.replace(/[.!]$/, "")}`,
    span: placeOf(check, text),
    hint: hint || "tables and their columns are in docs/tables.md",
  };
}

/** The place that DuckDB points at, where the text is written without escapes. */
function placeOf({ sql, span }: WrittenSql, text: string): Span | undefined {
  const shown = /^LINE (\d+): (.*)\n( *)\^/m.exec(text);
  if (!span || !shown || /\\/.test(sql)) return span;
  const line = Number(shown[1]) - 1;
  const excerpt = shown[2].replace(/^\.\.\.|\.\.\.$/g, "");
  const written = sql.split("\n")[line] ?? "";
  const from = written.indexOf(excerpt);
  if (from < 0) return span;
  const before = `LINE ${shown[1]}: ${shown[2].startsWith("...") ? "..." : ""}`.length;
  const column = from + shown[3].length - before;
  const word = /^\w+/.exec(written.slice(column))?.[0] ?? " ";
  return inText(span, sql, line, column, word.length);
}

/** A place in a TOML string: on one line after its quote, on several after three of them. */
function inText(whole: Span, sql: string, line: number, column: number, length: number): Span {
  if (whole.line === whole.endLine) {
    return lineSpan(whole.file, whole.line, whole.column + 1 + column, length);
  }
  const lines = sql.replace(/\n$/, "").split("\n").length;
  const opening = whole.endLine - whole.line + 1 > lines ? 1 : 0;
  const indent = line + opening === 0 ? whole.column + 3 : 1;
  return lineSpan(whole.file, whole.line + line + opening, indent + column, length);
}
