/** Parentheses, lists, sets and dictionaries. */
import { comprehensionOf, startsClause } from "./clauses.ts";
import type { Cursor } from "./cursor.ts";
import { adviseAfter, element } from "./items.ts";
import type { Comprehension, Expression } from "./tree.ts";

/** `(a)`, `(a, b)` or `()`. */
export function parenthesised(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const items: Expression[] = [];
  const comma = cursor.nested(() => elements(cursor, ")", items));
  const generator = comprehensionHere(cursor, "generator", items, comma, start);
  const { end } = cursor.expect(")");
  if (generator) return { ...generator, end };
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
  const comma = cursor.nested(() => elements(cursor, "]", items));
  const comprehension = comprehensionHere(cursor, "list", items, comma, start);
  const { end } = cursor.expect("]");
  if (comprehension) return { ...comprehension, end };
  return cursor.count({ kind: "list", items, start, end });
}

/** A comprehension, if one goes on after the items. */
function comprehensionHere(
  cursor: Cursor,
  form: "list" | "generator",
  items: readonly Expression[],
  comma: boolean,
  start: number,
): Comprehension | undefined {
  if (!startsClause(cursor)) return undefined;
  if (items.length === 0) cursor.invalid();
  if (items.length > 1 || comma) {
    const message = "did you forget parentheses around the comprehension target?";
    const place = { start: items[0].start, end: items[items.length - 1].end };
    cursor.fail("invalid", message, place);
  }
  return cursor.nested(() => comprehensionOf(cursor, form, items[0], start));
}

/** Items up to a closing bracket; returns whether a comma was seen. */
function elements(cursor: Cursor, closing: string, items: Expression[]): boolean {
  let comma = false;
  while (!cursor.is(closing)) {
    items.push(element(cursor));
    if (!cursor.accept(",")) break;
    comma = true;
  }
  if (!cursor.is(closing) && !startsClause(cursor)) cursor.invalid();
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

function setDisplay(cursor: Cursor, start: number, first: Expression): Expression {
  const items = [first];
  if (startsClause(cursor)) {
    const made = comprehensionOf(cursor, "set", first, start);
    return { ...made, end: cursor.expect("}").end };
  }
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
      values.push(cursor.grammar.operand(cursor));
      if (startsClause(cursor)) {
        const message = "dict unpacking cannot be used in dict comprehension";
        cursor.fail("invalid", message, cursor.previous);
      }
    } else {
      const name = key ?? cursor.grammar.expression(cursor);
      const value = dictionaryValue(cursor);
      if (startsClause(cursor)) {
        if (keys.length > 0) cursor.invalid();
        const made = comprehensionOf(cursor, "dictionary", name, start, value);
        return { ...made, end: cursor.expect("}").end };
      }
      keys.push(name);
      values.push(value);
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
  const value = cursor.grammar.expression(cursor);
  adviseAfter(cursor, value);
  return value;
}
