/** Comprehensions: unrolled while the program is checked. */
import { keyOf } from "./arrays.ts";
import { assign } from "./assignment.ts";
import type { Checking } from "./checking.ts";
import { itemsOf } from "./items.ts";
import { truthOf } from "./operators.ts";
import { Scope } from "./scope.ts";
import type { Comprehension, ComprehensionClause, Expression } from "../syntax/tree.ts";
import { invalid, type Value } from "./values.ts";

/** `[item for target in over if test]`: a list; of pairs with keys, a dictionary. */
export function comprehension(checking: Checking, e: Comprehension): Value {
  const outer = checking.scope;
  checking.scope = new Scope(outer);
  const items: Value[] = [];
  const entries = new Map<string | number, Value>();
  const fine = runClauses(checking, e.clauses, () => {
    const item = checking.evaluate(e.item);
    if (!e.value) return items.push(item) > 0;
    const key = keyOf(checking, item);
    if (key === undefined) return false;
    entries.set(key, checking.evaluate(e.value));
    return true;
  });
  checking.scope = outer;
  if (!fine || items.some(({ kind }) => kind === "invalid")) return invalid;
  if (e.form === "dictionary") return { kind: "dictionary", entries };
  return { kind: "sequence", form: "list", items };
}

function runClauses(
  checking: Checking,
  clauses: readonly ComprehensionClause[],
  innermost: () => boolean,
): boolean {
  const [clause, ...rest] = clauses;
  if (!clause) return innermost();
  const over = checking.evaluate(clause.over);
  const items = itemsOf(checking, over, clause.over);
  if (!items) return false;
  for (const item of items) {
    checking.step(clause.over);
    assign(checking, clause.target, item);
    const holds = testsHold(checking, clause.tests);
    if (holds === undefined) return false;
    if (holds && !runClauses(checking, rest, innermost)) return false;
  }
  return true;
}

function testsHold(checking: Checking, tests: readonly Expression[]): boolean | undefined {
  for (const test of tests) {
    const truth = truthOf(checking, checking.evaluate(test), test);
    if (truth !== true) return truth;
  }
  return true;
}
