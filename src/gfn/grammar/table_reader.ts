/** Reads the keys of one TOML table with their types, and refuses all other keys. */
import type { Span } from "../../base/span.ts";
import { type Findings, knownNames, shown } from "./findings.ts";
import type { GrammarDocument, GrammarPath } from "./places.ts";

type Table = { readonly [key: string]: unknown };

/** One table of the document. A value that is missing or wrong is reported and replaced. */
export class TableReader {
  readonly #asked: string[] = [];

  /** @param what name of the table in messages: `production "linear"`. */
  constructor(
    readonly document: GrammarDocument,
    readonly findings: Findings,
    readonly path: GrammarPath,
    readonly table: Table,
    readonly what: string,
  ) {}

  /** Text with `\n` line ends and none at its end. */
  text(key: string, fallback?: string): string {
    const value = this.#value(key, "text", (v) => typeof v === "string", fallback) as string;
    return (value ?? "").replaceAll("\r\n", "\n").replace(/\n+$/, "");
  }

  /** A name: lower-case letters, digits and underscores. */
  name(key: string): string {
    const name = this.text(key);
    if (this.table[key] !== undefined && typeof this.table[key] === "string") {
      checkName(this.findings, this.what, name, this.span(key));
    }
    return name;
  }

  /** A weight: a finite number above 0. */
  weight(key: string, fallback?: number): number {
    const value = this.#value(key, "a number", (v) => typeof v === "number", fallback);
    if (typeof value !== "number") return 1;
    if (Number.isFinite(value) && value > 0) return value;
    const message = `Cannot read ${this.what}: ${key} is ${value}, wanted a finite number above 0`;
    this.findings.add("weight", message, this.span(key));
    return 1;
  }

  /** A whole number within bounds; undefined if the key is missing or wrong. */
  whole(key: string, least: number, most: number): number | undefined {
    const fits = (v: number) => Number.isInteger(v) && v >= least && v <= most;
    return this.#number(key, `a whole number from ${least} to ${most}`, fits);
  }

  /** A probability above 0 and below 1; undefined if the key is missing or wrong. */
  probability(key: string): number | undefined {
    return this.#number(key, "a probability above 0 and below 1", (v) => v > 0 && v < 1);
  }

  #number(key: string, wanted: string, fits: (value: number) => boolean): number | undefined {
    const value = this.raw(key);
    if (value === undefined || (typeof value === "number" && fits(value))) return value;
    const message = `Cannot read ${this.what}: ${key} is ${shown(value)}, wanted ${wanted}`;
    this.findings.add("wrong-type", message, this.span(key));
    return undefined;
  }

  /** A short text for people on one line, as in reports; undefined if the key is missing. */
  label(key: string): string | undefined {
    if (this.table[key] === undefined) return void this.raw(key);
    const label = this.text(key);
    if (typeof this.table[key] === "string") checkLabel(this, key, label, this.span(key));
    return label;
  }

  /** A table of labels by names that are labels themselves; undefined if the key is missing. */
  labels(key: string): Record<string, string> | undefined {
    if (this.table[key] === undefined) return void this.raw(key);
    const isLabels = (v: unknown) =>
      isTable(v) && Object.values(v).every((one) => typeof one === "string");
    const table = this.#value(key, "a table of texts", isLabels) as Record<string, string>;
    for (const [name, label] of Object.entries(table ?? {})) {
      const path = [...this.path, key, name];
      checkLabel(this, key, name, this.document.spanOf(path, "key"));
      checkLabel(this, `${key}.${name}`, label, this.document.spanOf(path, "value"));
    }
    return table;
  }

  /** `true`, or undefined if the key is missing or false. */
  flag(key: string): true | undefined {
    const isFlag = (v: unknown) => typeof v === "boolean";
    return this.#value(key, "true or false", isFlag, false) === true ? true : undefined;
  }

  /** A list of text; empty if the key is missing. */
  names(key: string): string[] {
    const isNames = (v: unknown) => Array.isArray(v) && v.every((item) => typeof item === "string");
    return (this.#value(key, "a list of names", isNames, []) ?? []) as string[];
  }

  /** A list of tables. */
  tables(key: string, what: string, fallback?: Table[]): TableReader[] {
    const isTables = (v: unknown) => Array.isArray(v) && v.every(isTable);
    const list = (this.#value(key, "a list of tables", isTables, fallback) ?? []) as Table[];
    return list.map((table, i) => this.#inner([key, i], table, what));
  }

  /** A table of tables, in the order of the file. */
  tablesByName(key: string, what: string): [string, TableReader][] {
    const isTables = (v: unknown) => isTable(v) && Object.values(v).every(isTable);
    const tables = (this.#value(key, "a table of tables", isTables) ?? {}) as Record<string, Table>;
    return Object.entries(tables).map(([name, table]) =>
      [name, this.#inner([key, name], table, `${what} "${name}"`)] as const
    ).map(([name, reader]) => [name, reader]);
  }

  /** The value of a key, unchecked. */
  raw(key: string): unknown {
    this.#asked.push(key);
    return this.table[key];
  }

  /** Reports the keys that were not asked for; call it last. */
  end(): void {
    for (const key of Object.keys(this.table).filter((k) => !this.#asked.includes(k))) {
      const message = `Cannot read ${this.what}: unknown key "${key}"`;
      const span = this.document.spanOf([...this.path, key], "key");
      this.findings.add("unknown-key", message, span, knownNames("keys", key, this.#asked.sort()));
    }
  }

  /** The place of a value, or of the table that lacks it. */
  span(key: string): Span | undefined {
    return this.document.spanOf([...this.path, key], "value") ??
      this.document.spanOf(this.path, "key") ?? this.document.spanOf(this.path, "value");
  }

  #inner(path: GrammarPath, table: Table, what: string): TableReader {
    const name = typeof table.name === "string" ? table.name : table.hole;
    const called = typeof name === "string" && !what.includes('"') ? `${what} "${name}"` : what;
    return new TableReader(
      this.document,
      this.findings,
      [...this.path, ...path],
      table,
      called,
    );
  }

  #value(key: string, wanted: string, fits: (v: unknown) => boolean, fallback?: unknown): unknown {
    const value = this.raw(key);
    if (value === undefined && fallback !== undefined) return fallback;
    if (value !== undefined && fits(value)) return value;
    const found = value === undefined ? `${key} is missing` : `${key} is ${shown(value)}`;
    const code = value === undefined ? "missing-key" : "wrong-type";
    this.findings.add(code, `Cannot read ${this.what}: ${found}, wanted ${wanted}`, this.span(key));
    return undefined;
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks that a label of a question, answer or class fits on one line of a report. */
function checkLabel(
  { findings, what }: TableReader,
  key: string,
  label: string,
  span?: Span,
): void {
  if (/^\S(?:[^\p{Cc}]*\S)?$/u.test(label)) return;
  const message = `Cannot read ${what}: ${key} is ${JSON.stringify(label)}, ` +
    "wanted a text on one line, without spaces around it";
  findings.add("label", message, span);
}

/** Checks the name of a hole or production, which a hole `{name}` has to spell. */
export function checkName(findings: Findings, what: string, name: string, span?: Span): void {
  if (/^[a-z][a-z0-9_]*$/.test(name)) return;
  const message = `Cannot read ${what}: the name is ${JSON.stringify(name)}, ` +
    "wanted lower-case letters, digits and underscores";
  findings.add("name", message, span);
}
