/** Checks statements in the order in which Python runs them; others are refused by name. */
import { evaluate } from "./check_expression.ts";
import { checkImport } from "./check_import.ts";
import { checkFunction, checkModelFunction, checkWith } from "./check_model.ts";
import type { Checking } from "./checking.ts";
import type {
  AssignStatement,
  CompoundStatement,
  Expression,
  ReturnStatement,
  SimpleStatement,
  Statement,
} from "./tree.ts";
import type { Place } from "./source.ts";
import { invalid, type Value } from "./values.ts";

const reserved = new Set(["pm", "np", "data", "gen_model", "abs", "len"]);
const compoundHints: Readonly<Record<string, string>> = {
  if: "write the statements that apply",
  for: "write the statements one by one",
  while: "write the statements one by one",
  class: "write the model in `with pm.Model() as model:`",
  break: "leave it out",
  continue: "leave it out",
};

/** Checks a whole program; `gen_model` is called when all of it has been read. */
export function checkModule(checking: Checking, statements: readonly Statement[]): void {
  checkStatements(checking, statements);
  if (checking.modelFunction) checkModelFunction(checking, checking.modelFunction);
}

/** Checks statements in order, up to a `return`; true if there was one. */
export function checkStatements(checking: Checking, statements: readonly Statement[]): boolean {
  for (const [i, statement] of statements.entries()) {
    if (!checkStatement(checking, statement)) continue;
    const next = statements[i + 1];
    if (next) {
      const message = "This is never reached: it stands after a return";
      checking.findings.warning("names/unreachable", message, next, "leave it out");
    }
    return true;
  }
  return false;
}

/** Checks one statement; true if it returns. */
function checkStatement(checking: Checking, s: Statement): boolean {
  switch (s.kind) {
    case "with":
      return checkWith(checking, s);
    case "return":
      checkReturn(checking, s);
      return true;
    case "import":
      checkImport(checking, s);
      break;
    case "assign":
      checkAssignment(checking, s);
      break;
    case "expression":
      evaluateStatement(checking, s.value);
      break;
    case "def":
      checkFunction(checking, s);
      break;
    case "pass":
      break;
    default:
      refuseStatement(checking, s);
  }
  return false;
}

/** Refuses a statement by name; what its blocks would have assigned is not missed again. */
function refuseStatement(checking: Checking, s: SimpleStatement | CompoundStatement): void {
  const message = `Cannot check \`${s.kind}\`: not in the subset`;
  checking.error("unsupported/statement", message, s, compoundHints[s.kind]);
  if (!("bodies" in s)) return;
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

function checkAssignment(checking: Checking, s: AssignStatement): void {
  if (s.form !== "plain" || !s.value) return refuseAssignment(checking, s);
  const value = evaluate(checking, s.value);
  for (const target of s.targets) assign(checking, target, value);
}

function refuseAssignment(checking: Checking, s: AssignStatement): void {
  const text = checking.source.slice(s.targets[0]);
  const what = s.form === "augmented" ? "an augmented assignment" : "an annotation";
  const hint = s.form === "augmented"
    ? `write ${text} = ${text} + ..., with the operator that is meant`
    : `write ${text} = ...`;
  checking.error("unsupported/statement", `Cannot check ${what}: not in the subset`, s, hint);
  if (s.targets[0].kind === "name") checking.scope.set(text, { kind: "invalid" });
}

/** Binds a name, unless it is taken. */
export function assign(checking: Checking, target: Expression, value: Value): void {
  if (target.kind !== "name") {
    const message = `Cannot assign to ${checking.source.slice(target)}: wanted one name`;
    checking.error("unsupported/statement", message, target, "assign to one name at a time");
    return;
  }
  const before = checking.scope.get(target.id);
  const protectedName = reserved.has(target.id) || before?.kind === "data" ||
    before?.kind === "model" || before?.kind === "module";
  if (protectedName) refuseRebinding(checking, target.id, target);
  else checking.scope.set(target.id, value);
}

/** Reports that a name stands for something that must not change. */
export function refuseRebinding(
  checking: Checking,
  name: string,
  place: Place,
): void {
  const message = `Cannot assign to ${name}: the name is taken`;
  checking.error("names/rebound", message, place, "choose another name");
}

/** `return model`: the host has the model already. */
function checkReturn(checking: Checking, { value }: ReturnStatement): void {
  const items = value?.kind === "tuple" ? value.items : value ? [value] : [];
  for (const item of items) evaluateStatement(checking, item);
}
