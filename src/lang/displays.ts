/** Parentheses, lists, sets and dictionaries. */
import type { Cursor } from "./cursor.ts";
import { binary, expression } from "./expressions.ts";
import { element, refuseComprehension } from "./items.ts";
import type { Expression, Sequence } from "./tree.ts";

/** `(a)`, `(a, b)` or `()`. */
export function parenthesised(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const items: Expression[] = [];
  const comma = cursor.nested(() => elements(cursor, ")", items));
  const { end } = cursor.expect(")");
  if (items.length !== 1 || comma) return cursor.count({ kind: "tuple", items, start, end });
  const [only] = items;
  if (only.kind === "starred") {
    cursor.fail("invalid", "cannot use starred expression here", only);
  }
  return only;
}

/** `[a, b]`. */
export function listDisplay(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const items: Expression[] = [];
  cursor.nested(() => elements(cursor, "]", items));
  const { end } = cursor.expect("]");
  return cursor.count({ kind: "list", items, start, end });
}

/** Items up to a closing bracket; returns whether a comma was seen. */
function elements(cursor: Cursor, closing: string, items: Expression[]): boolean {
  let comma = false;
  while (!cursor.is(closing)) {
    items.push(element(cursor));
    if (!cursor.accept(",")) break;
    comma = true;
  }
  if (!cursor.is(closing)) cursor.invalid();
  return comma;
}

/** `{a: b}` or `{a, b}`. */
export function braces(cursor: Cursor): Expression {
  const { start } = cursor.take();
  return cursor.nested(() => {
    if (cursor.is("}") || cursor.is("**")) return dictionary(cursor, start);
    const first = element(cursor);
    return cursor.is(":") && first.kind !== "starred"
      ? dictionary(cursor, start, first)
      : setDisplay(cursor, start, first);
  });
}

function setDisplay(cursor: Cursor, start: number, first: Expression): Sequence {
  const items = [first];
  if (cursor.accept(",")) elements(cursor, "}", items);
  const { end } = cursor.expect("}");
  return cursor.count({ kind: "set", items, start, end });
}

function dictionary(cursor: Cursor, start: number, firstKey?: Expression): Expression {
  const keys: (Expression | undefined)[] = [];
  const values: Expression[] = [];
  let key = firstKey;
  while (key || !cursor.is("}")) {
    if (!key && cursor.accept("**")) {
      keys.push(undefined);
      values.push(binary(cursor, 0));
    } else {
      keys.push(key ?? element(cursor));
      values.push(dictionaryValue(cursor));
    }
    key = undefined;
    if (!cursor.accept(",")) break;
  }
  const { end } = cursor.expect("}");
  return cursor.count({ kind: "dictionary", keys, values, start, end });
}

function dictionaryValue(cursor: Cursor): Expression {
  if (!cursor.is(":")) {
    cursor.fail("invalid", "':' expected after dictionary key", cursor.previous);
  }
  const colon = cursor.take();
  if (cursor.is("}") || cursor.is(",")) {
    cursor.fail("invalid", "expression expected after dictionary key and ':'", colon);
  }
  const value = expression(cursor);
  refuseComprehension(cursor, value);
  return value;
}
