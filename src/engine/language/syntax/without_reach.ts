/** A program without what reaches beyond its model: unknown modules, and assignments to attributes. */
import { parse } from "./parser.ts";
import { Source } from "./source.ts";
import { children, type Expression, type Statement } from "./tree.ts";

/**
 * The text with `pass` instead of imports of unknown modules, of assignments to attributes, and of
 * simple statements that use what these gave names to; as long as before. Undefined where the text
 * cannot be parsed, or has nothing of that kind.
 *
 * @param isKnown whether a module's full name is known.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withoutReach } from "./without_reach.ts";
 * const text = "import json\nsay = json.dumps\nx = 1\njson.dumps = None";
 * const lines = withoutReach(text, () => false)!.split("\n").map((line) => line.trim());
 * assert.deepEqual(lines, ["pass", "pass", "x = 1", "pass"]);
 * ```
 */
export function withoutReach(
  text: string,
  isKnown: (module: string) => boolean,
): string | undefined {
  const source = new Source(text, "program.py");
  const parsed = parse(source);
  if (!parsed.ok) return undefined;
  const names = new Set<string>();
  const dropped = dropping(parsed.statements, isKnown, names);
  if (dropped.length === 0) return undefined;
  let made = source.text;
  for (const { start, end } of dropped) {
    const blank = made.slice(start, end).replace(/[^\n]/g, " ");
    made = made.slice(0, start) + `pass${blank.slice(4)}` + made.slice(end);
  }
  return made;
}

function dropping(
  statements: readonly Statement[],
  isKnown: (module: string) => boolean,
  names: Set<string>,
): Statement[] {
  return statements.flatMap((statement) => {
    if (reaches(statement, isKnown, names)) return [statement];
    const inner = "body" in statement
      ? [statement.body]
      : "bodies" in statement
      ? statement.bodies
      : [];
    return inner.flatMap((body) => dropping(body, isKnown, names));
  });
}

/** Whether a statement is dropped; the names that it gives are noted. */
function reaches(
  statement: Statement,
  isKnown: (module: string) => boolean,
  names: Set<string>,
): boolean {
  if (statement.kind === "import") {
    const unknown = statement.imports.filter(({ module }) => !isKnown(module));
    for (const { name } of unknown) names.add(name);
    return unknown.length > 0;
  }
  if (statement.kind === "expression") return mentions(statement.value, names);
  if (statement.kind !== "assign") return false;
  const parts = [...statement.targets, ...statement.value ? [statement.value] : []];
  const reached = statement.targets.some(({ kind }) => kind === "attribute") ||
    parts.some((part) => mentions(part, names));
  if (!reached) return false;
  for (const target of statement.targets) if (target.kind === "name") names.add(target.id);
  return true;
}

function mentions(e: Expression, names: ReadonlySet<string>): boolean {
  if (e.kind === "name") return names.has(e.id);
  return children(e).some((part) => mentions(part, names));
}
