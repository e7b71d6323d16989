/** Python's expression grammar (The Python Language Reference 3.11, chapter 6). */
import { callArguments } from "./call_arguments.ts";
import { type Cursor, type Grammar, keywords } from "./cursor.ts";
import { braces, listDisplay, parenthesised } from "./displays.ts";
import { parameterList } from "./function_parameters.ts";
import { element } from "./items.ts";
import { identifier, startsExpression } from "./names.ts";
import { limits } from "./limits.ts";
import type { Place } from "./source.ts";
import { type DecodedString, decodeString } from "./strings.ts";
import type { Expression, FormattedString } from "./tree.ts";

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);
/** Binary operators from loosest to tightest. */
const binaryLevels = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%", "@"]];
const notInSubset: Readonly<Record<string, string>> = {
  await: "leave it out: a program is not asynchronous",
  yield: "leave it out: a program is not a generator",
};

/** One expression without a bare comma. */
function expression(cursor: Cursor): Expression {
  return cursor.nested(() => conditional(cursor));
}

function conditional(cursor: Cursor): Expression {
  refuseKeywords(cursor);
  if (cursor.is("lambda")) return lambda(cursor);
  const then = disjunction(cursor);
  if (!cursor.is("if")) return then;
  cursor.take();
  const test = disjunction(cursor);
  if (!cursor.is("else")) {
    if (cursor.is(":")) cursor.invalid();
    const place = { start: then.start, end: test.end };
    cursor.fail("invalid", "expected 'else' after 'if' expression", place);
  }
  cursor.take();
  const otherwise = expression(cursor);
  return cursor.count({
    kind: "conditional",
    test,
    then,
    otherwise,
    start: then.start,
    end: otherwise.end,
  });
}

function lambda(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const parameters = parameterList(cursor, ":");
  cursor.expect(":");
  const body = expression(cursor);
  return cursor.count({ kind: "lambda", parameters, body, start, end: body.end });
}

function refuseKeywords(cursor: Cursor): void {
  const { text, kind } = cursor.token;
  const hint = kind === "name" ? notInSubset[text] : undefined;
  if (hint) cursor.unsupported(`\`${text}\``, cursor.token, hint);
}

/** `a or b`, without a conditional. */
function disjunction(cursor: Cursor): Expression {
  return booleans(cursor, "or", () => booleans(cursor, "and", () => inversion(cursor)));
}

function booleans(cursor: Cursor, op: "and" | "or", operand: () => Expression): Expression {
  const first = operand();
  if (!cursor.is(op)) return first;
  const operands = [first];
  while (cursor.accept(op)) operands.push(operand());
  const end = operands[operands.length - 1].end;
  return cursor.count({ kind: "boolean", op, operands, start: first.start, end });
}

function inversion(cursor: Cursor): Expression {
  if (!cursor.is("not")) return comparison(cursor);
  const { start } = cursor.take();
  const operand = cursor.nested(() => inversion(cursor));
  return cursor.count({ kind: "unary", op: "not", operand, start, end: operand.end });
}

function comparison(cursor: Cursor): Expression {
  const first = binary(cursor, 0);
  const operands = [first];
  const ops: string[] = [];
  for (let op = comparisonOperator(cursor); op; op = comparisonOperator(cursor)) {
    ops.push(op);
    operands.push(binary(cursor, 0));
  }
  if (ops.length === 0) return first;
  const end = operands[operands.length - 1].end;
  return cursor.count({ kind: "comparison", ops, operands, start: first.start, end });
}

function comparisonOperator(cursor: Cursor): string | undefined {
  if (comparisons.has(cursor.token.text)) return cursor.take().text;
  if (cursor.accept("in")) return "in";
  if (cursor.accept("is")) return cursor.accept("not") ? "is not" : "is";
  if (!cursor.is("not")) return undefined;
  cursor.take();
  cursor.expect("in");
  return "not in";
}

/** Left-associative operators of one level of `binaryLevels` and tighter. */
function binary(cursor: Cursor, level: number): Expression {
  if (level === binaryLevels.length) return factor(cursor);
  let left = binary(cursor, level + 1);
  for (let length = 0; cursor.token.kind === "op"; length++) {
    const op = cursor.token.text;
    if (!binaryLevels[level].includes(op)) break;
    cursor.take();
    const right = binary(cursor, level + 1);
    const { start } = left;
    left = cursor.count({ kind: "binary", op, left, right, start, end: right.end });
    checkChain(cursor, length, left);
  }
  return left;
}

function checkChain(cursor: Cursor, length: number, place: Place): void {
  if (length < limits.chain) return;
  cursor.fail("limit", `a chain of more than ${limits.chain} operations`, place);
}

function factor(cursor: Cursor): Expression {
  const { text, kind } = cursor.token;
  if (kind !== "op" || (text !== "-" && text !== "+" && text !== "~")) return power(cursor);
  const { start } = cursor.take();
  const operand = cursor.nested(() => factor(cursor));
  return cursor.count({ kind: "unary", op: text, operand, start, end: operand.end });
}

function power(cursor: Cursor): Expression {
  const left = primary(cursor);
  if (!cursor.accept("**")) return left;
  const right = cursor.nested(() => factor(cursor));
  return cursor.count({
    kind: "binary",
    op: "**",
    left,
    right,
    start: left.start,
    end: right.end,
  });
}

function primary(cursor: Cursor): Expression {
  if (cursor.is("await")) refuseKeywords(cursor);
  let object = atom(cursor);
  for (let length = 0;; length++) {
    checkChain(cursor, length, object);
    if (cursor.is(".")) object = attribute(cursor, object);
    else if (cursor.is("(")) object = call(cursor, object);
    else if (cursor.is("[")) object = subscript(cursor, object);
    else return object;
  }
}

function attribute(cursor: Cursor, object: Expression): Expression {
  cursor.take();
  const name = identifier(cursor);
  return cursor.count({ kind: "attribute", object, name, start: object.start, end: name.end });
}

function call(cursor: Cursor, callee: Expression): Expression {
  cursor.take();
  const given = cursor.nested(() => callArguments(cursor));
  const { end } = cursor.expect(")");
  return cursor.count({ kind: "call", callee, arguments: given, start: callee.start, end });
}

function subscript(cursor: Cursor, object: Expression): Expression {
  cursor.take();
  const index = cursor.nested(() => subscriptIndex(cursor));
  cursor.expect("]");
  const end = cursor.previous.end;
  return cursor.count({ kind: "subscript", object, index, start: object.start, end });
}

function subscriptIndex(cursor: Cursor): Expression {
  const start = cursor.token.start;
  const items = [slice(cursor)];
  if (!cursor.is(",") && items[0].kind !== "starred") return items[0];
  while (cursor.accept(",") && !cursor.is("]")) items.push(slice(cursor));
  return cursor.count({ kind: "tuple", items, start, end: cursor.previous.end });
}

function slice(cursor: Cursor): Expression {
  const start = cursor.token.start;
  if (!cursor.is(":")) {
    const first = element(cursor);
    return cursor.is(":") && first.kind !== "starred" ? sliceParts(cursor, [first], start) : first;
  }
  return sliceParts(cursor, [undefined], start);
}

function sliceParts(cursor: Cursor, parts: (Expression | undefined)[], start: number): Expression {
  while (parts.length < 3 && cursor.accept(":")) {
    parts.push(startsExpression(cursor) ? expression(cursor) : undefined);
  }
  return cursor.count({ kind: "slice", parts, start, end: cursor.previous.end });
}

function atom(cursor: Cursor): Expression {
  const token = cursor.token;
  if (token.kind === "number") return number(cursor);
  if (token.kind === "string") return strings(cursor);
  if (token.kind === "name") return nameOrConstant(cursor);
  if (token.text === "(") return parenthesised(cursor);
  if (token.text === "[") return listDisplay(cursor);
  if (token.text === "{") return braces(cursor);
  if (token.text !== "...") cursor.invalid();
  const { start, end } = cursor.take();
  return cursor.count({ kind: "constant", value: "...", start, end });
}

function number(cursor: Cursor): Expression {
  const { text, start, end } = cursor.take();
  const digits = text.replaceAll("_", "");
  const imaginary = /[jJ]$/.test(digits) && !/^0[xX]/.test(digits);
  const value = Number(imaginary ? digits.slice(0, -1) : digits);
  return cursor.count({ kind: "number", value, imaginary, start, end });
}

function strings(cursor: Cursor): Expression {
  const { start } = cursor.token;
  const parts: DecodedString[] = [];
  while (cursor.token.kind === "string") parts.push(decodeString(cursor, cursor.take()));
  const { bytes } = parts[0];
  if (parts.some((part) => part.bytes !== bytes)) {
    const end = cursor.token;
    cursor.fail("invalid", "cannot mix bytes and nonbytes literals", end);
  }
  if (parts.some((part) => part.fields)) {
    const all = parts.flatMap((part): FormattedString["parts"] => part.fields ?? [part.value]);
    return cursor.count({ kind: "formatted", parts: all, start, end: cursor.previous.end });
  }
  const value = parts.map((part) => part.value).join("");
  return cursor.count({ kind: "string", value, bytes, start, end: cursor.previous.end });
}

function nameOrConstant(cursor: Cursor): Expression {
  const { text, start, end } = cursor.token;
  if (!keywords.has(text)) return identifier(cursor);
  if (text !== "None" && text !== "True" && text !== "False") cursor.invalid();
  cursor.take();
  return cursor.count({ kind: "constant", value: text, start, end });
}

/** Rules that other parts of the grammar use. */
export const grammar: Grammar = {
  expression,
  disjunction,
  operand: (cursor) => binary(cursor, 0),
};
