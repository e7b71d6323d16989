/** Functions of the program: `def` and `lambda`, inlined at every call. */
import { type Arguments, evaluateArguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { limits } from "../syntax/limits.ts";
import { assignedNames, Scope } from "./scope.ts";
import type { Call, Expression, FunctionParameter, Statement } from "../syntax/tree.ts";
import { closeFilling, type FunctionValue, invalid, none, type Value } from "./values.ts";

/** A function where it is defined; defaults are evaluated there. */
export function makeFunction(
  checking: Checking,
  name: string,
  parameters: readonly FunctionParameter[],
  body: readonly Statement[] | Expression,
): FunctionValue {
  const defaults = new Map<string, Value>();
  for (const parameter of parameters) {
    if (parameter.default) defaults.set(parameter.name.id, checking.evaluate(parameter.default));
  }
  return { kind: "function", name, parameters, defaults, body, scope: checking.scope };
}

/** Calls a function of the program: its body is checked with the arguments for its names. */
export function callFunction(checking: Checking, call: Call, f: FunctionValue): Value {
  const args = evaluateArguments(checking, call);
  return args ? applyFunction(checking, args, f) : invalid;
}

/** The value of a function at values that no call of the text hands over. */
export function applyTo(
  checking: Checking,
  call: Call,
  f: FunctionValue,
  values: readonly Value[],
  keywords: Arguments["keywords"] = new Map(),
): Value {
  const positional = values.map((value) => ({ value, place: call.callee }));
  return applyFunction(checking, { call, positional, keywords }, f);
}

/** Checks the body of a function with these arguments. */
function applyFunction(checking: Checking, args: Arguments, f: FunctionValue): Value {
  const names = bindParameters(checking, args, f);
  if (!names) return invalid;
  if (checking.calls >= limits.calls) {
    const message = `Cannot call ${f.name}: more than ${limits.calls} calls inside one another`;
    return checking.error(
      "unsupported/recursion",
      message,
      args.call,
      "write it without recursion",
    );
  }
  const isLambda = !Array.isArray(f.body);
  const locals = isLambda ? new Set(names.keys()) : assignedNames(f.body as readonly Statement[]);
  const outer = checking.scope;
  checking.scope = new Scope(f.scope, locals);
  for (const [name, value] of names) {
    closeFilling(value);
    checking.scope.set(name, value);
  }
  checking.calls++;
  try {
    if (isLambda) return checking.evaluate(f.body as Expression);
    const end = checking.run(f.body as readonly Statement[]);
    return end?.kind === "return" ? end.value : none;
  } finally {
    checking.calls--;
    checking.scope = outer;
  }
}

function bindParameters(
  checking: Checking,
  { call, positional, keywords }: Arguments,
  f: FunctionValue,
): Map<string, Value> | undefined {
  const names = new Map<string, Value>();
  const plain = f.parameters.filter(({ form }) => form === "plain");
  const rest = f.parameters.find(({ form }) => form === "star");
  const others = f.parameters.find(({ form }) => form === "double_star");
  const refuse = (what: string): undefined => {
    checking.error("names/arguments", `Cannot call ${f.name}: ${what}`, call);
  };
  if (positional.length > plain.length && !rest) {
    return refuse(`wanted ${plain.length} arguments, found ${positional.length}`);
  }
  positional.slice(0, plain.length).forEach(({ value }, i) => names.set(plain[i].name.id, value));
  if (rest) {
    const items = positional.slice(plain.length).map(({ value }) => value);
    names.set(rest.name.id, { kind: "sequence", form: "tuple", items });
  }
  const known = f.parameters.filter(({ form }) => form === "plain" || form === "keyword_only");
  const entries = new Map<string | number, Value>();
  for (const [name, { value }] of keywords) {
    if (names.has(name)) return refuse(`${name} is given twice`);
    if (known.some((parameter) => parameter.name.id === name)) names.set(name, value);
    else if (others) entries.set(name, value);
    else return refuse(`it has no argument ${name}`);
  }
  if (others) names.set(others.name.id, { kind: "dictionary", entries });
  for (const { name } of known) {
    if (names.has(name.id)) continue;
    const value = f.defaults.get(name.id);
    if (!value) return refuse(`missing ${name.id}`);
    names.set(name.id, value);
  }
  return names;
}
