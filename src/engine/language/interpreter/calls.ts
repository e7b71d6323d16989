/** Calls: functions of the program, of Python, of modules, and methods. */
import { pythonNumber, shapeOf } from "./arrays.ts";
import { deriveFrom, evaluateArguments } from "./bind.ts";
import { mayLook, pythonFunctions } from "./builtins.ts";
import type { Checking } from "./checking.ts";
import { knownNames } from "./findings.ts";
import { callFunction } from "./inline.ts";
import { callMethod } from "./methods.ts";
import { builtinReplacements } from "./refused_builtins.ts";
import { mentionsResponse } from "./response_use.ts";
import type { Call } from "../syntax/tree.ts";
import { type BuiltinValue, describeValue, invalid, type Value } from "./values.ts";

/** The value of a call; an array that a function made records its sources. */
export function checkCall(checking: Checking, call: Call): Value {
  return checking.graph.computing(
    () => valueOfCall(checking, call),
    (value) => value.kind === "numeric" ? value.node : undefined,
  );
}

function valueOfCall(checking: Checking, call: Call): Value {
  const { callee } = call;
  if (callee.kind === "name" && !checking.scope.get(callee.id)) {
    if (!Object.hasOwn(pythonFunctions, callee.id)) return unknownName(checking, call, callee.id);
  }
  const value = checking.evaluate(callee);
  switch (value.kind) {
    case "builtin":
      return callBuiltin(checking, call, value);
    case "function":
      return callFunction(checking, call, value);
    case "method":
      return callMethod(checking, call, value);
    case "object":
      return checking.callObject(call, value);
    case "ignored":
    case "invalid":
      return value;
    default: {
      if (mentionsResponse(checking, call)) return checking.derive(call);
      const message = `Cannot call ${checking.text(callee)}: it is ${describeValue(value)}`;
      return checking.error("names/wrong-kind", message, callee);
    }
  }
}

function unknownName(checking: Checking, call: Call, name: string): Value {
  if (mentionsResponse(checking, call)) return checking.derive(call);
  const message = `Cannot call ${name}: not in the subset`;
  if (Object.hasOwn(builtinReplacements, name)) {
    const hint = builtinReplacements[name];
    return checking.error("unsupported/function", message, call.callee, hint);
  }
  const known = [
    ...checking.scope.names().filter((n) => !n.startsWith("__")),
    ...Object.keys(pythonFunctions),
  ];
  const hint = knownNames(name, "known names", known);
  return checking.error("names/undefined", `Cannot find the function ${name}`, call.callee, hint);
}

function callBuiltin(checking: Checking, call: Call, builtin: BuiltinValue): Value {
  if (builtin.module === "python") return callPython(checking, call, builtin.name);
  return checking.callLibrary(call, builtin);
}

/** A name of a value that was computed from the response, shown and nothing else: nothing is made of it by that. */
function noteShown(checking: Checking, call: Call): void {
  for (const { value } of call.arguments) {
    const known = value.kind === "name" ? checking.scope.get(value.id) : undefined;
    if (known?.kind === "derived") known.isShown = true;
  }
}

function callPython(checking: Checking, call: Call, name: string): Value {
  if (name === "print" || name === "display") {
    noteShown(checking, call);
    return { kind: "none" };
  }
  if (name === "len" && call.arguments.length === 1 && call.arguments[0].form === "positional") {
    const value = checking.peek(call.arguments[0].value);
    const shape = value.kind === "numeric" ? shapeOf(checking, value) : [];
    if (shape.length > 0) return pythonNumber(checking, shape[0], "int");
  }
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  if (!mayLook(name, args)) return deriveFrom(checking, call, args);
  const unread = args.positional.find(({ value }) => value.kind === "ignored");
  if (unread) return unread.value;
  return pythonFunctions[name](checking, args, name);
}
