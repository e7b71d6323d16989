/** Refuses trees that CPython's parser accepts and its compiler does not. */
import { SyntaxFailure } from "./source.ts";
import {
  type Argument,
  children,
  type CompoundStatement,
  type Expression,
  type FunctionDefinition,
  type FunctionParameter,
  type Statement,
} from "./tree.ts";
import type { Place } from "./source.ts";

interface Surroundings {
  readonly inFunction: boolean;
  readonly inLoop: boolean;
}

/** Throws the first failure that CPython 3.11 would report after parsing. */
export function checkTree(statements: readonly Statement[]): void {
  checkStatements(statements, { inFunction: false, inLoop: false });
}

function fail(code: string, message: string, place: Place, hint?: string): never {
  throw new SyntaxFailure(`syntax/${code}`, `Cannot parse: ${message}`, place, hint);
}

function checkStatements(statements: readonly Statement[], around: Surroundings): void {
  for (const statement of statements) checkStatement(statement, around);
}

function checkStatement(s: Statement, around: Surroundings): void {
  switch (s.kind) {
    case "return":
      if (!around.inFunction) fail("invalid", "'return' outside function", s);
      return checkValue(s.value);
    case "break":
      if (!around.inLoop) fail("invalid", "'break' outside loop", s);
      return;
    case "continue":
      if (!around.inLoop) fail("invalid", "'continue' not properly in loop", s);
      return;
    case "assign":
      s.targets.forEach(checkTarget);
      return checkValue(s.value);
    case "expression":
      return checkValue(s.value);
    case "with":
      for (const { context, target } of s.items) {
        checkExpression(context);
        if (target) checkStars(target);
      }
      return checkStatements(s.body, around);
    case "def":
      return checkFunction(s);
    default:
      if ("bodies" in s) checkCompound(s, around);
  }
}

/** `*a` may stand in a list or tuple, not alone. */
function checkValue(e: Expression | undefined): void {
  if (!e) return;
  if (e.kind === "starred") fail("invalid", "can't use starred expression here", e);
  checkExpression(e);
}

function checkTarget(e: Expression): void {
  if (e.kind === "starred") {
    fail("assign-target", "starred assignment target must be in a list or tuple", e);
  }
  checkStars(e);
  checkExpression(e);
}

/** One `*name` at most in each list of targets. */
function checkStars(e: Expression): void {
  if (e.kind !== "tuple" && e.kind !== "list") return;
  const starred = e.items.filter(({ kind }) => kind === "starred");
  if (starred.length > 1) fail("invalid", "multiple starred expressions in assignment", e);
  e.items.forEach((item) => checkStars(item.kind === "starred" ? item.value : item));
}

function checkFunction({ parameters, body }: FunctionDefinition): void {
  checkParameters(parameters);
  for (const { default: value } of parameters) if (value) checkExpression(value);
  checkStatements(body, { inFunction: true, inLoop: false });
}

function checkParameters(parameters: readonly FunctionParameter[]): void {
  const seen = new Set<string>();
  for (const { name } of parameters) {
    if (seen.has(name.id)) {
      fail("invalid", `duplicate argument '${name.id}' in function definition`, name);
    }
    seen.add(name.id);
  }
}

function checkCompound(s: CompoundStatement, around: Surroundings): void {
  if (s.kind === "for") checkStars(s.expressions[0]);
  s.expressions.forEach(checkExpression);
  const inLoop = around.inLoop || s.kind === "for" || s.kind === "while";
  const inside = s.kind === "class" ? { inFunction: false, inLoop: false } : { ...around, inLoop };
  s.bodies.forEach((body, i) => checkStatements(body, i > 0 && s.kind !== "if" ? around : inside));
}

function checkExpression(root: Expression): void {
  const pending: Expression[] = [root];
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "call") checkKeywords(e.arguments);
    if (e.kind === "lambda") checkParameters(e.parameters);
    if (e.kind === "comprehension") e.clauses.forEach(({ target }) => checkStars(target));
    pending.push(...[...children(e)].reverse());
  }
}

function checkKeywords(given: readonly Argument[]): void {
  const seen = new Set<string>();
  for (const { keyword, start, end } of given) {
    if (!keyword) continue;
    if (seen.has(keyword.id)) {
      const hint = `give ${keyword.id} once`;
      fail("repeated-keyword", `keyword argument repeated: ${keyword.id}`, { start, end }, hint);
    }
    seen.add(keyword.id);
  }
}
