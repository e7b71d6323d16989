/** f-strings: texts and replacement fields, read as CPython 3.11 reads them. */
import { Cursor } from "./cursor.ts";
import { expressionList } from "./items.ts";
import { type Place, Source, SyntaxFailure } from "./source.ts";
import { type Token, tokenize } from "./tokens.ts";
import type { Expression, FormattedField, FormattedString } from "./tree.ts";

/** Splits the body of an f-string that begins at offset `start` of the text. */
export function formattedParts(
  cursor: Cursor,
  body: string,
  start: number,
  token: Token,
  decode: (text: string) => string,
): FormattedString["parts"] {
  const parts: (string | FormattedField)[] = [];
  let text = "";
  let at = 0;
  while (at < body.length) {
    const c = body[at];
    if ((c === "{" || c === "}") && body[at + 1] === c) {
      text += c;
      at += 2;
    } else if (c === "}") fail(cursor, "single '}' is not allowed", token);
    else if (c !== "{") {
      const length = c === "\\" && !/[{}]/.test(body[at + 1] ?? "") ? 2 : 1;
      text += body.slice(at, at + length);
      at += length;
    } else {
      if (text !== "") parts.push(decode(text));
      text = "";
      const end = fieldEnd(cursor, body, at + 1, token);
      const read = field(cursor, body, at + 1, end, start, token);
      parts.push(read.format === undefined ? read : { ...read, format: decode(read.format) });
      at = closing(cursor, body, end, token) + 1;
    }
  }
  if (text !== "") parts.push(decode(text));
  return parts;
}

function fail(cursor: Cursor, what: string, place: Place): never {
  cursor.fail("f-string", `f-string: ${what}`, place);
}

/** Where the expression of a field ends: at `!`, `:` or `}` outside of brackets and strings. */
function fieldEnd(cursor: Cursor, body: string, from: number, token: Token): number {
  const open: string[] = [];
  let quote = "";
  for (let at = from; at < body.length; at++) {
    const c = body[at];
    if (c === "\\") fail(cursor, "expression part cannot include a backslash", token);
    if (quote !== "") {
      if (body.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = "";
      }
    } else if (c === "'" || c === '"') {
      quote = body.startsWith(c.repeat(3), at) ? c.repeat(3) : c;
      at += quote.length - 1;
    } else if (c === "#") fail(cursor, "expression part cannot include '#'", token);
    else if ("([{".includes(c)) open.push(c);
    else if (open.length > 0 && ")]}".includes(c)) open.pop();
    else if (open.length === 0 && endsField(body, at)) return at;
  }
  if (quote !== "") fail(cursor, "unterminated string", token);
  fail(cursor, "expecting '}'", token);
}

function endsField(body: string, at: number): boolean {
  const c = body[at];
  return c === "}" || c === ":" || (c === "!" && body[at + 1] !== "=");
}

/** Where the `}` of a field stands whose expression ends at `end`. */
function closing(cursor: Cursor, body: string, end: number, token: Token): number {
  const found = body.indexOf("}", end);
  if (found < 0) fail(cursor, "expecting '}'", token);
  if (body.slice(end, found).includes("{")) {
    cursor.unsupported("a field inside of a format", token, "write the format itself");
  }
  return found;
}

function field(
  cursor: Cursor,
  body: string,
  from: number,
  end: number,
  start: number,
  token: Token,
): FormattedField {
  const text = body.slice(from, end);
  if (text.trim() === "") fail(cursor, "empty expression not allowed", token);
  if (/(^|[^=!<>])=\s*$/.test(text)) {
    cursor.unsupported("`=` in an f-string", token, "write the name before the braces");
  }
  const rest = body.slice(end, closing(cursor, body, end, token));
  const parsed = /^(?:!([A-Za-z]*))?(?::([^]*))?$/.exec(rest);
  const conversion = parsed?.[1];
  if (!parsed || (conversion !== undefined && !/^[rsa]$/.test(conversion))) {
    fail(cursor, "invalid conversion character: expected 's', 'r', or 'a'", token);
  }
  const value = parseField(cursor, text, start + from, token);
  return { value, conversion, format: parsed[2], start: start + from, end: start + end };
}

/** Reads the expression as CPython does: in parentheses of its own. */
function parseField(cursor: Cursor, text: string, offset: number, token: Token): Expression {
  const source = new Source(`(${text})`, cursor.source.file);
  const inner = new Cursor(source, tokenize(source), cursor.grammar);
  try {
    inner.take();
    const value = expressionList(inner);
    if (value.kind === "starred") fail(cursor, "cannot use starred expression here", token);
    inner.expect(")");
    if (inner.token.kind !== "newline") inner.invalid();
    return moved(value, offset - 1);
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    if (error.code.startsWith("unsupported")) {
      throw new SyntaxFailure(error.code, error.message, token, error.hint);
    }
    fail(cursor, error.message.replace("Cannot parse: ", ""), token);
  }
}

/** The tree, further on in the text. */
function moved<T>(tree: T, by: number): T {
  if (Array.isArray(tree)) return tree.map((item) => moved(item, by)) as T;
  if (typeof tree !== "object" || tree === null) return tree;
  const entries = Object.entries(tree).map(([key, value]) => {
    const offset = (key === "start" || key === "end") && typeof value === "number";
    return [key, offset ? value + by : moved(value, by)];
  });
  return Object.fromEntries(entries) as T;
}
