/** Arguments of a call: order, keywords, and CPython's advice on each mistake. */
import { comprehensionOf, startsClause } from "./clauses.ts";
import type { Cursor } from "./cursor.ts";
import { identifier } from "./names.ts";
import { adviseAfter } from "./items.ts";
import { describeTarget } from "./targets.ts";
import type { Argument } from "./tree.ts";

/** Arguments up to, and without, the closing parenthesis. */
export function callArguments(cursor: Cursor): readonly Argument[] {
  const given: Argument[] = [];
  const bare: Argument[] = [];
  while (!cursor.is(")")) {
    given.push(argument(cursor, bare));
    if (!cursor.accept(",")) break;
  }
  refuseBareGenerator(cursor, given, bare);
  checkOrder(cursor, given);
  if (!cursor.is(")")) cursor.invalid();
  return given;
}

function argument(cursor: Cursor, bare: Argument[]): Argument {
  if (cursor.is("*") || cursor.is("**")) return unpacked(cursor);
  if (cursor.isName() && cursor.following?.text === "=") return keyword(cursor);
  const item = cursor.grammar.expression(cursor);
  if (cursor.is("=")) refuseTarget(cursor, item);
  adviseAfter(cursor, item);
  if (!startsClause(cursor)) {
    return { form: "positional", value: item, start: item.start, end: item.end };
  }
  const value = comprehensionOf(cursor, "generator", item, item.start);
  const made: Argument = { form: "positional", value, start: value.start, end: value.end };
  bare.push(made);
  return made;
}

/** `f(a, x for x in y)`: only a sole argument may do without parentheses. */
function refuseBareGenerator(
  cursor: Cursor,
  given: readonly Argument[],
  bare: readonly Argument[],
): void {
  const alone = given.length === 1 && cursor.previous.text !== ",";
  if (bare.length === 0 || alone) return;
  cursor.fail("invalid", "Generator expression must be parenthesized", bare[0]);
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
  const value = cursor.grammar.expression(cursor);
  const form = text === "*" ? "star" : "double_star";
  return { form, value, start, end: value.end };
}

function keyword(cursor: Cursor): Argument {
  const name = identifier(cursor);
  cursor.take();
  const value = cursor.grammar.expression(cursor);
  if (cursor.is("=")) cursor.invalid();
  adviseAfter(cursor, value);
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
