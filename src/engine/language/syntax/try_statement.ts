/** `try` around the reading of data, as notebooks have it: the host's data are there, so handlers never run. */
import { block, expectColon, type StatementReader } from "./blocks.ts";
import type { Cursor } from "./cursor.ts";
import type { CompoundStatement, Expression, Statement } from "./tree.ts";

const hint =
  "leave it out: a program that fails is reported; around data that are read it may stay";

/**
 * `try:` where its statements and those of its handlers read data or do nothing, as the block that runs and the one
 * that does not: all of it stays in the tree, for the text is what real Python runs.
 *
 * @param read one line of statements.
 */
export function tryStatement(cursor: Cursor, read: StatementReader): CompoundStatement {
  const first = cursor.take();
  const { start, end } = first;
  expectColon(cursor);
  const body = block(cursor, "'try' statement", start, read);
  const handlers: Statement[] = [];
  let isCaught = false;
  for (let isLast = false; cursor.is("except"); isCaught = true) {
    const clause = cursor.take();
    if (isLast || cursor.is("*")) cursor.invalid();
    isLast = cursor.is(":");
    if (!isLast && !isErrorName(cursor.grammar.expression(cursor)) || cursor.is("as")) {
      cursor.unsupported("`try`", first, hint);
    }
    expectColon(cursor);
    handlers.push(...block(cursor, "'except' statement", clause.start, read));
  }
  if (!isCaught || ![...body, ...handlers].every(readsOrNothing)) {
    cursor.unsupported("`try`", first, hint);
  }
  const always: Expression = { kind: "constant", value: "True", start, end };
  return { kind: "if", expressions: [always], bodies: [body, handlers], start, end };
}

/** `FileNotFoundError`, or several in a tuple. */
function isErrorName(e: Expression): boolean {
  if (e.kind === "tuple") return e.items.every(isErrorName);
  return e.kind === "name" && /^[A-Z]\w*(Error|Exception)$|^Exception$/.test(e.id);
}

/** `name = module.read_…(…)`, `pass`, or a text. */
function readsOrNothing(s: Statement): boolean {
  if (s.kind === "pass") return true;
  if (s.kind === "expression") return s.value.kind === "string";
  const isName = s.kind === "assign" && s.form === "plain" &&
    s.targets.every(({ kind }) => kind === "name");
  return isName && isReading(s.value);
}

function isReading(e: Expression | undefined): boolean {
  return e?.kind === "call" && e.callee.kind === "attribute" &&
    e.callee.name.id.startsWith("read_");
}
