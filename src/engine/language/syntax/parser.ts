/** Python's statement grammar, as strict as CPython's; turns text into a tree or one failure. */
import { block, expectColon } from "./blocks.ts";
import { Cursor, OpenEnd } from "./cursor.ts";
import { loopTarget } from "./clauses.ts";
import { grammar } from "./expressions.ts";
import { functionDefinition } from "./functions.ts";
import { importStatement } from "./imports.ts";
import { expressionList } from "./items.ts";
import { identifier } from "./names.ts";
import { type Source, SyntaxFailure } from "./source.ts";
import { checkTarget, describeTarget } from "./targets.ts";
import { checkTree } from "./tree_rules.ts";
import { type Token, tokenize, tokenizeOpen } from "./tokens.ts";
import { tryStatement } from "./try_statement.ts";
import type { CompoundStatement, Expression, Statement } from "./tree.ts";
import { withStatement } from "./with_statement.ts";

const augmented = new Set("+= -= *= /= //= %= @= &= |= ^= >>= <<= **=".split(" "));
/** Statements that are refused by name as soon as they are met. */
const notInSubset: Readonly<Record<string, string>> = {
  assert: "leave it out",
  async: "leave it out: a program is not asynchronous",
  del: "leave it out, or use another name",
  global: "leave it out: names are visible where they are used",
  nonlocal: "leave it out: names are visible where they are used",
  raise: "leave it out",
};
/** Statements that have their own rule. */
const rules: Readonly<Record<string, (cursor: Cursor) => Statement>> = {
  import: importStatement,
  from: importStatement,
  with: (cursor) => withStatement(cursor, statements),
  def: (cursor) => functionDefinition(cursor, statements),
  class: classDefinition,
  if: ifStatement,
  while: whileStatement,
  for: forStatement,
  return: returnStatement,
  pass: simpleStatement,
  break: simpleStatement,
  continue: simpleStatement,
};
const compound = new Set(["with", "def", "class", "if", "while", "for"]);

/** The tree of a program, or why there is none. */
export type ParseResult =
  | { readonly ok: true; readonly statements: readonly Statement[] }
  | { readonly ok: false; readonly failure: SyntaxFailure };

/**
 * Parses program text; accepts nothing that CPython 3.11 rejects.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { Source } from "./source.ts";
 * import { parse } from "./parser.ts";
 * const good = parse(new Source("x = 1 + 2\n", "a.py"));
 * assert(good.ok && good.statements.length === 1);
 * assert(!parse(new Source("x = (\n", "a.py")).ok);
 * ```
 */
export function parse(source: Source): ParseResult {
  const cursor = new Cursor(source, tokenize(source), grammar);
  try {
    const program = file(cursor);
    checkTree(program);
    return { ok: true, statements: program };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return { ok: false, failure: cursor.outranking(error) };
  }
}

/** Tokens of a text that can be the beginning of a program; undefined if no program begins so. */
export function parseOpen(source: Source): readonly Token[] | undefined {
  const input = tokenizeOpen(source);
  const cursor = new Cursor(source, input, grammar);
  try {
    file(cursor);
  } catch (error) {
    if (error instanceof OpenEnd) return input.tokens;
    if (error instanceof SyntaxFailure) return undefined;
    throw error;
  }
  throw new Error("internal: a text that goes on was read beyond its end");
}

function file(cursor: Cursor): Statement[] {
  const program: Statement[] = [];
  while (cursor.token.kind !== "end") program.push(...statements(cursor));
  return program;
}

/** One compound statement, or the simple statements of one line. */
function statements(cursor: Cursor): Statement[] {
  const { text, kind } = cursor.token;
  if (kind === "name" && compound.has(text)) return [cursor.count(rules[text](cursor))];
  if (kind === "name" && text === "try") return [cursor.count(tryStatement(cursor, statements))];
  if (text === "@") {
    cursor.unsupported("a decorator", cursor.token, "leave it out");
  }
  const line: Statement[] = [simple(cursor)];
  while (cursor.accept(";") && cursor.token.kind !== "newline") line.push(simple(cursor));
  if (cursor.token.kind !== "newline") cursor.invalid();
  cursor.take();
  return line;
}

function simple(cursor: Cursor): Statement {
  const { text, kind } = cursor.token;
  if (kind === "name" && Object.hasOwn(notInSubset, text)) {
    cursor.unsupported(`\`${text}\``, cursor.token, notInSubset[text]);
  }
  const rule = kind === "name" && Object.hasOwn(rules, text) ? rules[text] : undefined;
  return cursor.count(rule && !compound.has(text) ? rule(cursor) : assignmentOrExpression(cursor));
}

function assignmentOrExpression(cursor: Cursor): Statement {
  const first = expressionList(cursor);
  if (cursor.is("=")) return assignment(cursor, first);
  if (augmented.has(cursor.token.text)) return augmentedAssignment(cursor, first);
  if (cursor.is(":")) return annotation(cursor, first);
  adviseLegacyCall(cursor, first);
  return { kind: "expression", value: first, start: first.start, end: first.end };
}

/** `print 1` was Python 2. */
function adviseLegacyCall(cursor: Cursor, first: Expression): void {
  if (first.kind !== "name" || (first.id !== "print" && first.id !== "exec")) return;
  if (cursor.token.kind === "newline" || cursor.is(";") || cursor.is(",")) return;
  const message = `Missing parentheses in call to '${first.id}'. Did you mean ${first.id}(...)?`;
  cursor.fail("invalid", message, first);
}

function assignment(cursor: Cursor, first: Expression): Statement {
  const targets: Expression[] = [];
  let value = first;
  while (cursor.is("=")) {
    targets.push(value);
    const alone = targets.length === 1;
    if (!alone) checkTarget(cursor, value, false);
    cursor.take();
    if (alone) deferTarget(cursor, value);
    value = expressionList(cursor);
  }
  return { kind: "assign", form: "plain", targets, value, start: first.start, end: value.end };
}

/** The first target's message depends on whether another `=` follows on the line. */
function deferTarget(cursor: Cursor, target: Expression): void {
  const { index } = cursor;
  const next = cursor.attempt(() => expressionList(cursor));
  const alone = next !== undefined && !cursor.is("=");
  cursor.index = index;
  checkTarget(cursor, target, alone);
}

function augmentedAssignment(cursor: Cursor, target: Expression): Statement {
  if (!["name", "attribute", "subscript"].includes(target.kind)) {
    const what = describeTarget(target);
    const message = `'${what}' is an illegal expression for augmented assignment`;
    cursor.fail("assign-target", message, target);
  }
  const op = cursor.take().text.slice(0, -1);
  const value = expressionList(cursor);
  const { start } = target;
  return { kind: "assign", form: "augmented", op, targets: [target], value, start, end: value.end };
}

function annotation(cursor: Cursor, target: Expression): Statement {
  if (target.kind === "tuple" || target.kind === "list") {
    const message = `only single target (not ${target.kind}) can be annotated`;
    cursor.fail("assign-target", message, target);
  }
  const { start } = target;
  const colon = cursor.take();
  const type = cursor.grammar.expression(cursor);
  if (!["name", "attribute", "subscript"].includes(target.kind)) {
    cursor.fail("assign-target", "illegal target for annotation", { start, end: colon.start });
  }
  const value = cursor.accept("=") ? expressionList(cursor) : undefined;
  const end = (value ?? type).end;
  return { kind: "assign", form: "annotated", targets: [target], value, start, end };
}

function simpleStatement(cursor: Cursor): Statement {
  const { text, start, end } = cursor.take();
  return { kind: text as "pass" | "break" | "continue", start, end };
}

function returnStatement(cursor: Cursor): Statement {
  const { start } = cursor.take();
  const bare = cursor.token.kind === "newline" || cursor.is(";");
  const value = bare ? undefined : expressionList(cursor);
  return { kind: "return", value, start, end: cursor.previous.end };
}

function classDefinition(cursor: Cursor): CompoundStatement {
  const { start } = cursor.take();
  identifier(cursor);
  const end = cursor.previous.end;
  if (cursor.is("(")) cursor.unsupported("a base class", cursor.token, "leave the class out");
  expectColon(cursor);
  const bodies = [block(cursor, "class definition", start, statements)];
  return { kind: "class", expressions: [], bodies, start, end };
}

function ifStatement(cursor: Cursor): CompoundStatement {
  const { start, text, end } = cursor.take();
  const test = condition(cursor);
  const bodies = [block(cursor, `'${text}' statement`, start, statements)];
  if (cursor.is("elif")) bodies.push([ifStatement(cursor)]);
  else bodies.push(...elseBlock(cursor));
  return { kind: "if", expressions: [test], bodies, start, end };
}

function whileStatement(cursor: Cursor): CompoundStatement {
  const { start, end } = cursor.take();
  const test = condition(cursor);
  const bodies = [block(cursor, "'while' statement", start, statements), ...elseBlock(cursor)];
  return { kind: "while", expressions: [test], bodies, start, end };
}

function condition(cursor: Cursor): Expression {
  const test = cursor.grammar.expression(cursor);
  if (cursor.is(":=")) {
    cursor.unsupported("`:=`", cursor.token, "assign with = on a line of its own");
  }
  if (cursor.is("=")) refuseAssignmentInTest(cursor, test);
  expectColon(cursor);
  return test;
}

function refuseAssignmentInTest(cursor: Cursor, test: Expression): never {
  if (test.kind !== "name") checkTarget(cursor, test, true);
  const message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
  cursor.fail("invalid", message, test);
}

function forStatement(cursor: Cursor): CompoundStatement {
  const { start, end } = cursor.take();
  const target = loopTarget(cursor);
  cursor.expect("in");
  const over = expressionList(cursor);
  expectColon(cursor);
  const bodies = [block(cursor, "'for' statement", start, statements), ...elseBlock(cursor)];
  return { kind: "for", expressions: [target, over], bodies, start, end };
}

function elseBlock(cursor: Cursor): (readonly Statement[])[] {
  if (!cursor.is("else")) return [];
  const { start } = cursor.take();
  expectColon(cursor);
  return [block(cursor, "'else' statement", start, statements)];
}
