/** Function definitions. */
import { block, expectColon, type StatementReader } from "./blocks.ts";
import type { Cursor } from "./cursor.ts";
import { identifier } from "./names.ts";
import { parameterList } from "./function_parameters.ts";
import type { FunctionDefinition } from "./tree.ts";

/** Reads from `def` to the end of the body. */
export function functionDefinition(cursor: Cursor, read: StatementReader): FunctionDefinition {
  const { start } = cursor.take();
  const name = identifier(cursor);
  cursor.expect("(");
  const parameters = parameterList(cursor, ")");
  cursor.expect(")");
  if (cursor.accept("->")) cursor.grammar.expression(cursor);
  const end = cursor.previous.end;
  expectColon(cursor, true);
  const body = block(cursor, "function definition", start, read);
  return { kind: "def", name, parameters, body, start, end };
}
