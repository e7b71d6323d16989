/** Function definitions: their parameters and CPython's rules about them. */
import { block, expectColon, type StatementReader } from "./blocks.ts";
import type { Cursor } from "./cursor.ts";
import { expression, identifier } from "./expressions.ts";
import type { FunctionDefinition, FunctionParameter } from "./tree.ts";

/** Reads from `def` to the end of the body. */
export function functionDefinition(cursor: Cursor, read: StatementReader): FunctionDefinition {
  const { start } = cursor.take();
  const name = identifier(cursor);
  cursor.expect("(");
  const parameters = parameterList(cursor);
  cursor.expect(")");
  if (cursor.accept("->")) expression(cursor);
  const end = cursor.previous.end;
  expectColon(cursor, true);
  const body = block(cursor, "function definition", start, read);
  return { kind: "def", name, parameters, body, start, end };
}

function parameterList(cursor: Cursor): FunctionParameter[] {
  const parameters: FunctionParameter[] = [];
  while (!cursor.is(")")) {
    refuseSeparators(cursor);
    parameters.push(parameter(cursor, parameters));
    if (!cursor.accept(",")) break;
  }
  return parameters;
}

function refuseSeparators(cursor: Cursor): void {
  const bare = cursor.is("*") && cursor.following?.kind !== "name";
  if (bare && cursor.following?.text === ")") {
    cursor.fail("invalid", "named arguments must follow bare *", cursor.token);
  }
  if (bare || cursor.is("/")) {
    const what = `\`${cursor.token.text}\` among parameters`;
    cursor.unsupported(what, cursor.token, "def gen_model(observed_data): takes one argument");
  }
}

function parameter(cursor: Cursor, before: readonly FunctionParameter[]): FunctionParameter {
  const start = cursor.token.start;
  const last = before.at(-1);
  if (last?.form === "double_star") {
    cursor.fail("invalid", "arguments cannot follow var-keyword argument", cursor.token);
  }
  const stars = cursor.is("*") ? "star" : cursor.is("**") ? "double_star" : "plain";
  if (stars !== "plain") cursor.take();
  const name = identifier(cursor);
  if (cursor.accept(":")) expression(cursor);
  const value = stars === "plain" && cursor.accept("=") ? expression(cursor) : undefined;
  if (stars === "plain" && !value && last?.form === "plain" && last.default) {
    cursor.fail("invalid", "non-default argument follows default argument", name);
  }
  return { form: stars, name, default: value, start, end: cursor.previous.end };
}
