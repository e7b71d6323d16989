/** Names, and what an expression may begin with. */
import { type Cursor, keywords } from "./cursor.ts";
import type { Name } from "./tree.ts";

/** A name that is not a keyword. */
export function identifier(cursor: Cursor): Name {
  if (!cursor.isName()) cursor.invalid();
  const { text, start, end } = cursor.take();
  return cursor.count({ kind: "name", id: text, start, end });
}

/** Whether the token at hand can begin an expression. */
export function startsExpression(cursor: Cursor): boolean {
  const { kind, text } = cursor.token;
  if (kind === "number" || kind === "string") return true;
  if (kind === "op") return ["(", "[", "{", "-", "+", "~", "...", "*"].includes(text);
  if (kind !== "name") return false;
  if (!keywords.has(text)) return true;
  return ["None", "True", "False", "not", "lambda", "await", "yield"].includes(text);
}
