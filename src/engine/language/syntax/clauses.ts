/** Clauses of comprehensions, and the targets of loops. */
import type { Cursor } from "./cursor.ts";
import { starOrBinary } from "./items.ts";
import { checkTarget } from "./targets.ts";
import type { Comprehension, ComprehensionClause, Expression } from "./tree.ts";

/** `a`, or `a, b`: the target before `in`, which is not the operator here. */
export function loopTarget(cursor: Cursor): Expression {
  const { start } = cursor.token;
  const first = starOrBinary(cursor);
  const items = [first];
  let comma = false;
  while (cursor.accept(",")) {
    comma = true;
    if (cursor.is("in")) break;
    items.push(starOrBinary(cursor));
  }
  const target: Expression = comma
    ? cursor.count({ kind: "tuple", items, start, end: cursor.previous.end })
    : first;
  if (target.kind === "starred") {
    const message = "starred assignment target must be in a list or tuple";
    cursor.fail("assign-target", message, target);
  }
  checkTarget(cursor, target, false);
  return target;
}

/** Whether a comprehension goes on here. */
export function startsClause(cursor: Cursor): boolean {
  return cursor.is("for") || cursor.is("async");
}

/** `for target in over if test …`, at least once. */
function comprehensionClauses(cursor: Cursor): ComprehensionClause[] {
  const clauses: ComprehensionClause[] = [];
  while (startsClause(cursor)) {
    if (cursor.is("async")) {
      cursor.unsupported("`async`", cursor.token, "leave it out: a program is not asynchronous");
    }
    cursor.take();
    const target = loopTarget(cursor);
    cursor.expect("in");
    const over = cursor.grammar.disjunction(cursor);
    const tests: Expression[] = [];
    while (cursor.accept("if")) tests.push(cursor.grammar.disjunction(cursor));
    clauses.push({ target, over, tests });
  }
  return clauses;
}

/** The comprehension that begins with an item that has been read. */
export function comprehensionOf(
  cursor: Cursor,
  form: Comprehension["form"],
  item: Expression,
  start: number,
  value?: Expression,
): Comprehension {
  if (item.kind === "starred") {
    const message = "iterable unpacking cannot be used in comprehension";
    cursor.fail("invalid", message, item);
  }
  const clauses = comprehensionClauses(cursor);
  const { end } = cursor.previous;
  return cursor.count({ kind: "comprehension", form, item, value, clauses, start, end });
}
