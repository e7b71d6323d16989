/** Targets of assignments, and CPython's words for expressions that are none. */
import type { Cursor } from "./cursor.ts";
import type { Expression } from "./tree.ts";

const names: Readonly<Record<Expression["kind"], string>> = {
  number: "literal",
  string: "literal",
  constant: "literal",
  name: "name",
  attribute: "attribute",
  subscript: "subscript",
  slice: "slice",
  call: "function call",
  unary: "expression",
  binary: "expression",
  boolean: "expression",
  comparison: "comparison",
  conditional: "conditional expression",
  tuple: "tuple",
  list: "list",
  set: "set display",
  dictionary: "dict literal",
  starred: "starred",
  lambda: "lambda",
  comprehension: "list comprehension",
  formatted: "f-string expression",
};

const comprehensionNames = {
  list: "list comprehension",
  set: "set comprehension",
  generator: "generator expression",
  dictionary: "dict comprehension",
} as const;

/** CPython's name for an expression (`_PyPegen_get_expr_name`). */
export function describeTarget(e: Expression): string {
  if (e.kind === "comprehension") return comprehensionNames[e.form];
  if (e.kind !== "constant") return names[e.kind];
  return e.value === "..." ? "ellipsis" : e.value;
}

/** The first part of an expression that cannot be assigned to. */
function invalidTarget(e: Expression): Expression | undefined {
  switch (e.kind) {
    case "name":
    case "attribute":
    case "subscript":
      return undefined;
    case "starred":
      return invalidTarget(e.value);
    case "tuple":
    case "list":
      return e.items.map(invalidTarget).find((item) => item !== undefined);
    default:
      return e;
  }
}

/** Refuses what cannot be assigned to. `alone`: the target of the only `=` of its statement. */
export function checkTarget(cursor: Cursor, target: Expression, alone: boolean): void {
  const wrong = invalidTarget(target);
  if (!wrong) return;
  const constant = wrong.kind === "constant" && wrong.value !== "...";
  const compared = ["boolean", "comparison", "conditional"].includes(wrong.kind) ||
    (wrong.kind === "unary" && wrong.op === "not");
  const advise = alone && wrong === target && !constant && !compared;
  const advice = advise ? " here. Maybe you meant '==' instead of '='?" : "";
  const hint = "a name goes on the left of =";
  cursor.fail("assign-target", `cannot assign to ${describeTarget(wrong)}${advice}`, wrong, hint);
}
