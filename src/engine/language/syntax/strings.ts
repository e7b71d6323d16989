/** The value of a Python string literal: prefixes, quotes and escapes. */
import type { Cursor } from "./cursor.ts";
import { formattedParts } from "./formatted_strings.ts";
import type { Token } from "./tokens.ts";
import type { FormattedString } from "./tree.ts";

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

/** A string literal: its text, or the parts of an f-string. */
export interface DecodedString {
  readonly value: string;
  readonly bytes: boolean;
  readonly fields?: FormattedString["parts"];
}

/** Decodes one token. */
export function decodeString(cursor: Cursor, token: Token): DecodedString {
  const quote = token.text.search(/['"]/);
  const prefix = token.text.slice(0, quote).toLowerCase();
  const width = /^('''|""")/.test(token.text.slice(quote)) ? 3 : 1;
  const body = token.text.slice(quote + width, -width);
  const bytes = prefix.includes("b");
  if (bytes && /[^\0-\x7f]/.test(body)) {
    cursor.fail("character", "bytes can only contain ASCII literal characters", token);
  }
  if (prefix.includes("f")) {
    const raw = prefix.includes("r");
    const decode = (text: string) =>
      raw ? text : text.replace(escapePattern, unescape(cursor, token));
    const start = token.start + quote + width;
    return { value: "", bytes: false, fields: formattedParts(cursor, body, start, token, decode) };
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
