/** Parameters of functions and lambdas, and CPython's rules about them. */
import type { Cursor } from "./cursor.ts";
import { identifier } from "./names.ts";
import type { FunctionParameter } from "./tree.ts";

/** Parameters up to, and without, the closing token; annotations only before `)`. */
export function parameterList(cursor: Cursor, closing: ")" | ":"): FunctionParameter[] {
  const parameters: FunctionParameter[] = [];
  const state = { keywordOnly: false, slash: false };
  while (!cursor.is(closing)) {
    if (!separator(cursor, state, parameters)) {
      parameters.push(parameter(cursor, closing, parameters, state.keywordOnly));
      if (parameters.at(-1)?.form === "star") state.keywordOnly = true;
    }
    if (!cursor.accept(",")) break;
  }
  return parameters;
}

/** A bare `*` or a `/`; true if one was taken. */
function separator(
  cursor: Cursor,
  state: { keywordOnly: boolean; slash: boolean },
  before: readonly FunctionParameter[],
): boolean {
  const bare = cursor.is("*") && !nameFollows(cursor);
  if (bare) {
    if (state.keywordOnly) cursor.invalid();
    cursor.take();
    const named = cursor.is(",") && nameFollows(cursor);
    if (!named) cursor.fail("invalid", "named arguments must follow bare *", cursor.previous);
    state.keywordOnly = true;
    return true;
  }
  if (!cursor.is("/")) return false;
  const last = before.at(-1);
  if (!last || state.slash || state.keywordOnly || last.form === "double_star") cursor.invalid();
  cursor.take();
  state.slash = true;
  return true;
}

function nameFollows({ following }: Cursor): boolean {
  return following?.kind === "name";
}

function parameter(
  cursor: Cursor,
  closing: string,
  before: readonly FunctionParameter[],
  keywordOnly: boolean,
): FunctionParameter {
  const start = cursor.token.start;
  const last = before.at(-1);
  if (last?.form === "double_star") {
    cursor.fail("invalid", "arguments cannot follow var-keyword argument", cursor.token);
  }
  const stars = cursor.is("*") ? "star" : cursor.is("**") ? "double_star" : undefined;
  if (stars === "star" && keywordOnly) cursor.invalid();
  if (stars) cursor.take();
  const name = identifier(cursor);
  if (closing === ")" && cursor.accept(":")) cursor.grammar.expression(cursor);
  const value = !stars && cursor.accept("=") ? cursor.grammar.expression(cursor) : undefined;
  const form = stars ?? (keywordOnly ? "keyword_only" : "plain");
  if (form === "plain" && !value && last?.form === "plain" && last.default) {
    cursor.fail("invalid", "non-default argument follows default argument", name);
  }
  return { form, name, default: value, start, end: cursor.previous.end };
}
