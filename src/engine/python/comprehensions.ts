/** Comprehensions and what loops run over: unrolled while the program is checked. */
import { numberOf, shapeOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import { evaluate, keyOf } from "./evaluate.ts";
import { truthOf } from "./operators.ts";
import { rowsOf } from "./rows.ts";
import { Scope } from "./scope.ts";
import { assign } from "./statements.ts";
import type { Comprehension, ComprehensionClause, Expression } from "../syntax/tree.ts";
import { describeValue, invalid, touchesResponse, type Value } from "./values.ts";

/** `[item for target in over if test]`: a list; of pairs with keys, a dictionary. */
export function comprehension(checking: Checking, e: Comprehension): Value {
  const outer = checking.scope;
  checking.scope = new Scope(outer);
  const items: Value[] = [];
  const entries = new Map<string | number, Value>();
  const fine = runClauses(checking, e.clauses, () => {
    const item = evaluate(checking, e.item);
    if (!e.value) return items.push(item) > 0;
    const key = keyOf(checking, item);
    if (key === undefined) return false;
    entries.set(key, evaluate(checking, e.value));
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
  const over = evaluate(checking, clause.over);
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
    const truth = truthOf(checking, evaluate(checking, test), test);
    if (truth !== true) return truth;
  }
  return true;
}

/** What a loop runs over; undefined, with a finding, if it cannot be run over here. */
export function itemsOf(
  checking: Checking,
  value: Value,
  place: Expression,
): readonly Value[] | undefined {
  switch (value.kind) {
    case "sequence":
      return value.items;
    case "dictionary":
      return [...value.entries.keys()].map((key) => keyValue(checking, key));
    case "text":
      return [...value.value].map((letter) => ({ kind: "text", value: letter }));
    case "numeric":
      if (shapeOf(checking, value).length > 0) return rowsOf(checking, value, place);
      break;
    case "invalid":
      return undefined;
  }
  if (touchesResponse(value)) {
    checking.refuseResponse(value, place);
    return undefined;
  }
  const whole = numberOf(checking, value) !== undefined;
  const message = `Cannot loop over ${whole ? "a number" : describeValue(value)}`;
  checking.error("names/wrong-kind", message, place, whole ? "write range(...)" : undefined);
  return undefined;
}

/** A key of a dictionary as a value. */
export function keyValue(checking: Checking, key: string | number): Value {
  if (typeof key === "string") return { kind: "text", value: key };
  const node = checking.graph.scalar(key);
  return {
    kind: "numeric",
    node,
    dtype: Number.isInteger(key) ? "int" : "float",
    origin: "python",
  };
}
