/** Python's names: modules and functions have scopes, blocks have none. */
import type { Expression, Statement } from "../syntax/tree.ts";

/** Names of one function, or of the whole program, with values; unknown ones are looked up outside. */
export class Scope<Value> {
  readonly #names = new Map<string, Value>();

  /**
   * @param outer where the function was defined.
   * @param locals names that the function assigns anywhere: never looked up outside.
   */
  constructor(
    readonly outer?: Scope<Value>,
    private readonly locals: ReadonlySet<string> = new Set(),
  ) {}

  /** Value of a name here. */
  get(name: string): Value | undefined {
    const known = this.#names.get(name);
    if (known || this.locals.has(name)) return known;
    return this.outer?.get(name);
  }

  /** Whether this scope, not an outer one, has bound a name. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Binds a name here. */
  set(name: string, value: Value): void {
    this.#names.set(name, value);
  }

  /** Unbinds a name here. */
  delete(name: string): void {
    this.#names.delete(name);
  }

  /** All names that can be seen from here. */
  names(): string[] {
    return [...new Set([...this.#names.keys(), ...this.outer?.names() ?? []])];
  }
}

/** Names that are assigned somewhere in a body: local to it from the first line on. */
export function assignedNames(body: readonly Statement[]): Set<string> {
  const names = new Set<string>();
  for (const statement of body) collect(statement, names);
  return names;
}

function collect(s: Statement, names: Set<string>): void {
  switch (s.kind) {
    case "assign":
      for (const target of s.targets) collectTarget(target, names);
      return;
    case "import":
      for (const { name } of s.imports) names.add(name);
      return;
    case "def":
      names.add(s.name.id);
      return;
    case "with":
      for (const { target } of s.items) if (target) collectTarget(target, names);
      for (const inner of s.body) collect(inner, names);
      return;
    default:
      if (!("bodies" in s)) return;
      if (s.kind === "for") collectTarget(s.expressions[0], names);
      for (const inner of s.bodies.flat()) collect(inner, names);
  }
}

function collectTarget(e: Expression, names: Set<string>): void {
  if (e.kind === "name") names.add(e.id);
  else if (e.kind === "tuple" || e.kind === "list") {
    for (const item of e.items) collectTarget(item, names);
  } else if (e.kind === "starred") collectTarget(e.value, names);
}
