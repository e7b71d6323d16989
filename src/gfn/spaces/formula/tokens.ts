/** Splits a formula into tokens, each with its column. */
import { inputError } from "../../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../../base/span.ts";

/** A piece of a formula. */
export interface Token {
  readonly kind: "name" | "number" | "text" | "sign" | "end";
  readonly text: string;
  /** 1-based. */
  readonly column: number;
}

const pattern =
  /\s*(?:(`[^`]+`|[\p{L}_.][\p{L}\p{N}_.]*)|(\d+(?:\.\d+)?)|("[^"]*"|'[^']*')|(\|\||[~+\-*:|()[\],;/=]))/uy;

/** Characters of a formula: a column for each of them, some times over. */
const longest = 20_000;

/** The tokens of a formula, the end last. @throws InputError `formula/character`, `formula/long`. */
export function tokensOf(formula: string): Token[] {
  if (formula.length > longest) throw tooLong(formula.length);
  const tokens: Token[] = [];
  let [from, column] = [0, 1];
  const columnAt = (index: number) => {
    column += [...formula.slice(from, index)].length;
    from = index;
    return column;
  };
  const end = formula.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const match = pattern.exec(formula);
    if (!match) throw strange(formula, start);
    const text = match[1] ?? match[2] ?? match[3] ?? match[4];
    const kind = match[1] ? "name" : match[2] ? "number" : match[3] ? "text" : "sign";
    tokens.push({ kind, text, column: columnAt(pattern.lastIndex - text.length) });
  }
  return [...tokens, { kind: "end", text: "", column: columnAt(formula.length) }];
}

function tooLong(length: number): Error {
  const message =
    `Cannot read the formula: it has ${length} characters, at most ${longest} are read`;
  const hint = "ask fewer questions at once; (1 | g) takes the levels of a column together";
  return inputError("formula/long", message, undefined, hint);
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
  const hint = character === "^"
    ? hintOfPower(formula.slice(0, at).trimEnd())
    : meanings.get(character) ??
      "a column whose name has other characters is written in backticks: `body mass`";
  return inputError("formula/character", message, span, hint);
}

const comparison = "add what is compared to the file as a column of 0 and 1";

/** Characters of other notations, with their replacements. */
const meanings: ReadonlyMap<string, string> = new Map([
  ["%", "a %in% b is a:b, levels of groups within groups (1 | b/a)"],
  ["$", "write the name of the column alone: the file is the table"],
  ["&", "the product of two columns of 0 and 1 is a:b"],
  ...["<", ">", "!"].map((sign) => [sign, comparison] as const),
]);

function hintOfPower(before: string): string {
  return before.endsWith(")")
    ? "(a + b)^2 is a * b, of three terms a:b + a:c + b:c"
    : "powers are poly(x, 2)";
}

function columnOf(text: string, index: number): number {
  return [...text.slice(0, index)].length + 1;
}
