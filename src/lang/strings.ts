/** The value of a Python string literal: prefixes, quotes and escapes. */
import type { Cursor } from "./cursor.ts";
import type { Token } from "./tokens.ts";

const simpleEscapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const escapePattern =
  /\\(?:([\n\\'"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([xuUN]))/g;

/** Decodes one token; f-strings are refused. */
export function decodeString(cursor: Cursor, token: Token): { value: string; bytes: boolean } {
  const quote = token.text.search(/['"]/);
  const prefix = token.text.slice(0, quote).toLowerCase();
  if (prefix.includes("f")) {
    cursor.unsupported("an f-string", token, "write the text itself between quotes");
  }
  const width = /^('''|""")/.test(token.text.slice(quote)) ? 3 : 1;
  const body = token.text.slice(quote + width, -width);
  const bytes = prefix.includes("b");
  if (bytes && /[^\0-\x7f]/.test(body)) {
    cursor.fail("character", "bytes can only contain ASCII literal characters", token);
  }
  const value = prefix.includes("r") ? body : body.replace(escapePattern, unescape(cursor, token));
  return { value, bytes };
}

type Replacer = (match: string, ...groups: (string | undefined)[]) => string;

function unescape(cursor: Cursor, token: Token): Replacer {
  return (_match, simple, octal, x, u, U, broken) => {
    if (simple !== undefined) return simpleEscapes[simple];
    if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8));
    if (broken !== undefined) refuse(cursor, token, broken);
    const code = parseInt(x ?? u ?? U ?? "0", 16);
    if (code > 0x10ffff) refuse(cursor, token, "U");
    return String.fromCodePoint(code);
  };
}

function refuse(cursor: Cursor, token: Token, letter: string): never {
  if (letter === "N") cursor.unsupported("\\N{…}", token, "write the character itself");
  cursor.fail("string-escape", `malformed \\${letter} escape in a string`, token);
}
