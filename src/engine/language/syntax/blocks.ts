/** Indented blocks and the colon before them. */
import type { Cursor } from "./cursor.ts";
import type { Statement } from "./tree.ts";

/** Reads the statements of one line or one compound statement. */
export type StatementReader = (cursor: Cursor) => Statement[];

/** The `:` that opens a block; CPython reports "expected ':'" only where the line ends without it. */
export function expectColon(cursor: Cursor, always = false): void {
  if (cursor.accept(":")) return;
  if (!always && cursor.token.kind !== "newline") cursor.invalid();
  const hint = "end the line with a colon";
  cursor.fail("missing-colon", "expected ':'", cursor.token, hint);
}

/** The block of a compound statement that began at offset `start`. */
export function block(
  cursor: Cursor,
  owner: string,
  start: number,
  read: StatementReader,
): readonly Statement[] {
  if (cursor.token.kind !== "newline") return oneLine(cursor, read);
  cursor.take();
  if (!cursor.isKind("indent")) refuseEmpty(cursor, owner, start);
  cursor.take();
  const body: Statement[] = [];
  cursor.nested(() => {
    while (!cursor.isKind("dedent")) body.push(...read(cursor));
  });
  cursor.take();
  return body;
}

const compound = ["with", "def", "class", "if", "while", "for", "try", "async", "@"];

function oneLine(cursor: Cursor, read: StatementReader): readonly Statement[] {
  if (compound.includes(cursor.token.text)) cursor.invalid();
  return read(cursor);
}

function refuseEmpty(cursor: Cursor, owner: string, start: number): never {
  const line = cursor.source.lineOf(start);
  const message = `expected an indented block after ${owner} on line ${line}`;
  const token = cursor.token;
  const place = token.start >= cursor.source.text.length ? cursor.previous : token;
  cursor.fail("indent", message, place, "indent the block by four spaces, or write pass");
}
