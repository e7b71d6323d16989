/** `with` statements, with and without parentheses around the items. */
import { block, expectColon, type StatementReader } from "./blocks.ts";
import type { Cursor } from "./cursor.ts";
import { checkTarget } from "./targets.ts";
import type { WithItem, WithStatement } from "./tree.ts";

/** Reads from the keyword to the end of the block. */
export function withStatement(cursor: Cursor, read: StatementReader): WithStatement {
  const { start } = cursor.take();
  const items = (cursor.is("(") && cursor.attempt(() => parenthesised(cursor))) || plain(cursor);
  const end = cursor.previous.end;
  expectColon(cursor);
  const body = block(cursor, "'with' statement", start, read);
  return { kind: "with", items, body, start, end };
}

function parenthesised(cursor: Cursor): WithItem[] {
  cursor.take();
  const items: WithItem[] = [];
  while (!cursor.is(")")) {
    items.push(item(cursor));
    if (!cursor.accept(",")) break;
  }
  cursor.expect(")");
  if (!cursor.is(":") || items.length === 0) cursor.invalid();
  return items;
}

function plain(cursor: Cursor): WithItem[] {
  const items = [item(cursor)];
  while (cursor.accept(",")) items.push(item(cursor));
  return items;
}

function item(cursor: Cursor): WithItem {
  const context = cursor.grammar.expression(cursor);
  if (!cursor.accept("as")) return { context };
  const target = cursor.grammar.operand(cursor);
  checkTarget(cursor, target, false);
  return { context, target };
}
