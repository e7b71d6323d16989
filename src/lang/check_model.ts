/** Checks the block of the model and the function that may hold it. */
import { assign, checkStatements } from "./check_statement.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "./source.ts";
import type { Expression, FunctionDefinition, Statement, WithStatement } from "./tree.ts";
import { ignored } from "./values.ts";

/** `with pm.Model() as model:`, or the same model once more; true if it ends in a return. */
export function checkWith(checking: Checking, s: WithStatement): boolean {
  const [item] = s.items;
  if (s.items.length !== 1) return refuseWith(checking, s), false;
  const { context, target } = item;
  const isModel = context.kind === "call" && isModelName(checking, context.callee);
  if (!isModel) {
    const known = context.kind === "name" && checking.scope.get(context.id)?.kind === "model";
    if (!known || target) return refuseWith(checking, s), false;
  } else if (!openModel(checking, context, s, target)) return false;
  const outer = checking.inModel;
  checking.inModel = true;
  const returned = checkStatements(checking, s.body);
  checking.inModel = outer;
  return returned;
}

function isModelName(checking: Checking, callee: Expression): boolean {
  if (callee.kind !== "attribute" || callee.name.id !== "Model") return false;
  const { object } = callee;
  const value = object.kind === "name" ? checking.scope.get(object.id) : undefined;
  return value?.kind === "module" && value.module === "pm";
}

function refuseWith(checking: Checking, s: WithStatement): void {
  const message = "Cannot check this `with`: wanted a model";
  const hint = "write `with pm.Model() as model:`";
  checking.error("unsupported/statement", message, s.items[0].context, hint);
}

function openModel(
  checking: Checking,
  context: Expression & { kind: "call" },
  s: WithStatement,
  target: Expression | undefined,
): boolean {
  if (checking.modelPlace) {
    const line = checking.source.lineOf(checking.modelPlace.start);
    const message = `Cannot open a second model: line ${line} has opened one`;
    checking.error("lh/second-model", message, context, "write all variables into one model");
    return false;
  }
  checking.modelPlace = { start: s.start, end: context.end };
  if (context.arguments.length > 0) refuseModelArguments(checking, context);
  if (target) assign(checking, target, { kind: "model" });
  return true;
}

function refuseModelArguments(checking: Checking, context: Expression & { kind: "call" }): void {
  const [first] = context.arguments;
  const name = first.keyword?.id ?? "an argument";
  const message = `Cannot use ${name} of pm.Model: not in the subset`;
  checking.error("unsupported/argument", message, first, "write pm.Model()");
}

/** `def gen_model(observed_data):`, whose argument is the data; it is called once, at the end. */
export function checkFunction(checking: Checking, s: FunctionDefinition): void {
  const { name, parameters } = s;
  const hint = "write `def gen_model(observed_data):` at the beginning of a line";
  const [only] = parameters;
  if (name.id !== "gen_model") {
    const message = `Cannot check the function ${name.id}: only gen_model is called`;
    refuseFunction(checking, "unsupported/statement", message, name, hint);
  } else if (parameters.length !== 1 || only.form !== "plain" || only.default) {
    const message = "Cannot check gen_model: wanted one argument, the data";
    refuseFunction(checking, "names/arguments", message, s, hint);
  } else if (checking.inModel || checking.inFunction || checking.scope.has(name.id)) {
    const message = "Cannot check gen_model: wanted one function, outside of any block";
    refuseFunction(checking, "unsupported/statement", message, s, hint);
  } else {
    checking.scope.set(name.id, ignored);
    checking.modelFunction = s;
  }
}

/** Checks the body of `gen_model` with the names that the whole program has bound. */
export function checkModelFunction(checking: Checking, s: FunctionDefinition): void {
  for (const name of localNames(s.body)) {
    if (checking.scope.get(name)?.kind !== "module") checking.scope.delete(name);
  }
  checking.scope.set(s.parameters[0].name.id, { kind: "data" });
  checking.inFunction = true;
  checkStatements(checking, s.body);
}

/** Names that are assigned somewhere in a body: local to it from the first line on. */
function localNames(body: readonly Statement[]): string[] {
  return body.flatMap((s) => {
    if (s.kind === "with") return localNames(s.body);
    if (s.kind !== "assign") return [];
    return s.targets.flatMap((target) => (target.kind === "name" ? [target.id] : []));
  });
}

/** The model inside is not looked at, and not missed. */
function refuseFunction(
  checking: Checking,
  code: string,
  message: string,
  place: Place,
  hint: string,
): void {
  checking.excused = true;
  checking.error(code, message, place, hint);
}
