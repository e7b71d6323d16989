/** Statements of a text that its model can depend on: an example call below it is none. */
import { assignedNames } from "../interpreter/scope.ts";
import {
  children,
  type Expression,
  type FunctionDefinition,
  type Statement,
} from "../syntax/tree.ts";

/**
 * Blocks and functions, and what the names in them stand for, through other names. The host calls `gen_model`
 * with its own data, so that statements which only prepare the program's own call of it are not among them.
 */
export function seenStatements(statements: readonly Statement[]): readonly Statement[] {
  const seen = new Set(statements.filter(holdsModel));
  if (seen.size === 0) return statements;
  const names = new Set<string>();
  for (const one of seen) for (const name of namesIn(one)) names.add(name);
  for (const one of statements) if (one.kind === "def") names.add(one.name.id);
  names.delete("gen_model");
  for (let size = -1; size < seen.size;) {
    size = seen.size;
    for (const one of statements.filter((other) => !seen.has(other) && touches(other, names))) {
      seen.add(one);
      for (const name of namesIn(one)) names.add(name);
      names.delete("gen_model");
    }
  }
  return statements.filter((one) => seen.has(one));
}

function holdsModel(s: Statement): boolean {
  if (s.kind === "with" || s.kind === "def") return true;
  return "bodies" in s && s.bodies.some((body) => body.some(holdsModel));
}

/** Whether a statement gives one of the names a value, or has it do something. */
function touches(s: Statement, names: ReadonlySet<string>): boolean {
  if (s.kind === "expression") return namesIn(s).some((name) => names.has(name));
  if ([...assignedNames([s])].some((name) => names.has(name))) return true;
  const functions = s.kind === "assign" ? s.targets.flatMap(namesOf) : namesIn(s);
  return functions.some((name) => names.has(name));
}

/** Names that a statement mentions; of a function those that are not its own. */
function namesIn(s: Statement): string[] {
  const own = s.kind === "def" ? ownNames(s) : new Set<string>();
  return expressionsIn(s).flatMap(namesOf).filter((name) => !own.has(name));
}

function ownNames({ parameters, body }: FunctionDefinition): Set<string> {
  return new Set([...assignedNames(body), ...parameters.map(({ name }) => name.id)]);
}

function namesOf(root: Expression): string[] {
  const found: string[] = [];
  const pending = [root];
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "name") found.push(e.id);
    for (const child of children(e)) pending.push(child);
  }
  return found;
}

/** All expressions of a statement, those of inner blocks too. */
export function expressionsIn(statement: Statement): Expression[] {
  const found: Expression[] = [];
  const pending: Statement[] = [statement];
  for (let s = pending.pop(); s; s = pending.pop()) {
    if ("value" in s && s.value) found.push(s.value);
    if ("targets" in s) found.push(...s.targets);
    if ("expressions" in s) found.push(...s.expressions);
    if ("items" in s) found.push(...s.items.map(({ context }) => context));
    if ("parameters" in s) found.push(...s.parameters.flatMap((p) => p.default ?? []));
    if ("body" in s) pending.push(...s.body);
    if ("bodies" in s) pending.push(...s.bodies.flat());
  }
  return found;
}
