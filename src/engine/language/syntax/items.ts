/** Items of displays, indices and calls, with CPython's advice on what may be missing after one. */
import type { Cursor } from "./cursor.ts";
import { startsExpression } from "./names.ts";
import type { Place } from "./source.ts";
import type { Expression } from "./tree.ts";

/** `a`, or `a, b` as a tuple; `*a` is allowed among several. */
export function expressionList(cursor: Cursor): Expression {
  const start = cursor.token.start;
  const first = starOrExpression(cursor);
  if (!cursor.is(",")) return first;
  const items = [first];
  while (cursor.accept(",") && startsExpression(cursor)) items.push(starOrExpression(cursor));
  return cursor.count({ kind: "tuple", items, start, end: cursor.previous.end });
}

/** `*a` or `a`. */
function starOrExpression(cursor: Cursor): Expression {
  return cursor.is("*") ? starOrBinary(cursor) : cursor.grammar.expression(cursor);
}

/** `*a` or `a`, where a has no comparison. */
export function starOrBinary(cursor: Cursor): Expression {
  if (!cursor.is("*")) return cursor.grammar.operand(cursor);
  const { start } = cursor.take();
  const value = cursor.grammar.operand(cursor);
  return cursor.count({ kind: "starred", value, start, end: value.end });
}

/** An item of a display or an argument, with CPython's advice on what may be missing after it. */
export function element(cursor: Cursor): Expression {
  const item = starOrExpression(cursor);
  adviseAfter(cursor, item);
  return item;
}

/** Refuses `x := y`, which Python has and the subset has not; a comprehension may go on. */
export function adviseAfter(cursor: Cursor, item: Place): void {
  if (cursor.is("for") || cursor.is("async")) return;
  if (cursor.is(":=")) {
    cursor.unsupported("`:=`", cursor.token, "assign with = on a line of its own");
  }
  if (cursor.is("=")) adviseComparison(cursor, item);
  adviseComma(cursor, item);
}

function adviseComparison(cursor: Cursor, item: Place): void {
  if (!/^[A-Za-z_]\w*$/.test(cursor.source.slice(item))) return;
  const { index } = cursor;
  cursor.take();
  const value = cursor.attempt(() => cursor.grammar.operand(cursor));
  const advise = value && !cursor.is("=") && !cursor.is(":=");
  cursor.index = index;
  if (!advise) return;
  const message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
  cursor.fail("invalid", message, item);
}

/** Inside brackets, two expressions in a row: CPython asks whether a comma is missing. */
function adviseComma(cursor: Cursor, item: Place): void {
  if (!startsExpression(cursor) || cursor.is("*") || cursor.token.level === 0) return;
  const { index } = cursor;
  const soft = index > 0 && cursor.previous.kind === "name" && cursor.token.kind === "string";
  const next = soft ? undefined : cursor.attempt(() => cursor.grammar.expression(cursor));
  if (!next) return;
  const message = "invalid syntax. Perhaps you forgot a comma?";
  cursor.fail("missing-comma", message, { start: item.start, end: next.end });
}
