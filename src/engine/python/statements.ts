/** Statements in the order in which Python runs them; others are refused by name. */
import { itemsOf } from "./comprehensions.ts";
import { shapeOf } from "./arrays.ts";
import { fillPart } from "./assigned_parts.ts";
import type { Checking } from "./checking.ts";
import { addColumn } from "./columns.ts";
import { closeFilling, evaluate, keyOf } from "./evaluate.ts";
import { checkImport } from "./import_statement.ts";
import { checkFunction, checkModelFunction, checkWith } from "./model.ts";
import { applyOperator, truthOf } from "./operators.ts";
import { mentionsResponse } from "./response_use.ts";
import type { Place } from "../syntax/source.ts";
import type {
  AssignStatement,
  CompoundStatement,
  Expression,
  ReturnStatement,
  SimpleStatement,
  Statement,
  Subscript,
} from "../syntax/tree.ts";
import { describeValue, invalid, none, touchesResponse, type Value } from "./values.ts";

/** Why a body ended before its last statement. */
export type End =
  | { readonly kind: "return"; readonly value: Value }
  | { readonly kind: "break" | "continue" };

const hints: Readonly<Record<string, string>> = {
  while: "write `for i in range(n):`",
  class: "write the model in `with pm.Model() as model:`",
};

/** Checks a whole program; `gen_model` is called when all of it has been read. */
export function checkModule(checking: Checking, statements: readonly Statement[]): void {
  runBody(checking, statements);
  if (checking.modelFunction) checkModelFunction(checking, checking.modelFunction);
}

/** Checks statements in order, up to what ends the body. */
export function runBody(checking: Checking, statements: readonly Statement[]): End | undefined {
  for (const [i, statement] of statements.entries()) {
    checking.step(statement);
    const end = runStatement(checking, statement);
    if (!end) continue;
    const next = statements[i + 1];
    if (next && statement.kind === "return") {
      const message = "This is never reached: it stands after a return";
      checking.findings.warning("names/unreachable", message, next, "leave it out");
    }
    return end;
  }
  return undefined;
}

function runStatement(checking: Checking, s: Statement): End | undefined {
  switch (s.kind) {
    case "with":
      return checkWith(checking, s);
    case "return":
      return { kind: "return", value: returnValue(checking, s) };
    case "import":
      return void checkImport(checking, s);
    case "assign":
      return void checkAssignment(checking, s);
    case "expression":
      return void evaluateStatement(checking, s.value);
    case "def":
      return void checkFunction(checking, s);
    case "for":
      return runFor(checking, s);
    case "if":
      return runIf(checking, s);
    case "break":
    case "continue":
      return { kind: s.kind };
    case "pass":
      return undefined;
    default:
      return void refuseStatement(checking, s);
  }
}

/** Unrolls a loop within the budget of steps. */
function runFor(checking: Checking, s: CompoundStatement): End | undefined {
  const [target, over] = s.expressions;
  const [body, otherwise = []] = s.bodies;
  const value = evaluate(checking, over);
  const items = itemsOf(checking, value, over);
  if (!items) return void skip(checking, s);
  for (const item of items) {
    checking.step(s);
    closeFilling(item);
    assign(checking, target, item);
    const end = runBody(checking, body);
    if (end?.kind === "return") return end;
    if (end?.kind === "break") return undefined;
  }
  return runBody(checking, otherwise);
}

function runIf(checking: Checking, s: CompoundStatement): End | undefined {
  const [test] = s.expressions;
  const [body, otherwise = []] = s.bodies;
  const value = evaluate(checking, test);
  if (touchesResponse(value)) {
    checking.refuseResponse(value, test);
    return void skip(checking, s);
  }
  const truth = truthOf(checking, value, test);
  if (truth === undefined) return void skip(checking, s);
  return runBody(checking, truth ? body : otherwise);
}

/** Refuses a statement by name. */
function refuseStatement(checking: Checking, s: SimpleStatement | CompoundStatement): void {
  const message = `Cannot check \`${s.kind}\`: not in the subset`;
  checking.error("unsupported/statement", message, s, hints[s.kind]);
  if ("bodies" in s) skip(checking, s);
}

/** What blocks that are not run would have assigned is not missed again. */
function skip(checking: Checking, s: CompoundStatement): void {
  const pending: Statement[] = s.bodies.flat();
  for (let inner = pending.pop(); inner; inner = pending.pop()) {
    checking.excused ||= checking.source.slice(inner).includes("observed");
    if ("bodies" in inner) pending.push(...inner.bodies.flat());
    if ("body" in inner) pending.push(...inner.body);
    if (inner.kind !== "assign") continue;
    for (const target of inner.targets) {
      if (target.kind === "name" && !checking.scope.has(target.id)) {
        checking.scope.set(target.id, invalid);
      }
    }
  }
}

/** Strings may stand alone, as documentation. */
function evaluateStatement(checking: Checking, e: Expression): Value {
  const value = evaluate(checking, e);
  if (value.kind === "derived" && !value.reported) checking.refuseResponse(value, e);
  return value;
}

function returnValue(checking: Checking, { value }: ReturnStatement): Value {
  return value ? evaluate(checking, value) : none;
}

function checkAssignment(checking: Checking, s: AssignStatement): void {
  if (s.form === "augmented") return augment(checking, s);
  if (!s.value) return;
  const value = evaluate(checking, s.value);
  if (!makesArray(checking, s)) closeFilling(value);
  for (const target of s.targets) assign(checking, target, value);
}

/** `name = np.zeros(…)`: nobody else holds the array. */
function makesArray(checking: Checking, { targets, value }: AssignStatement): boolean {
  if (targets.length !== 1 || targets[0].kind !== "name" || value?.kind !== "call") return false;
  const { callee } = value;
  if (callee.kind === "name") return checking.scope.get(callee.id)?.kind === "builtin";
  if (callee.kind !== "attribute" || callee.object.kind !== "name") return false;
  return checking.scope.get(callee.object.id)?.kind === "module";
}

/** `a += b`, as `a = a + b`; lists grow in place, as in Python. */
function augment(checking: Checking, s: AssignStatement): void {
  const [target] = s.targets;
  if (!s.value || !s.op) return;
  const [before, value] = [evaluate(checking, target), evaluate(checking, s.value)];
  if (
    s.op === "+" && before.kind === "sequence" && before.form === "list" &&
    value.kind === "sequence"
  ) {
    before.items.push(...value.items);
    return;
  }
  const place = { left: target, right: s.value, start: s.start, end: s.end };
  assign(checking, target, applyOperator(checking, s.op, before, value, place));
}

/** Binds names, unless they are taken; lists and tuples are unpacked. */
export function assign(checking: Checking, target: Expression, value: Value): void {
  switch (target.kind) {
    case "name":
      return bindName(checking, target.id, value, target);
    case "tuple":
    case "list":
      return unpack(checking, target.items, value, target);
    case "subscript":
      return assignItem(checking, target, value);
    default: {
      const message = `Cannot assign to ${checking.text(target)}: wanted a name`;
      checking.error("unsupported/statement", message, target, "assign to a name");
    }
  }
}

function bindName(checking: Checking, id: string, value: Value, place: Place): void {
  const before = checking.scope.get(id);
  const taken = id === "gen_model" ||
    (before?.kind === "data" && value.kind !== "data" && value.kind !== "invalid") ||
    (before?.kind === "model" && value.kind !== "model" && value.kind !== "ignored") ||
    (before?.kind === "module" && value.kind !== "module");
  if (taken) refuseRebinding(checking, id, place);
  else if (before?.kind !== "model" || value.kind === "model") checking.scope.set(id, value);
}

/** Reports that a name stands for something that must not change. */
export function refuseRebinding(checking: Checking, name: string, place: Place): void {
  const message = `Cannot assign to ${name}: the name is taken`;
  checking.error("names/rebound", message, place, "choose another name");
}

function unpack(
  checking: Checking,
  targets: readonly Expression[],
  value: Value,
  place: Expression,
): void {
  if (value.kind === "invalid" || value.kind === "ignored") {
    for (const target of targets) assign(checking, target, value);
    return;
  }
  if (touchesResponse(value)) {
    const derived = checking.derive(place, value);
    for (const target of targets) assign(checking, target, derived);
    return;
  }
  if (
    value.kind !== "sequence" && (value.kind !== "numeric" || shapeOf(checking, value).length === 0)
  ) {
    const message = `Cannot unpack ${describeValue(value)} into ${targets.length} names`;
    checking.error("names/unpacking", message, place);
    for (const target of targets) assign(checking, target, invalid);
    return;
  }
  const items = itemsOf(checking, value, place);
  const starred = targets.findIndex(({ kind }) => kind === "starred");
  const fits = items &&
    (starred < 0 ? items.length === targets.length : items.length >= targets.length - 1);
  if (!items || !fits) {
    if (items) {
      const message = `Cannot unpack ${describeValue(value)} of ${items.length} into ` +
        `${targets.length} names`;
      checking.error("names/unpacking", message, place);
    }
    for (const target of targets) assign(checking, target, invalid);
    return;
  }
  items.forEach(closeFilling);
  const extra = items.length - targets.length;
  let at = 0;
  for (const [i, target] of targets.entries()) {
    if (i === starred && target.kind === "starred") {
      const rest = items.slice(at, at + extra + 1);
      assign(checking, target.value, { kind: "sequence", form: "list", items: rest });
      at += extra + 1;
    } else assign(checking, target, items[at++]);
  }
}

/** `list[i] = value`, `dictionary[key] = value`; arrays and data do not change. */
function assignItem(checking: Checking, target: Subscript, value: Value): void {
  if (fillPart(checking, target, value)) return;
  const object = evaluate(checking, target.object);
  const index = evaluate(checking, target.index);
  const key = keyOf(checking, index);
  if (object.kind === "invalid" || object.kind === "ignored" || index.kind === "invalid") return;
  if (object.kind === "dictionary" && key !== undefined) {
    object.entries.set(key, value);
    return;
  }
  if (object.kind === "sequence" && object.form === "list" && typeof key === "number") {
    const at = key < 0 ? key + object.items.length : key;
    if (at in object.items) {
      object.items[at] = value;
      return;
    }
  }
  if (object.kind === "data" && typeof key === "string" && addColumn(checking, key, value)) return;
  const protectedValue = object.kind === "data" || touchesResponse(object);
  if (protectedValue || mentionsResponse(checking, target)) {
    const message = `Cannot assign to ${checking.text(target)}: the data belong to the host`;
    checking.error("lh/changed-data", message, target, "give the new values a name of their own");
    return;
  }
  const what = object.kind === "numeric" ? "arrays do" : `${describeValue(object)} does`;
  const message = `Cannot assign to ${checking.text(target)}: ${what} not change`;
  const hint = object.kind === "sequence"
    ? "write a list"
    : "fill an array of np.zeros before anything reads it, build it from a list, or write " +
      "np.where or pm.math.switch";
  checking.error("unsupported/statement", message, target, hint);
}
