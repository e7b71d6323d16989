/** Checks the programs of a grammar with a checker from outside; findings point into the grammar. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../base/span.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { type CompiledGrammar, compileGrammar } from "./compile.ts";
import { grammarEnvironment } from "./environment.ts";
import { pathOfSource, placesOf, spanInText, type TextSource } from "./places.ts";
import { type Chunk, renderLines } from "./render.ts";
import type { GrammarSpec } from "./spec.ts";

/** Programs that differ in spelling only, as derivations by production names. */
export interface Twins {
  /** The canonical hash that they share. */
  readonly hash: string;
  /** Production names of each, in the order of the enumeration. */
  readonly derivations: readonly (readonly string[])[];
}

/** Results of the check of programs. */
export interface ProgramsReport {
  /** Number of programs that the grammar derives; rounded beyond 2^53. */
  readonly programs: number;
  /** Number of them that were checked. */
  readonly checked: number;
  /** Sets of programs that are one model, among those that were checked. */
  readonly twins: readonly Twins[];
  /** Warnings, which refuse nothing. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A checker's answer: the canonical hash of a program, equal for programs that are one model. */
export type ProgramCheck =
  | { readonly ok: true; readonly program: { readonly hash: string } }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

interface IllFormed {
  readonly diagnostic: Diagnostic;
  readonly source: TextSource | undefined;
  readonly span: Span | undefined;
  readonly derivation: readonly string[];
  programs: number;
}

/** Programs that one processor checks in a second. */
const checkedPerSecond = 600;

/** Default budget: 12,000 programs, or 1,200 of more than that. */
const defaultSeconds = 20;

/** Budget of a check. */
export interface CheckBudget {
  /** Seconds of one processor, converted to programs, so that the same ones are checked everywhere. */
  readonly seconds?: number;
  /** Instead of `seconds`: programs that are checked if there are more than these. */
  readonly most?: number;
}

/**
 * Checks every program that a grammar derives, if `seconds` are enough for all. Of more, some, in a
 * tenth of that time: see `someObjects`. The others are checked when they are executed.
 *
 * A finding points into the grammar's file if the grammar was read from one; else into the text
 * of the production, by the production's name.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkGrammarPrograms } from "./programs.ts";
 * const grammar = {
 *   format: 1, name: "one", template: "y = 1", exit: 1, holes: [], clauses: [],
 * } as const;
 * const report = checkGrammarPrograms(grammar, (text) => ({ ok: true, program: { hash: text } }));
 * assert.equal(report.checked, 1);
 * ```
 *
 * @param check the checker of programs, with the data's columns bound.
 * @param budget 20 seconds if left out.
 * @throws InputError `grammar/program`: every distinct error, at the production that wrote the
 * offending text, with the first derivation that has it and how many have it.
 */
export function checkGrammarPrograms(
  grammar: GrammarSpec,
  check: (text: string) => ProgramCheck,
  budget: CheckBudget = {},
): ProgramsReport {
  const compiled = compileGrammar(grammar);
  const errors = new Map<string, IllFormed>();
  const byHash = new Map<string, (readonly string[])[]>();
  const environment = grammarEnvironment(grammar);
  const programs = environment.count!;
  let checked = 0;
  for (const { text, actions, features } of objectsToCheck(environment, budget)) {
    checked++;
    const result = check(text);
    if (result.ok) append(byHash, result.program.hash, features);
    else {
      for (const diagnostic of result.diagnostics.filter((d) => d.severity === "error")) {
        collect(errors, blame(grammar, compiled, actions.slice(0, -1), diagnostic, features));
      }
    }
  }
  if (errors.size > 0) {
    throw new InputError([...errors.values()].map((error) => describe(grammar, error)));
  }
  const twins = [...byHash].filter(([, all]) => all.length > 1)
    .map(([hash, derivations]) => ({ hash, derivations }));
  return { programs, checked, twins, diagnostics: twinWarnings(twins) };
}

/**
 * All objects of the environment of a grammar, or where there are many, some: see `someObjects`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { objectsToCheck } from "./programs.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * assert.equal([...objectsToCheck(environment)].length, 10);
 * ```
 */
export function objectsToCheck(
  environment: Environment,
  { seconds = defaultSeconds, most }: CheckBudget = {},
): Iterable<TerminalObject> {
  const all = most ?? Math.max(1, Math.floor(seconds * checkedPerSecond));
  const isMany = environment.count! > all;
  return isMany ? environment.some!(most ?? Math.ceil(all / 10)) : environment.enumerate();
}

function append<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

function collect(errors: Map<string, IllFormed>, found: IllFormed): void {
  const { span, source, diagnostic } = found;
  const key = JSON.stringify([source, span, diagnostic.code, diagnostic.message]);
  const known = errors.get(key);
  if (known) known.programs++;
  else errors.set(key, found);
}

/** Finds the production whose text holds the place of a program's error. */
function blame(
  spec: GrammarSpec,
  compiled: CompiledGrammar,
  actions: readonly number[],
  diagnostic: Diagnostic,
  derivation: readonly string[],
): IllFormed {
  const at = diagnostic.span;
  const line = at && renderLines(compiled, actions)[at.line - 1];
  const place = line && chunkAt(line, at.column - 1);
  if (!at || !place) {
    return { diagnostic, source: undefined, span: undefined, derivation, programs: 1 };
  }
  const { chunk, offset } = place;
  const { source } = chunk;
  const length = at.endLine === at.line ? at.endColumn - at.column : 1;
  const shown = Math.max(1, Math.min(length, chunk.text.length - offset));
  const column = chunk.column + offset;
  const span = placeOf(spec, source, chunk.line, column, shown);
  return { diagnostic, source, span, derivation, programs: 1 };
}

/** Place of a finding in the grammar's file, or else in the text itself. */
function placeOf(
  spec: GrammarSpec,
  source: TextSource,
  line: number,
  column: number,
  length: number,
): Span {
  const whole = placesOf(spec)(pathOfSource(source), "value");
  if (source.kind === "number" && whole) return whole;
  return spanInText(whole, textOf(spec, source), line, column, length) ??
    lineSpan(`${spec.name}: ${nameOf(spec, source)}`, line + 1, column + 1, length);
}

/** The chunk at a 0-based column of a line; at or beyond the end, the last one. */
function chunkAt(line: readonly Chunk[], column: number) {
  let start = 0;
  for (const chunk of line) {
    if (column < start + chunk.text.length) return { chunk, offset: column - start };
    start += chunk.text.length;
  }
  const chunk = line.at(-1);
  return chunk && { chunk, offset: Math.max(0, chunk.text.length - 1) };
}

function textOf(spec: GrammarSpec, source: TextSource): string {
  if (source.kind === "template") return spec.template;
  if (source.kind === "default") return spec.clauses[source.index].default;
  const hole = spec.holes.find(({ name }) => name === source.hole);
  return source.kind === "number" ? "" : hole?.productions[source.index].text ?? "";
}

function describe(spec: GrammarSpec, error: IllFormed): Diagnostic {
  const { diagnostic, source, span, derivation, programs } = error;
  const more = programs > 1 ? `, and ${programs - 1} more` : "";
  const what = source ? nameOf(spec, source) : "the grammar";
  return {
    code: "grammar/program",
    severity: "error",
    message: `Cannot use ${what}: it derives an ill-formed program: ${diagnostic.message} ` +
      `(${derivation.join(", ")}${more})`,
    ...(span && { span }),
    ...hintOf(spec, error),
  };
}

/** Hint of the program's finding; for a text that occurs twice, how to keep its names apart. */
function hintOf(spec: GrammarSpec, { diagnostic: { hint }, source, derivation }: IllFormed) {
  const name = source?.kind === "production" ? productionOf(spec, source).name : undefined;
  const isTwice = derivation.filter((one) => one === name).length > 1;
  if (!isTwice || textOf(spec, source!).includes("{#}")) return hint === undefined ? {} : { hint };
  const fresh = "{#} in the text is another number each time it stands there, for names of its own";
  return { hint: hint === undefined ? fresh : `${hint}; ${fresh}` };
}

function productionOf(spec: GrammarSpec, source: TextSource & { kind: "production" }) {
  return spec.holes.find(({ name }) => name === source.hole)!.productions[source.index];
}

function nameOf(spec: GrammarSpec, source: TextSource): string {
  if (source.kind === "template") return "the template";
  if (source.kind === "default") {
    return `the default of clause "${spec.clauses[source.index].hole}"`;
  }
  if (source.kind === "number") return `hole "${source.hole}"`;
  const hole = spec.holes.find(({ name }) => name === source.hole);
  return `production "${hole?.productions[source.index].name}"`;
}

function twinWarnings(twins: readonly Twins[]): Diagnostic[] {
  if (twins.length === 0) return [];
  const [one, two] = twins[0].derivations;
  const message = `Some derivations are one model: ${twins.length} sets of programs differ in ` +
    `spelling only, such as ${one.join(", ")}; and ${two.join(", ")}`;
  const hint = "weights are also summed by canonical hash";
  return [{ code: "grammar/twins", severity: "warning", message, hint }];
}
