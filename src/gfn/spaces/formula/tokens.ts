/** Splits a formula into tokens, each with its column. */
import { inputError } from "../../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../../base/span.ts";

/** A piece of a formula. */
export interface Token {
  readonly kind: "name" | "number" | "sign" | "end";
  readonly text: string;
  /** 1-based. */
  readonly column: number;
}

const pattern =
  /\s*(?:(`[^`]+`|[\p{L}_.][\p{L}\p{N}_.]*)|(\d+(?:\.\d+)?)|(\|\||[~+\-*:|()[\],;]))/uy;

/** The tokens of a formula, the end last. @throws InputError `formula/character`. */
export function tokensOf(formula: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (formula.slice(pattern.lastIndex).trim() !== "") {
    const from = pattern.lastIndex;
    const match = pattern.exec(formula);
    if (!match) throw strange(formula, from);
    const text = match[1] ?? match[2] ?? match[3];
    const kind = match[1] ? "name" : match[2] ? "number" : "sign";
    tokens.push({ kind, text, column: columnOf(formula, pattern.lastIndex - text.length) });
  }
  return [...tokens, { kind: "end", text: "", column: columnOf(formula, formula.length) }];
}

/** Where a token stands, for messages. */
export function spanOf({ text, column }: Token): Span {
  return lineSpan("formula", 1, column, [...text].length);
}

function strange(formula: string, from: number): Error {
  const at = from + formula.slice(from).search(/\S/);
  const [character] = formula.slice(at);
  const span = lineSpan("formula", 1, columnOf(formula, at));
  const message = `Cannot read the formula: "${character}" means nothing in it`;
  const hint = "a column whose name has other characters is written in backticks: `body mass`";
  return inputError("formula/character", message, span, hint);
}

function columnOf(text: string, index: number): number {
  return [...text.slice(0, index)].length + 1;
}
