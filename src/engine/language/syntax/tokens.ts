/** Python's tokens: a strict tokenizer that finds the tokens of CPython 3.11's, at the same places. */
import { limits } from "./limits.ts";
import { type Place, type Source, SyntaxFailure, unsupported } from "./source.ts";

/** Class of a token, after CPython's; `failure` stands where reading stopped. */
export type TokenKind =
  | "name"
  | "number"
  | "string"
  | "op"
  | "newline"
  | "indent"
  | "dedent"
  | "end"
  | "open"
  | "failure";

/** `level` is the number of open brackets after the token. */
export interface Token extends Place {
  /** Class that decides which rules of the grammar may take it. */
  readonly kind: TokenKind;
  /** As written, names in Unicode's normal form NFKC; empty for tokens without text. */
  readonly text: string;
  /** Brackets open after the token, from 0. */
  readonly level: number;
}

/** Tokens up to the end or to the first failure, which is then the last token. */
export interface Tokens {
  /** In the order of the text. */
  readonly tokens: readonly Token[];
  /** Why the last token could not be read; absent of a whole text. */
  readonly failure?: SyntaxFailure;
  /**
   * CPython reads on after a parser error and prefers a later tokenizer error to it; `eager`
   * failures are of that kind, the others count only once the parser arrives at them.
   */
  readonly eager: boolean;
  /** The innermost bracket that is still open at the end of the text. */
  readonly unclosed?: Token;
}

const threeCharacter = new Set(["**=", "//=", ">>=", "<<=", "..."]);
const twoCharacter = new Set(
  "** // >> << <= >= == != <> -> += -= *= /= %= &= |= ^= @= :=".split(" "),
);
const oneCharacter = new Set("+-*/%@&|^~<>()[]{},:.;=".split(""));
const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const numberPattern =
  /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*\.?(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?[jJ]?/y;
/** Letters of names as in Unicode's Annex 31; of the astral planes only mathematical letters. */
const foreignStart = /(?=[\0-\uffff\u{1d400}-\u{1d7ff}])\p{XIDS}/uy;
const foreignPart = /(?=[\0-\uffff\u{1d400}-\u{1d7ff}])\p{XIDC}/uy;
const stringPrefix = /^(?:[rRuUbBfF]|[bB][rR]|[rR][bB]|[fF][rR]|[rR][fF])$/;
const keywordAfterNumber = /(?:and|else|for|if|in|is|not|or)(?![A-Za-z0-9_])/y;

class Tokenizer {
  readonly tokens: Token[] = [];
  eager = true;
  private at = 0;
  private readonly open: Token[] = [];
  private readonly indents: { column: number; alternative: number }[] = [
    { column: 0, alternative: 0 },
  ];
  private readonly text: string;

  constructor(readonly source: Source, readonly isOpen = false) {
    this.text = source.text;
  }

  get unclosed(): Token | undefined {
    return this.open.at(-1);
  }

  run(): void {
    let lineStart = true;
    while (this.at < this.text.length) {
      if (lineStart && this.open.length === 0 && !this.indentation()) continue;
      lineStart = this.token();
    }
    this.finish();
  }

  private push(kind: TokenKind, start: number, end: number): Token {
    const slice = this.text.slice(start, end);
    const text = kind === "name" && /[^\0-\x7f]/.test(slice) ? slice.normalize("NFKC") : slice;
    const token = { kind, text, start, end, level: this.open.length };
    this.tokens.push(token);
    return token;
  }

  private fail(code: string, message: string, start: number, end = start + 1): never {
    throw new SyntaxFailure(`syntax/${code}`, `Cannot parse: ${message}`, { start, end });
  }

  /** Reads a line's indentation; false if the line is blank and has been skipped. */
  private indentation(): boolean {
    const start = this.at;
    let column = 0;
    let alternative = 0;
    for (;; this.at++) {
      const c = this.text[this.at];
      if (c === " ") column++, alternative++;
      else if (c === "\t") column = (Math.floor(column / 8) + 1) * 8, alternative++;
      else if (c === "\f") column = alternative = 0;
      else break;
    }
    if (this.skipBlank()) return false;
    if (this.text[this.at] === "\\") this.refuseLeadingBackslash();
    this.setIndent(column, alternative, start);
    return true;
  }

  private refuseLeadingBackslash(): never {
    this.eager = false;
    const place = { start: this.at, end: this.at + 1 };
    throw unsupported("a line that begins with a backslash", place, "leave the backslash out");
  }

  private skipBlank(): boolean {
    const c = this.text[this.at];
    if (c === "#") this.skipComment();
    else if (c !== undefined && c !== "\n") return false;
    this.at++;
    return true;
  }

  private skipComment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private setIndent(column: number, alternative: number, start: number): void {
    const current = this.indents[this.indents.length - 1];
    if (column === current.column) {
      if (alternative !== current.alternative) this.inconsistentTabs(start);
    } else if (column > current.column) {
      if (alternative <= current.alternative) this.inconsistentTabs(start);
      if (this.indents.length > limits.nesting) this.tooDeep(start);
      this.indents.push({ column, alternative });
      this.push("indent", start, this.at);
    } else this.dedent(column, alternative, start);
  }

  private dedent(column: number, alternative: number, start: number): void {
    while (column < this.indents[this.indents.length - 1].column) {
      this.indents.pop();
      this.push("dedent", this.at, this.at);
    }
    const current = this.indents[this.indents.length - 1];
    if (column !== current.column) {
      const end = this.lineEnd();
      this.eager = false;
      this.fail("indent", "unindent does not match any outer indentation level", end);
    }
    if (alternative !== current.alternative) this.inconsistentTabs(start);
  }

  private lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }

  private inconsistentTabs(start: number): never {
    this.eager = false;
    this.fail("indent", "inconsistent use of tabs and spaces in indentation", start);
  }

  private tooDeep(start: number): never {
    this.fail("limit", `more than ${limits.nesting} levels of nesting`, start);
  }

  /** Reads one token; true if the next one begins a line. */
  private token(): boolean {
    const start = this.at;
    const c = this.text[start];
    if (c === " " || c === "\t" || c === "\f") return this.at++, false;
    if (c === "#") return this.trailingComment();
    if (c === "\n") return this.newline(start);
    if (c === "\\") return this.continuation();
    if (isNameStart(c) || this.foreignLength(foreignStart) > 0) this.nameOrString();
    else if (isDigit(c) || (c === "." && isDigit(this.text[start + 1]))) this.number();
    else if (c === '"' || c === "'") this.string(start);
    else this.operator();
    return false;
  }

  /** The newline after a comment begins where the comment does. */
  private trailingComment(): boolean {
    const start = this.at;
    this.skipComment();
    return this.newline(start);
  }

  private newline(start: number): boolean {
    this.at++;
    if (this.open.length > 0) return false;
    this.push("newline", start, this.at);
    return true;
  }

  private continuation(): boolean {
    const next = this.text[this.at + 1];
    this.eager = false;
    if (next === undefined || (next === "\n" && this.at + 2 >= this.text.length)) {
      this.fail("unexpected-end", "unexpected EOF while parsing", this.at + 1);
    }
    if (next !== "\n") {
      this.fail("character", "unexpected character after line continuation character", this.at + 1);
    }
    this.eager = true;
    this.at += 2;
    return false;
  }

  private nameOrString(): void {
    const start = this.at;
    this.at += this.foreignLength(foreignStart);
    for (;;) {
      if (isNamePart(this.text[this.at])) this.at++;
      else {
        const length = this.foreignLength(foreignPart);
        if (length === 0) break;
        this.at += length;
      }
    }
    const next = this.text[this.at];
    if (next !== undefined && next > "\x7f") this.foreignCharacter();
    const quoted = next === '"' || next === "'";
    if (quoted && stringPrefix.test(this.text.slice(start, this.at))) this.string(start);
    else this.push("name", start, this.at);
  }

  /** Length of a letter outside of ASCII at hand that may stand in a name; 0 if there is none. */
  private foreignLength(pattern: RegExp): number {
    const c = this.text[this.at];
    if (c === undefined || c <= "\x7f") return 0;
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0].length ?? 0;
  }

  private number(): void {
    const start = this.at;
    numberPattern.lastIndex = start;
    const found = numberPattern.exec(this.text)?.[0] ?? "";
    this.at = start + found.length;
    this.checkNumber(start, found);
    this.push("number", start, this.at);
  }

  private checkNumber(start: number, found: string): void {
    const next = this.text[this.at] ?? "";
    const radix = /^0[xXoObB]/.exec(this.text.slice(start, start + 2))?.[0].toLowerCase();
    if (radix) this.checkRadix(start, radix, found, next);
    const leadingZero = /^0[0-9_]*[1-9]/.test(found) && !/[.eEjJ]/.test(found);
    if (!radix && leadingZero) {
      const wanted = "use an 0o prefix for octal integers";
      const message = `leading zeros in decimal integer literals are not permitted; ${wanted}`;
      this.fail("number", message, start, this.at);
    }
    keywordAfterNumber.lastIndex = this.at;
    if (isNamePart(next) && !keywordAfterNumber.test(this.text)) this.badNumber(radix);
    if (found.length > limits.numberLength) {
      this.fail("limit", `a number of more than ${limits.numberLength} characters`, start, this.at);
    }
  }

  private checkRadix(start: number, radix: string, found: string, next: string): void {
    const name = { "0x": "hexadecimal", "0o": "octal", "0b": "binary" }[radix];
    const empty = found.length <= 1;
    const digit = empty ? this.text[start + 2] ?? "" : next;
    if (radix !== "0x" && isDigit(digit)) {
      const at = empty ? start + 2 : this.at;
      this.fail("number", `invalid digit '${digit}' in ${name} literal`, at);
    }
    const last = empty ? start + 1 : this.at - 1;
    if (empty || next === "_") this.fail("number", `invalid ${name} literal`, last);
  }

  private badNumber(radix: string | undefined): never {
    const name = { "0x": "hexadecimal", "0o": "octal", "0b": "binary" }[radix ?? ""] ?? "decimal";
    const at = this.text[this.at] === "_" ? this.at : this.at - 1;
    this.fail("number", `invalid ${name} literal`, at);
  }

  private string(start: number): void {
    const quote = this.text[this.at];
    const triple = this.text.startsWith(quote.repeat(3), this.at);
    const delimiter = triple ? quote.repeat(3) : quote;
    this.at += delimiter.length;
    while (!this.text.startsWith(delimiter, this.at)) {
      const c = this.text[this.at];
      if (c === undefined || (c === "\n" && !triple)) this.unterminated(start, triple);
      this.at += c === "\\" ? 2 : 1;
    }
    this.at += delimiter.length;
    if (this.at - start > limits.stringLength) {
      this.fail("limit", `a string of more than ${limits.stringLength} characters`, start);
    }
    this.push("string", start, this.at);
  }

  private unterminated(start: number, triple: boolean): never {
    const end = this.text.endsWith("\n") ? this.text.length - 1 : this.text.length;
    const line = this.source.lineOf(triple ? end : Math.min(this.at, end));
    const what = triple ? "triple-quoted string literal" : "string literal";
    this.fail("unterminated-string", `unterminated ${what} (detected at line ${line})`, start);
  }

  private operator(): void {
    const start = this.at;
    const three = this.text.slice(start, start + 3);
    const two = three.slice(0, 2);
    const length = threeCharacter.has(three) ? 3 : twoCharacter.has(two) ? 2 : 1;
    const text = three.slice(0, length);
    if (length === 1 && !oneCharacter.has(text)) return this.foreignCharacter();
    this.at += length;
    if (text === ")" || text === "]" || text === "}") this.close(text, start);
    const token = this.push("op", start, this.at);
    if (text === "(" || text === "[" || text === "{") this.openBracket(token);
  }

  private openBracket(token: Token): void {
    if (this.open.length >= limits.nesting) this.tooDeep(token.start);
    this.open.push(token);
  }

  private close(text: string, start: number): void {
    const opening = this.open.pop();
    if (!opening) this.fail("unmatched-bracket", `unmatched '${text}'`, start);
    if (opening.text === closers[text]) return;
    const line = this.source.lineOf(opening.start);
    const where = line === this.source.lineOf(start) ? "" : ` on line ${line}`;
    const message =
      `closing parenthesis '${text}' does not match opening parenthesis '${opening.text}'${where}`;
    this.fail("unmatched-bracket", message, start);
  }

  /** Characters outside of ASCII, and ASCII that means nothing (`$`, `?`, `!`). */
  private foreignCharacter(): void {
    const c = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    const end = this.at + c.length;
    if ("$?!`".includes(c)) {
      this.at = end;
      this.push("op", end - 1, end);
      return;
    }
    const hex = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(c);
    const message = printable
      ? `invalid character '${c}' (U+${hex})`
      : `invalid non-printable character U+${hex}`;
    this.fail("character", message, this.at, end);
  }

  private finish(): void {
    const end = this.text.length;
    if (this.isOpen) {
      this.push("open", end, end);
      return;
    }
    if (this.open.length > 0) return;
    const last = this.tokens.at(-1);
    const closed = !last || last.kind === "newline" || last.kind === "dedent";
    if (!closed) this.push("newline", end, end);
    for (let i = this.indents.length; i > 1; i--) this.push("dedent", end, end);
    this.push("end", end, end);
  }
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= "0" && c <= "9";
}

function isNameStart(c: string | undefined): boolean {
  return c !== undefined && ((c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_");
}

function isNamePart(c: string | undefined): boolean {
  return isNameStart(c) || isDigit(c);
}

/**
 * Tokens of the whole text. Where the text ends inside a bracket, the last token is a failure.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { Source } from "./source.ts";
 * import { tokenize } from "./tokens.ts";
 * assert(tokenize(new Source("x = 1\n", "a.py")).tokens.length >= 3);
 * ```
 */
export function tokenize(source: Source): Tokens {
  const tokenizer = new Tokenizer(source);
  try {
    tokenizer.run();
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return failed(tokenizer, error, tokenizer.eager);
  }
  const unclosed = tokenizer.unclosed;
  if (!unclosed) return { tokens: tokenizer.tokens, eager: false };
  return { ...failed(tokenizer, neverClosed(unclosed), false), unclosed };
}

/**
 * Tokens of a text that goes on: the last of them is `open`, which stands for whatever follows. Its last
 * word must be complete.
 */
export function tokenizeOpen(source: Source): Tokens {
  const tokenizer = new Tokenizer(source, true);
  try {
    tokenizer.run();
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return failed(tokenizer, error, tokenizer.eager);
  }
  return { tokens: tokenizer.tokens, eager: false };
}

function failed({ tokens, source }: Tokenizer, failure: SyntaxFailure, eager: boolean): Tokens {
  const end = source.text.length;
  const start = eager ? end : failure.place.start;
  const last: Token = { kind: "failure", text: "", start, end: start, level: 0 };
  return { tokens: [...tokens, last], failure, eager };
}

/** CPython's message for a bracket without its partner. */
export function neverClosed(opening: Token): SyntaxFailure {
  const { start, end, text } = opening;
  const message = `Cannot parse: '${text}' was never closed`;
  return new SyntaxFailure("syntax/unclosed-bracket", message, { start, end });
}
