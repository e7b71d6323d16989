/** Splits a text into lines, literal pieces and holes, and checks it against a hole's type. */
import type { HoleType } from "./spec.ts";

/** A piece of a line; `line` and `column` are 0-based, in UTF-16 units of the written text. */
export type Piece =
  | {
    readonly kind: "literal";
    readonly text: string;
    readonly line: number;
    readonly column: number;
  }
  | {
    readonly kind: "hole";
    readonly hole: string;
    readonly line: number;
    readonly column: number;
  }
  /** `{#}`: a number that no other text of the derivation has. */
  | { readonly kind: "fresh"; readonly line: number; readonly column: number };

/** A line: either one hole for whole lines, at an indentation, or pieces side by side. */
export type TemplateLine =
  | { readonly kind: "block"; readonly indent: string; readonly hole: Piece & { kind: "hole" } }
  | { readonly kind: "inline"; readonly pieces: readonly Piece[] };

/** A text that has been split. No lines if it is empty. */
export type Template = readonly TemplateLine[];

/** A problem in a text, with its 0-based place. */
interface TextProblem {
  readonly code: "ill-typed" | "braces";
  readonly message: string;
  readonly hint?: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

const pattern = /\{\{|\}\}|\{#\}|\{([a-z][a-z0-9_]*)\}|[{}]/g;

/** Splits a text at its holes; `{{` and `}}` are literal braces, `{#}` a fresh number. */
export function parseTemplate(text: string): Template {
  if (text === "") return [];
  return text.split("\n").map((line, number) => parseLine(line, number));
}

function parseLine(text: string, line: number): TemplateLine {
  const block = /^(\s*)\{([a-z][a-z0-9_]*)\}\s*$/.exec(text);
  if (block) {
    const [, indent, hole] = block;
    return { kind: "block", indent, hole: { kind: "hole", hole, line, column: indent.length } };
  }
  return { kind: "inline", pieces: parsePieces(text, line) };
}

function parsePieces(text: string, line: number): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const literal = (from: number, value: string) => {
    if (value !== "") pieces.push({ kind: "literal", text: value, line, column: from });
  };
  for (const match of text.matchAll(pattern)) {
    literal(end, text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[1]) pieces.push({ kind: "hole", hole: match[1], line, column: match.index });
    else if (match[0] === "{#}") pieces.push({ kind: "fresh", line, column: match.index });
    else literal(match.index, match[0][0]);
  }
  literal(end, text.slice(end));
  return pieces;
}

/** The holes of a text, in the order in which a derivation fills them. */
export function holesOf(template: Template): (Piece & { kind: "hole" })[] {
  return template.flatMap((line) =>
    line.kind === "block" ? [line.hole] : line.pieces.filter((piece) => piece.kind === "hole")
  );
}

/** Braces that are neither a hole nor doubled. */
export function braceProblems(text: string): TextProblem[] {
  return text.split("\n").flatMap((line, number) =>
    [...line.matchAll(pattern)].filter((m) => m[0].length === 1).map((m) => ({
      code: "braces" as const,
      message: `found a lone "${m[0]}"`,
      hint: "a hole is written {lower_case}, a brace is written twice",
      line: number,
      column: m.index,
      length: 1,
    }))
  );
}

/** Problems that forbid a text in a hole of a type; holes within it count as filled. */
export function typeProblems(text: string, type: HoleType): TextProblem[] {
  if (type === "phrase") return [];
  const problem = type === "statements" ? statementsProblem(text) : inlineProblem(text, type);
  if (problem === undefined) return [];
  const line = text.split("\n").length - 1;
  const whole = { line: 0, column: 0, length: line === 0 ? text.length : 1 };
  return [{ code: "ill-typed", message: problem, ...whole }];
}

function statementsProblem(text: string): string | undefined {
  if (/^\s/.test(text)) return "statements must begin at the left margin";
  if (text.includes("\t")) return "statements must not hold tabs";
  return balanced(text) ? undefined : "its brackets or quotes do not match";
}

function inlineProblem(text: string, type: HoleType): string | undefined {
  if (text.trim() === "") return `the text is empty, wanted ${article(type)}`;
  if (text.includes("\n")) return `the text has several lines, wanted ${article(type)}`;
  if (type === "number") return numberProblem(text);
  if (!balanced(text)) return "its brackets or quotes do not match";
  const outer = atTopLevel(text);
  if (type === "arguments") return undefined;
  if (outer.includes(",")) return "found a comma, wanted one expression";
  return /(^|[^=<>!])=($|[^=])/.test(outer)
    ? "found an assignment, wanted an expression"
    : undefined;
}

function article(type: HoleType): string {
  return type === "expression" ? "an expression" : type === "number" ? "a number" : type;
}

function numberProblem(text: string): string | undefined {
  const isNumber = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  return isNumber ? undefined : `found ${JSON.stringify(text)}, wanted a number`;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The characters outside strings, each with the brackets that are open before it. */
function* outsideStrings(text: string): Generator<{ character: string; open: string[] }> {
  const open: string[] = [];
  const code = text.replace(/\{#\}/g, "1").replace(/\{[a-z][a-z0-9_]*\}/g, "x").replace(
    /"[^"\n]*"|'[^'\n]*'/g,
    "s",
  );
  for (const character of code) {
    yield { character, open: [...open] };
    if (character in closing) open.push(closing[character]);
    else if (character === open.at(-1)) open.pop();
  }
}

function balanced(text: string): boolean {
  let last: string[] = [];
  for (const { character, open } of outsideStrings(text + "\n")) {
    if (`"'`.includes(character)) return false;
    if (")]}".includes(character) && open.at(-1) !== character) return false;
    last = open;
  }
  return last.length === 0;
}

function atTopLevel(text: string): string {
  return [...outsideStrings(text)].filter(({ open }) => open.length === 0)
    .map(({ character }) => character).join("");
}
