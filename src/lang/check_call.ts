/** Checks calls: functions of numbers, containers of data, variables, and everything refused. */
import { applyBinary, applyUnary, evaluate, numeric } from "./check_expression.ts";
import { callNumpy, statistic } from "./check_numpy.ts";
import { checkDeterministic, checkVariable } from "./check_variable.ts";
import { type Checking, touchesResponse } from "./checking.ts";
import { knownNames } from "./findings.ts";
import { statistics } from "./host_values.ts";
import {
  builtinReplacements,
  customDensities,
  dataContainers,
  functionReplacements,
  functions,
  inference,
  npNames,
  onlyInPytensor,
  pmNames,
  replacements,
} from "./names.ts";
import { declareVariable, textArgument } from "./variable_names.ts";
import { mentionsResponse } from "./response_use.ts";
import { familyOf } from "./signatures.ts";
import { type Attribute, type Call, children, type Expression } from "./tree.ts";
import { ignored, invalid, type ModuleName, type Value } from "./values.ts";

/** The value of a call. */
export function checkCall(checking: Checking, call: Call): Value {
  const { callee } = call;
  if (callee.kind === "name") return callBuiltin(checking, call, callee.id);
  if (callee.kind !== "attribute") return unknownCallee(checking, call);
  const object = evaluate(checking, callee.object);
  if (object.kind === "module") return callModule(checking, call, callee, object.module);
  if (object.kind === "invalid" || object.kind === "ignored") return object;
  return callMethod(checking, call, callee, object);
}

function unknownCallee(checking: Checking, call: Call): Value {
  const { callee } = call;
  if (mentionsResponse(checking, call)) return checking.derive(call);
  const message = `Cannot call ${checking.source.slice(callee)}: not in the subset`;
  return checking.error("unsupported/function", message, callee);
}

function callBuiltin(checking: Checking, call: Call, name: string): Value {
  if (name === "abs") return callFunction(checking, call, "abs", "abs", false);
  if (name === "len") return callLength(checking, call);
  if (checking.scope.has(name)) return unknownCallee(checking, call);
  if (mentionsResponse(checking, call)) return checking.derive(call);
  const message = `Cannot call ${name}: not in the subset`;
  if (Object.hasOwn(builtinReplacements, name)) {
    return checking.error("unsupported/function", message, call.callee, builtinReplacements[name]);
  }
  const known = [...checking.scope.keys(), "abs", "len"];
  return checking.error(
    "unsupported/function",
    message,
    call.callee,
    knownNames(name, "known names", known),
  );
}

function callLength(checking: Checking, call: Call): Value {
  const value = onlyArgument(checking, call, "len");
  if (!value || value.kind === "invalid") return invalid;
  if (touchesResponse(value)) return checking.derive(call, value);
  const number = numeric(checking, value, call.arguments[0], "len");
  if (!number) return invalid;
  if (!number.host || !checking.graph.isVector(number.node)) {
    return checking.error("names/wrong-kind", "Cannot take len: wanted a column", call);
  }
  const node = checking.graph.constant(checking.dataset.rows);
  return { kind: "numeric", node, host: true };
}

/** The value of the only argument, or an error. */
export function onlyArgument(checking: Checking, call: Call, name: string): Value | undefined {
  const [first] = call.arguments;
  if (call.arguments.length === 1 && first.form === "positional") {
    return evaluate(checking, first.value);
  }
  const count = call.arguments.length;
  const found = count === 1 ? "a keyword or unpacked argument" : `${count}`;
  const message = `Cannot call ${name}: wanted one positional argument, found ${found}`;
  checking.error("names/arguments", message, call);
  return undefined;
}

function callModule(checking: Checking, call: Call, callee: Attribute, module: ModuleName): Value {
  const name = callee.name.id;
  const table = functions[module];
  if (table && Object.hasOwn(table, name)) return callNamed(checking, call, module, name);
  if (module === "pm") return callPymc(checking, call, callee);
  if (module === "np") return callNumpy(checking, call, callee);
  return unknownFunction(checking, call, callee, module);
}

function callNamed(checking: Checking, call: Call, module: ModuleName, name: string): Value {
  const op = functions[module][name];
  const text = checking.source.slice(call.callee);
  if (module === "pm.math" && onlyInPytensor.has(name)) {
    const message = `PyMC 5.28 has no ${text}`;
    const hint = `import pytensor.tensor as pt and write pt.${name} if the program is to run there`;
    checking.findings.warning("names/not-in-pymc", message, call.callee, hint);
  }
  return callFunction(checking, call, text, op, module === "np" || module === "math");
}

function callFunction(
  checking: Checking,
  call: Call,
  text: string,
  op: (typeof functions)[string][string],
  hostOnly: boolean,
): Value {
  const value = onlyArgument(checking, call, text);
  if (!value) return invalid;
  if (touchesResponse(value)) return checking.derive(call, value);
  const number = numeric(checking, value, call.arguments[0], text);
  if (!number) return invalid;
  if (hostOnly && !number.host) return refuseHostFunction(checking, call, text);
  if (text.startsWith("math.") && checking.graph.isVector(number.node)) {
    const message = `Cannot call ${text} on a column: it takes one number`;
    return checking.error("shapes/vector-argument", message, call, "write np. instead of math.");
  }
  const result = op === "sqr"
    ? applyBinary(checking, "mul", number, number, call)
    : applyUnary(checking, op, number, call);
  const tensor = text.startsWith("pm.") || text.startsWith("pt.");
  return result.kind === "numeric" && tensor ? { ...result, host: false } : result;
}

/** NumPy does not work on random variables. */
export function refuseHostFunction(checking: Checking, call: Call, text: string): Value {
  const name = text.split(".").at(-1) ?? "";
  const message = `Cannot call ${text} on a random variable: NumPy only works on data`;
  const same = Object.hasOwn(functions["pm.math"], name);
  const hint = same ? `write pm.math.${name}` : "write it with pm.math";
  return checking.error("unsupported/numpy-on-random-variable", message, call.callee, hint);
}

/** A function outside of the subset, with what to write instead. */
export function unknownFunction(
  checking: Checking,
  call: Call,
  callee: Attribute,
  module: ModuleName,
): Value {
  if (mentionsResponse(checking, call)) return checking.derive(call);
  const name = callee.name.id;
  const text = checking.source.slice(callee);
  const known = module === "np" ? npNames : Object.keys(functions[module] ?? {});
  if (Object.hasOwn(functionReplacements, name)) {
    const message = `Cannot call ${text}: not in the subset`;
    return checking.error("unsupported/function", message, callee, functionReplacements[name]);
  }
  const message = `Cannot call ${text}: no such function in the subset`;
  return checking.error(
    "names/unknown-function",
    message,
    callee,
    knownNames(name, "known", known),
  );
}

function callPymc(checking: Checking, call: Call, callee: Attribute): Value {
  const name = callee.name.id;
  const family = familyOf(name);
  if (family) return checkVariable(checking, call, family);
  if (name === "Deterministic") return checkDeterministic(checking, call);
  if (dataContainers.has(name)) return callData(checking, call, name);
  if (inference.has(name)) return callInference(checking, call, name);
  return refusePymc(checking, call, callee);
}

/** Names of PyMC that would change what is scored, then those outside of the subset. */
function refusePymc(checking: Checking, call: Call, callee: Attribute): Value {
  const name = callee.name.id;
  const message = `Cannot use pm.${name}`;
  if (call.arguments.some(({ keyword }) => keyword?.id === "observed")) {
    checking.observedSeen = true;
  }
  if (name === "Potential") {
    const why = `${message}: a potential changes the posterior without being scored`;
    const hint = "write it as a prior or into the likelihood";
    return checking.error("lh/potential", why, callee, hint);
  }
  if (customDensities.has(name)) {
    const why = `${message}: a density of the program's own need not be normalised`;
    return checking.error("lh/custom-density", why, callee, "choose a built-in distribution");
  }
  if (name === "Flat" || name === "HalfFlat") {
    const why = `${message}: an improper prior has no total mass`;
    const hint = name === "Flat" ? "write a wide pm.Normal" : "write a wide pm.HalfNormal";
    return checking.error("lh/improper-prior", why, callee, hint);
  }
  return unknownPymc(checking, callee);
}

function unknownPymc(checking: Checking, callee: Attribute): Value {
  const name = callee.name.id;
  if (name === "Model") {
    const hint = "write `with pm.Model() as model:`";
    return checking.error("unsupported/model", "Cannot use pm.Model outside of with", callee, hint);
  }
  if (Object.hasOwn(replacements, name)) {
    const message = `Cannot use pm.${name}: not in the subset`;
    return checking.error("unsupported/distribution", message, callee, replacements[name]);
  }
  const message = `Cannot use pm.${name}: no such name in the subset`;
  const hint = knownNames(name, "known", pmNames);
  return checking.error("names/unknown-function", message, callee, hint);
}

/** `pm.Data("age", data["age"])` is its column, as a tensor. */
function callData(checking: Checking, call: Call, name: string): Value {
  const positional = call.arguments.filter((a) => a.form === "positional");
  const value = positional[1] ?? call.arguments.find((a) => a.keyword?.id === "value");
  const label = positional[0] ?? call.arguments.find((a) => a.keyword?.id === "name");
  const extra = call.arguments.find((a) => a !== value && a !== label);
  if (!label || !value || extra) return refuseDataArguments(checking, call, name);
  if (name !== "Data") {
    const message = `PyMC 5.28 has no pm.${name}`;
    checking.findings.warning("names/not-in-pymc", message, call.callee, "write pm.Data");
  }
  const given = textArgument(checking, label.value, `pm.${name}`);
  if (given !== undefined) declareVariable(checking, given, label);
  const found = evaluate(checking, value.value);
  if (found.kind === "response" || found.kind === "derived") return found;
  const number = numeric(checking, found, value, `pm.${name}`);
  if (!number) return invalid;
  if (!number.host) {
    const message = `Cannot put a random variable into pm.${name}: wanted data`;
    return checking.error("names/wrong-kind", message, value, "write pm.Deterministic");
  }
  return { ...number, host: false };
}

function refuseDataArguments(checking: Checking, call: Call, name: string): Value {
  const message = `Cannot check the arguments of pm.${name}: wanted a name and a column`;
  const hint = `write pm.${name}("age", data["age"])`;
  return checking.error("names/arguments", message, call, hint);
}

/** Settings of inference belong to the host; a call inside of them could change the model. */
function callInference(checking: Checking, call: Call, name: string): Value {
  const pending: Expression[] = call.arguments.map((argument) => argument.value);
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "call") {
      const message = `Cannot call ${checking.source.slice(e.callee)} inside of pm.${name}`;
      return checking.error("unsupported/argument", message, e, "leave the argument out");
    }
    pending.push(...children(e));
  }
  const message = `pm.${name} has no effect: inference and its settings belong to the host`;
  checking.findings.note("notes/inference-ignored", message, call);
  return ignored;
}

function callMethod(checking: Checking, call: Call, callee: Attribute, object: Value): Value {
  const name = callee.name.id;
  const column = object.kind === "response" || (object.kind === "numeric" && object.host);
  if (column && name === "to_numpy" && call.arguments.length === 0) return object;
  if (touchesResponse(object)) return checking.derive(call, object);
  const vector = object.kind === "numeric" && object.host && checking.graph.isVector(object.node);
  if (vector && (name === "std" || name === "var")) {
    const message = `Cannot call .${name}(): NumPy divides by n, pandas by n - 1`;
    const hint = `write np.${name}(...), which divides by n`;
    return checking.error("unsupported/function", message, callee.name, hint);
  }
  if (vector && Object.hasOwn(statistics, name) && call.arguments.length === 0) {
    return statistic(checking, call, name, object);
  }
  const text = checking.source.slice(callee);
  const message = `Cannot call ${text}: methods are not in the subset`;
  return checking.error("unsupported/function", message, callee.name);
}
