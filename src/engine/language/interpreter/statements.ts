/** Statements in the order in which Python runs them; others are refused by name. */
import { assign } from "./assignment.ts";
import type { Checking } from "./checking.ts";
import { itemsOf } from "./items.ts";
import { checkImport } from "./import_statement.ts";
import { applyOperator, truthOf } from "./operators.ts";
import type {
  AssignStatement,
  CompoundStatement,
  Expression,
  ReturnStatement,
  SimpleStatement,
  Statement,
} from "../syntax/tree.ts";
import { closeFilling, type End, invalid, none, touchesResponse, type Value } from "./values.ts";

const hints: Readonly<Record<string, string>> = {
  while: "write `for i in range(n):`",
  class: "write the model in `with pm.Model() as model:`",
};

/** Checks statements in order, up to what ends the body. */
export function runBody(checking: Checking, statements: readonly Statement[]): End | undefined {
  for (const [i, statement] of statements.entries()) {
    checking.step(statement);
    checking.begin(statement);
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
      return checking.enter(s);
    case "return":
      return { kind: "return", value: returnValue(checking, s) };
    case "import":
      return void checkImport(checking, s);
    case "assign":
      return void checkAssignment(checking, s);
    case "expression":
      return void evaluateStatement(checking, s.value);
    case "def":
      return void checking.define(s);
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
  const value = checking.evaluate(over);
  const items = itemsOf(checking, value, over);
  if (!items) return void skip(checking, s);
  for (const item of items) {
    checking.step(s);
    closeFilling(item);
    assign(checking, target, item);
    const end = checking.run(body);
    if (end?.kind === "return") return end;
    if (end?.kind === "break") return undefined;
  }
  return checking.run(otherwise);
}

function runIf(checking: Checking, s: CompoundStatement): End | undefined {
  const [test] = s.expressions;
  const [body, otherwise = []] = s.bodies;
  const value = checking.evaluate(test);
  if (touchesResponse(value)) {
    checking.refuseResponse(value, test);
    return void skip(checking, s);
  }
  const truth = truthOf(checking, value, test);
  if (truth === undefined) return void skip(checking, s);
  return checking.run(truth ? body : otherwise);
}

/** Refuses a statement by name. */
function refuseStatement(checking: Checking, s: SimpleStatement | CompoundStatement): void {
  const message = `Cannot check \`${s.kind}\`: not in the subset`;
  checking.error("unsupported/statement", message, s, hints[s.kind]);
  if ("bodies" in s) skip(checking, s);
  const [, name] = /^class\s+(\w+)/.exec(checking.source.slice(s)) ?? [];
  if (name && !checking.scope.get(name)) checking.scope.set(name, invalid);
}

/** Marks names that skipped blocks would have assigned, so that they are not reported again. */
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

/** Summaries that a notebook shows and nothing keeps: a call of one as a statement of its own. */
const looking = new Set(
  ("mean std var min max sum median quantile describe value_counts unique nunique count head tail " +
    "hist plot agg aggregate corr round").split(" "),
);

function onlyLooks(e: Expression): boolean {
  return e.kind === "call" && e.callee.kind === "attribute" && looking.has(e.callee.name.id);
}

/** Strings may stand alone, as documentation. */
function evaluateStatement(checking: Checking, e: Expression): Value {
  const value = checking.evaluate(e);
  if (value.kind !== "derived" || value.reported) return value;
  if (onlyLooks(e)) value.isShown = true;
  else checking.refuseResponse(value, e);
  return value;
}

function returnValue(checking: Checking, { value }: ReturnStatement): Value {
  return value ? checking.evaluate(value) : none;
}

function checkAssignment(checking: Checking, s: AssignStatement): void {
  if (s.form === "augmented") return augment(checking, s);
  if (!s.value) return;
  const value = checking.evaluate(s.value);
  if (!makesArray(checking, s)) closeFilling(value);
  for (const target of s.targets) assign(checking, target, value);
}

/** `name = np.zeros(…)`: no other name holds the array. */
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
  const [before, value] = [checking.evaluate(target), checking.evaluate(s.value)];
  if (
    s.op === "+" && before.kind === "sequence" && before.form === "list" &&
    value.kind === "sequence"
  ) {
    checking.collect(value.items.length, s);
    for (const item of [...value.items]) before.items.push(item);
    return;
  }
  const place = { left: target, right: s.value, start: s.start, end: s.end };
  assign(checking, target, applyOperator(checking, s.op, before, value, place));
}
