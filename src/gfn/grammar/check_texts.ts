/** Checks each text of a grammar: its holes are declared, and it suits the hole it is for. */
import { type Findings, knownNames } from "./findings.ts";
import { type GrammarPath, type Places, spanInText } from "./places.ts";
import type { GrammarSpec, HoleType } from "./spec.ts";
import {
  braceProblems,
  parseTemplate,
  type Piece,
  type TemplateLine,
  typeProblems,
} from "./template.ts";

interface WrittenText {
  readonly what: string;
  readonly path: GrammarPath;
  readonly text: string;
  readonly type: HoleType;
}

/** Reports faults of the template, the productions' texts and the clauses' defaults. */
export function checkTexts(spec: GrammarSpec, places: Places, findings: Findings): void {
  const types = new Map(spec.holes.map(({ name, type }) => [name, type]));
  const texts = [templateOf(spec), ...productionsOf(spec), ...defaultsOf(spec, types)];
  const used = new Set<string>();
  for (const text of texts) {
    const check = new TextCheck(text, types, places, findings);
    check.problems();
    for (const line of parseTemplate(text.text)) check.holes(line).forEach((h) => used.add(h));
  }
  for (const { name } of spec.holes.filter((hole) => !used.has(hole.name))) {
    const message = `Cannot use hole "${name}": no text has it`;
    const hint = `write {${name}} where it belongs, or remove the hole`;
    findings.add("unused-hole", message, places(["holes", name], "key"), hint);
  }
}

function templateOf(spec: GrammarSpec): WrittenText {
  const type = spec.writes === "text" ? "phrase" : "statements";
  return { what: "the template", path: ["template"], text: spec.template, type };
}

function productionsOf(spec: GrammarSpec): WrittenText[] {
  return spec.holes.flatMap((hole) =>
    hole.productions.map(({ name, text }, i) => ({
      what: `production "${name}"`,
      path: ["holes", hole.name, "productions", i, "text"],
      text,
      type: hole.type,
    }))
  );
}

function defaultsOf(spec: GrammarSpec, types: ReadonlyMap<string, HoleType>): WrittenText[] {
  return spec.clauses.map((clause, i) => ({
    what: `the default of clause "${clause.hole}"`,
    path: ["clauses", i, "default"],
    text: clause.default,
    type: types.get(clause.hole) ?? "statements",
  }));
}

class TextCheck {
  constructor(
    readonly text: WrittenText,
    readonly types: ReadonlyMap<string, HoleType>,
    readonly places: Places,
    readonly findings: Findings,
  ) {}

  problems(): void {
    const { text, type } = this.text;
    const braces = braceProblems(text);
    for (const problem of braces.length > 0 ? braces : typeProblems(text, type)) {
      const { code, line, column, length } = problem;
      this.#add(code, problem.message, { line, column }, length, problem.hint);
    }
  }

  /** Reports the holes of a line that are undeclared or of a type that cannot stand there. */
  holes(line: TemplateLine): string[] {
    const pieces = line.kind === "block" ? [line.hole] : line.pieces;
    const holes = pieces.filter((piece) => piece.kind === "hole");
    for (const piece of holes) this.#hole(piece, line.kind === "block");
    return holes.map((piece) => piece.hole);
  }

  #hole(piece: Piece & { kind: "hole" }, isAlone: boolean): void {
    const type = this.types.get(piece.hole);
    const length = piece.hole.length + 2;
    if (this.text.path[0] === "clauses") {
      const hint = "only productions of the clause's hole may have holes";
      this.#add("ill-typed", `it has the hole {${piece.hole}}`, piece, length, hint);
    } else if (type === undefined) {
      const hint = knownNames("holes", piece.hole, [...this.types.keys()]);
      this.#add("undeclared-hole", `there is no hole "${piece.hole}"`, piece, length, hint);
    } else if (type === "statements" && !(isAlone && this.text.type === "statements")) {
      const message = `{${piece.hole}} holds statements, but stands within a line`;
      this.#add("ill-typed", message, piece, length, "give the hole a line of its own");
    } else if (type !== "statements" && type !== "phrase" && isAlone && this.#isLines) {
      const message = `{${piece.hole}} holds ${type}, but stands on a line of its own`;
      const hint = `use it within a statement, or give it type = "statements"`;
      this.#add("ill-typed", message, piece, length, hint);
    }
  }

  get #isLines(): boolean {
    return this.text.type === "statements";
  }

  #add(
    code: string,
    message: string,
    at: { readonly line: number; readonly column: number },
    length: number,
    hint?: string,
  ): void {
    const { what, path, text } = this.text;
    const span = spanInText(this.places(path, "value"), text, at.line, at.column, length);
    this.findings.add(code, `Cannot use ${what}: ${message}`, span, hint);
  }
}
