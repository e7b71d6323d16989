/** Arguments of a call: order, keywords, and CPython's advice on each way to get them wrong. */
import type { Cursor } from "./cursor.ts";
import { expression, identifier } from "./expressions.ts";
import { refuseComprehension } from "./items.ts";
import { describeTarget } from "./targets.ts";
import type { Argument } from "./tree.ts";

/** Arguments up to, and without, the closing parenthesis. */
export function callArguments(cursor: Cursor): readonly Argument[] {
  const given: Argument[] = [];
  while (!cursor.is(")")) {
    given.push(argument(cursor));
    if (!cursor.accept(",")) break;
  }
  checkOrder(cursor, given);
  if (!cursor.is(")")) cursor.invalid();
  return given;
}

function argument(cursor: Cursor): Argument {
  if (cursor.is("*") || cursor.is("**")) return unpacked(cursor);
  if (cursor.isName() && cursor.following?.text === "=") return keyword(cursor);
  const value = expression(cursor);
  if (cursor.is("=")) refuseTarget(cursor, value);
  refuseComprehension(cursor, value);
  return { form: "positional", value, start: value.start, end: value.end };
}

function refuseTarget(cursor: Cursor, value: Argument["value"]): never {
  if (value.kind === "constant" && value.value !== "...") {
    cursor.fail("assign-target", `cannot assign to ${describeTarget(value)}`, value);
  }
  const message = 'expression cannot contain assignment, perhaps you meant "=="?';
  cursor.fail("assign-target", message, value);
}

function unpacked(cursor: Cursor): Argument {
  const { text, start } = cursor.take();
  const value = expression(cursor);
  const form = text === "*" ? "star" : "double_star";
  return { form, value, start, end: value.end };
}

function keyword(cursor: Cursor): Argument {
  const name = identifier(cursor);
  cursor.take();
  const value = expression(cursor);
  if (cursor.is("=")) cursor.invalid();
  refuseComprehension(cursor, value);
  return { form: "keyword", keyword: name, value, start: name.start, end: value.end };
}

/** Positional arguments come first; CPython reports this at the end of the arguments. */
function checkOrder(cursor: Cursor, given: readonly Argument[]): void {
  let named: "keyword" | "double_star" | undefined;
  for (const { form, start, end } of given) {
    if (form === "keyword") named ??= "keyword";
    else if (form === "double_star") named = "double_star";
    else if (form === "positional" && named) refuseOrder(cursor, named);
    else if (form === "star" && named === "double_star") {
      const message = "iterable argument unpacking follows keyword argument unpacking";
      cursor.fail("positional-after-keyword", message, { start, end });
    }
  }
}

function refuseOrder(cursor: Cursor, named: "keyword" | "double_star"): never {
  const unpacking = named === "keyword" ? "" : " unpacking";
  const message = `positional argument follows keyword argument${unpacking}`;
  const hint = "write positional arguments first, or give this one its keyword";
  cursor.fail("positional-after-keyword", message, cursor.token, hint);
}
