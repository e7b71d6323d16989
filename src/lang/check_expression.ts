/** Checks expressions: from a syntax tree to a value, with numbers as nodes of the graph. */
import { checkCall } from "./check_call.ts";
import { type Checking, touchesResponse } from "./checking.ts";
import { knownNames } from "./findings.ts";
import type { BinaryOp, NodeId, UnaryOp } from "./graph.ts";
import { constants, functions, npNames, pmNames } from "./names.ts";
import { mentionsResponse } from "./response_use.ts";
import type { Place } from "./source.ts";
import type { Attribute, Binary, Expression, Name, Sequence, Subscript, Unary } from "./tree.ts";
import {
  describeValue,
  invalid,
  type ModuleName,
  type NumericValue,
  type Value,
} from "./values.ts";

const operators: Readonly<Record<string, BinaryOp>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "**": "pow",
};
const builtins = ["abs", "len"];
const largestInteger = 2 ** 53;

/** The value of an expression; errors are reported and become `invalid`. */
export function evaluate(checking: Checking, e: Expression): Value {
  switch (e.kind) {
    case "number":
      return literal(checking, e);
    case "string":
      return e.bytes ? refuse(checking, e, "bytes") : { kind: "text", value: e.value };
    case "constant":
      return constant(checking, e);
    case "name":
      return lookUp(checking, e);
    case "attribute":
      return attribute(checking, e);
    case "subscript":
      return subscript(checking, e);
    case "call":
      return checkCall(checking, e);
    case "unary":
      return unary(checking, e);
    case "binary":
      return binary(checking, e);
    case "list":
    case "tuple":
      return sequence(checking, e);
    default:
      return refuse(checking, e, expressionNames[e.kind]);
  }
}

const expressionNames = {
  boolean: "`and` and `or`",
  comparison: "a comparison",
  conditional: "a conditional expression",
  set: "a set",
  dictionary: "a dictionary",
  slice: "a slice",
  starred: "a starred expression",
} as const;

const expressionHints: Readonly<Record<string, string>> = {
  "a comparison": "write a smooth step with pm.math.sigmoid",
  "a conditional expression": "write the expression that applies",
  "a slice": "use the whole column",
};

function refuse(checking: Checking, e: Expression, what: string): Value {
  if (mentionsResponse(checking, e)) return checking.derive(e);
  const message = `Cannot use ${what} here: not in the subset`;
  const hint = expressionHints[what] ?? "write numbers, columns, names and arithmetic";
  return checking.error("unsupported/expression", message, e, hint);
}

function literal(checking: Checking, e: Expression & { kind: "number" }): Value {
  if (e.imaginary) return refuse(checking, e, "an imaginary number");
  const integer = !/[.eEjJ]/.test(checking.source.slice(e));
  if (!Number.isFinite(e.value) || (integer && e.value > largestInteger)) {
    const message = `Cannot use ${checking.source.slice(e)}: the number is too large`;
    const hint = "integers go up to 2**53, other numbers up to 1.8e308";
    return checking.error("support/number", message, e, hint);
  }
  return { kind: "numeric", node: checking.graph.constant(e.value), host: true };
}

function constant(checking: Checking, e: Expression & { kind: "constant" }): Value {
  if (e.value === "...") return refuse(checking, e, "`...`");
  return e.value === "None" ? { kind: "none" } : { kind: "boolean" };
}

function lookUp(checking: Checking, { id, start, end }: Name): Value {
  const known = checking.scope.get(id);
  if (known) return known;
  const place = { start, end };
  if (builtins.includes(id)) {
    return checking.error("unsupported/expression", `Cannot use ${id} without calling it`, place);
  }
  const names = [...checking.scope.keys(), ...builtins];
  const message = `Cannot find the name ${id}: nothing has been assigned to it`;
  return checking.error("names/undefined", message, place, knownNames(id, "known names", names));
}

function sequence(checking: Checking, e: Sequence): Value {
  const values = e.items.map((item) => evaluate(checking, item));
  if (values.some(touchesResponse)) return checking.derive(e, ...values);
  return values.some((value) => value.kind === "invalid") ? invalid : { kind: "sequence" };
}

function attribute(checking: Checking, e: Attribute): Value {
  const object = evaluate(checking, e.object);
  const name = e.name.id;
  if (object.kind === "module") return moduleMember(checking, e, object.module);
  if (object.kind === "invalid" || object.kind === "ignored") return object;
  const column = object.kind === "response" ||
    (object.kind === "numeric" && object.host && checking.graph.isVector(object.node));
  if (column && name === "values") return object;
  if (touchesResponse(object)) return checking.derive(e, object);
  if (object.kind === "data") return dataAttribute(checking, e);
  const message = `Cannot read .${name} of ${describeValue(object)}: not in the subset`;
  return checking.error("unsupported/expression", message, e.name);
}

function dataAttribute(checking: Checking, { object, name }: Attribute): Value {
  const text = checking.source.slice(object);
  const message = `Cannot read ${text}.${name.id}: columns are reached by subscript`;
  return checking.error("unsupported/expression", message, name, `write ${text}["${name.id}"]`);
}

/** `pm.math`, `np.pi`; functions only make sense where they are called. */
function moduleMember(checking: Checking, e: Attribute, module: ModuleName): Value {
  const name = e.name.id;
  if (module === "pm" && name === "math") return { kind: "module", module: "pm.math" };
  const isConstant = (module === "np" || module === "math") && Object.hasOwn(constants, name);
  if (isConstant) {
    return { kind: "numeric", node: checking.graph.constant(constants[name]), host: true };
  }
  const callable = Object.hasOwn(functions[module] ?? {}, name) ||
    (module === "pm" && pmNames.includes(name)) || (module === "np" && npNames.includes(name));
  const text = checking.source.slice(e);
  return callable
    ? checking.error("unsupported/expression", `Cannot use ${text} without calling it`, e)
    : checking.error("unsupported/expression", `Cannot use ${text} here: not in the subset`, e);
}

function subscript(checking: Checking, e: Subscript): Value {
  const object = evaluate(checking, e.object);
  if (object.kind === "data") return column(checking, e);
  if (object.kind === "invalid" || object.kind === "ignored") return object;
  if (touchesResponse(object)) return checking.derive(e, object);
  const message = `Cannot take a part of ${describeValue(object)}: indexing is not in the subset`;
  return checking.error("unsupported/expression", message, e, "use the whole column");
}

function column(checking: Checking, e: Subscript): Value {
  const index = evaluate(checking, e.index);
  if (index.kind === "invalid") return invalid;
  const text = checking.source.slice(e.object);
  if (index.kind !== "text") {
    const message = `Cannot read a column by ${describeValue(index)}: wanted its name`;
    return checking.error("names/unknown-column", message, e.index, `write ${text}["name"]`);
  }
  const found = checking.dataset.columns.find(({ name }) => name === index.value);
  if (!found || found.role === "ignore") return unknownColumn(checking, e, index.value);
  if (found === checking.response) return { kind: "response" };
  if (found.type === "category") {
    const message = `Cannot use the column "${found.name}": categories are not in the subset`;
    const hint = "give the column the type real or binary, as indicators";
    return checking.error("unsupported/column", message, e, hint);
  }
  const missing = found.values.findIndex((value) => !Number.isFinite(value));
  if (missing >= 0) {
    const message = `Cannot use the column "${found.name}": row ${missing + 1} is not finite`;
    return checking.error("unsupported/column", message, e, "drop the rows with missing values");
  }
  return { kind: "numeric", node: checking.graph.column(found.name), host: true };
}

function unknownColumn(checking: Checking, e: Subscript, name: string): Value {
  const all = checking.dataset.columns;
  const why = all.some((c) => c.name === name)
    ? 'its role is "ignore"'
    : "the data have no such column";
  const known = all.filter((c) => c.role !== "ignore").map((c) => c.name);
  const message = `Cannot read the column "${name}": ${why}`;
  return checking.error(
    "names/unknown-column",
    message,
    e.index,
    knownNames(name, "columns", known),
  );
}

function unary(checking: Checking, e: Unary): Value {
  const operand = evaluate(checking, e.operand);
  if (e.op !== "-" && e.op !== "+") return refuse(checking, e, `\`${e.op}\``);
  if (touchesResponse(operand)) return checking.derive(e, operand);
  const number = numeric(checking, operand, e.operand, `\`${e.op}\``);
  if (!number) return invalid;
  if (e.op === "-") return applyUnary(checking, "neg", number, e);
  if (number.host) return number;
  const message = "Cannot use `+` before a random variable: PyMC has no such operator";
  return checking.error("unsupported/expression", message, e, "leave the + out");
}

function binary(checking: Checking, e: Binary): Value {
  const left = evaluate(checking, e.left);
  const right = evaluate(checking, e.right);
  const op = Object.hasOwn(operators, e.op) ? operators[e.op] : undefined;
  if (!op) return refuse(checking, e, `\`${e.op}\``);
  if (touchesResponse(left) || touchesResponse(right)) return checking.derive(e, left, right);
  const a = numeric(checking, left, e.left, `\`${e.op}\``);
  const b = numeric(checking, right, e.right, `\`${e.op}\``);
  return a && b ? applyBinary(checking, op, a, b, e) : invalid;
}

/** The value as a number, or an error that says what it is. */
export function numeric(
  checking: Checking,
  value: Value,
  place: Place,
  user: string,
): NumericValue | undefined {
  if (value.kind === "numeric") return value;
  if (value.kind === "invalid") return undefined;
  if (touchesResponse(value)) checking.refuseResponse(value, place);
  else {
    const message = `Cannot use ${describeValue(value)} in ${user}: wanted a number or a column`;
    checking.error("names/wrong-kind", message, place);
  }
  return undefined;
}

/** Applies an operator of one operand, refusing what no real number comes of. */
export function applyUnary(
  checking: Checking,
  op: UnaryOp,
  { node, host }: NumericValue,
  place: Place,
): Value {
  const result = checking.graph.unary(op, node);
  return finite(checking, result, [node], place, host);
}

/** Applies an operator of two operands, refusing what no real number comes of. */
export function applyBinary(
  checking: Checking,
  op: BinaryOp,
  a: NumericValue,
  b: NumericValue,
  place: Place,
): Value {
  const result = checking.graph.binary(op, a.node, b.node);
  return finite(checking, result, [a.node, b.node], place, a.host && b.host);
}

/** `-np.inf` is fine as a bound; infinities and NaN have no place in arithmetic. */
function finite(
  checking: Checking,
  node: NodeId,
  operands: readonly NodeId[],
  place: Place,
  host: boolean,
): Value {
  const { graph } = checking;
  const bound = operands.length === 1 && Math.abs(graph.constantOf(operands[0]) ?? 0) === Infinity;
  if (bound && graph.constantOf(node) !== undefined) return { kind: "numeric", node, host };
  const text = checking.source.slice(place);
  const found = whyNotFinite(checking, node, operands);
  if (!found) return { kind: "numeric", node, host };
  return checking.error("support/number", `Cannot compute ${text}: ${found}`, place);
}

function whyNotFinite(
  checking: Checking,
  node: NodeId,
  operands: readonly NodeId[],
): string | undefined {
  const infinite = operands.some((id) => Math.abs(checking.graph.constantOf(id) ?? 0) === Infinity);
  if (infinite) return "infinity stands for a missing bound, not for a number";
  const values = checking.host.of(node);
  const bad = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
  if (!values || bad < 0) return undefined;
  const row = values.length > 1 ? ` in row ${bad + 1}` : "";
  return Number.isNaN(values[bad]) ? `it is not a real number${row}` : `it is infinite${row}`;
}
