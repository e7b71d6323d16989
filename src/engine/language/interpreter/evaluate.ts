/** Evaluates expressions: from a syntax tree to a value, with numbers as nodes of the graph. */
import { keyOf, numeric, pythonBool, pythonNumber } from "./arrays.ts";
import { readAttribute } from "./attributes.ts";
import { pythonBuiltins } from "./builtins.ts";
import { checkCall } from "./calls.ts";
import type { Checking } from "./checking.ts";
import { comprehension } from "./comprehensions.ts";
import { readColumn, readColumns } from "./columns.ts";
import { partByName } from "./frame_parts.ts";
import { knownNames } from "./findings.ts";
import { formatText } from "./format.ts";
import { takePart } from "./indexing.ts";
import { makeFunction } from "./inline.ts";
import {
  binaryOperator,
  booleanOperator,
  comparisonOperator,
  conditionalOperator,
  unaryOperator,
} from "./operators.ts";
import { mentionsResponse } from "./response_use.ts";
import type {
  Dictionary,
  Expression,
  Name,
  NumberLiteral,
  Sequence,
  Slice,
  Subscript,
} from "../syntax/tree.ts";
import { closeFilling, invalid, none, touchesResponse, type Value } from "./values.ts";

const largestInteger = 2 ** 53;

/** The value of an expression; errors are reported and become `invalid`. */
export function evaluate(checking: Checking, e: Expression): Value {
  checking.step(e);
  switch (e.kind) {
    case "number":
      return literal(checking, e);
    case "string":
      return e.bytes ? refuse(checking, e, "bytes") : { kind: "text", value: e.value };
    case "constant":
      return constant(checking, e.value);
    case "name":
      return lookUp(checking, e);
    case "attribute":
      return readAttribute(checking, e);
    case "subscript":
      return subscript(checking, e);
    case "slice":
      return slice(checking, e);
    case "call":
      return checkCall(checking, e);
    case "unary":
      return unaryOperator(checking, e);
    case "binary":
      return binaryOperator(checking, e);
    case "comparison":
      return comparisonOperator(checking, e);
    case "boolean":
      return booleanOperator(checking, e);
    case "conditional":
      return conditionalOperator(checking, e);
    case "list":
    case "tuple":
      return sequence(checking, e);
    case "dictionary":
      return dictionary(checking, e);
    case "lambda":
      return makeFunction(checking, "lambda", e.parameters, e.body);
    case "comprehension":
      return comprehension(checking, e);
    case "formatted":
      return formatText(checking, e);
    case "set":
      return refuse(checking, e, "a set");
    case "starred":
      return refuse(checking, e, "a starred expression");
  }
}

function refuse(checking: Checking, e: Expression, what: string): Value {
  if (mentionsResponse(checking, e)) return checking.derive(e);
  const message = `Cannot use ${what} here: not in the subset`;
  const hint = what === "a set" ? "write a list" : "write numbers, columns, names and arithmetic";
  return checking.error("unsupported/expression", message, e, hint);
}

function literal(checking: Checking, e: NumberLiteral): Value {
  if (e.imaginary) return refuse(checking, e, "an imaginary number");
  const text = checking.source.slice(e);
  const integer = /^0[xXoObB]/.test(text) || !/[.eE]/.test(text);
  if (!Number.isFinite(e.value) || (integer && e.value > largestInteger)) {
    const message = `Cannot use ${text}: the number is too large`;
    const hint = "integers go up to 2**53, other numbers up to 1.8e308";
    return checking.error("support/number", message, e, hint);
  }
  return pythonNumber(checking, e.value, integer ? "int" : "float");
}

function constant(checking: Checking, value: "None" | "True" | "False" | "..."): Value {
  if (value === "...") return { kind: "ellipsis" };
  return value === "None" ? none : pythonBool(checking, value === "True");
}

function lookUp(checking: Checking, { id, start, end }: Name): Value {
  const known = checking.scope.get(id);
  if (known) {
    closeFilling(known);
    return known;
  }
  if (pythonBuiltins.has(id)) return { kind: "builtin", module: "python", name: id };
  const names = [...checking.scope.names().filter((name) => !name.startsWith("__")), "abs", "len"];
  const message = `Cannot find the name ${id}: nothing has been assigned to it`;
  const hint = knownNames(id, "known names", names);
  return checking.error("names/undefined", message, { start, end }, hint);
}

/** Items of a list or tuple; `*items` are spread. */
function evaluateItems(checking: Checking, items: readonly Expression[]): Value[] {
  return items.flatMap((item) => {
    if (item.kind !== "starred") return [checking.evaluate(item)];
    const value = checking.evaluate(item.value);
    if (value.kind === "sequence") {
      checking.collect(value.items.length, item);
      return value.items;
    }
    if (value.kind === "invalid") return [value];
    const message = "Cannot spread this with *: wanted a list or a tuple";
    return [checking.error("unsupported/expression", message, item)];
  });
}

/** The response stays what it is inside of a container; only the whole is forbidden elsewhere. */
function sequence(checking: Checking, e: Sequence): Value {
  const items = evaluateItems(checking, e.items);
  if (items.some((value) => value.kind === "invalid")) return invalid;
  return { kind: "sequence", form: e.kind === "tuple" ? "tuple" : "list", items };
}

function dictionary(checking: Checking, e: Dictionary): Value {
  const entries = new Map<string | number, Value>();
  for (const [i, key] of e.keys.entries()) {
    const value = checking.evaluate(e.values[i]);
    if (key === undefined) {
      if (value.kind === "dictionary") { for (const [k, v] of value.entries) entries.set(k, v); }
      else return refuse(checking, e.values[i], "this with **");
    } else {
      const found = keyOf(checking, checking.evaluate(key));
      if (found === undefined) return refuse(checking, key, "this as a key");
      entries.set(found, value);
    }
  }
  return { kind: "dictionary", entries };
}

function slice(checking: Checking, e: Slice): Value {
  const parts: (number | undefined)[] = [];
  for (const part of e.parts) {
    const value = part ? checking.evaluate(part) : none;
    if (value.kind === "none") parts.push(undefined);
    else {
      if (touchesResponse(value)) return checking.derive(e, value);
      const number = part && numeric(checking, value, part, "a slice");
      if (!number) return invalid;
      const known = checking.graph.valueOf(number.node)?.values;
      if (known?.length !== 1 || !Number.isInteger(known[0])) {
        const message = "Cannot slice by this: wanted a whole number known before sampling";
        return checking.error("names/wrong-kind", message, part);
      }
      parts.push(known[0]);
    }
  }
  return { kind: "slice", parts };
}

function subscript(checking: Checking, e: Subscript): Value {
  const target = checking.peek(e.object);
  if (target.kind === "invalid" || target.kind === "ignored") return target;
  const given = checking.evaluate(e.index);
  if (given.kind === "invalid") return invalid;
  const [object, index] = partByName(checking, target, given);
  if (object.kind === "builtin") {
    const joined = checking.libraryPart(e, object, index);
    if (joined) return joined;
  }
  if (object.kind === "data") {
    return index.kind === "sequence"
      ? readColumns(checking, e, index.items)
      : readColumn(checking, e, index);
  }
  const part = takePart(checking, e, object, index);
  if (part.kind !== "numeric") return part;
  if (checking.graph.shapeOf(part.node).length > 0) closeFilling(object);
  const { filling: _, ...read } = part;
  return read;
}
