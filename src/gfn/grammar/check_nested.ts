/** Checks holes that are filled by trees of their own: bounds, normal forms, and total mass. */
import { type CompiledGrammar, compileGrammar } from "./compile.ts";
import type { Findings } from "./findings.ts";
import { type Circle, circlesOf } from "./nested/branching.ts";
import { type NestedHole, nestedHoles } from "./nested/nested_holes.ts";
import { pathOfSource, type Places } from "./places.ts";
import type { GrammarSpec, ProductionSpec } from "./spec.ts";
import { checkBrackets } from "./check_brackets.ts";
import { checkNormalForm } from "./check_normal_form.ts";

/** Reports faults of the nested holes of a grammar whose names and texts are right. */
export function checkNested(spec: GrammarSpec, places: Places, findings: Findings): void {
  const grammar = compileGrammar(spec);
  const nested = nestedHoles(grammar);
  const check = new NestedCheck(spec, grammar, nested, places, findings);
  check.conditions();
  check.clauses();
  check.normalForms();
  if (findings.list.length === 0 && spec.depth === undefined) check.mass();
}

class NestedCheck {
  constructor(
    readonly spec: GrammarSpec,
    readonly grammar: CompiledGrammar,
    readonly nested: readonly NestedHole[],
    readonly places: Places,
    readonly findings: Findings,
  ) {}

  /** Refuses conditions within nested holes, and conditions on their productions. */
  conditions(): void {
    const { actions, remembered } = this.grammar;
    actions.forEach(({ name, hole, requires, requiresAny, excludes, text }, action) => {
      if (!this.nested[hole].isNested) return;
      const has = requires.length + requiresAny.length + excludes.length > 0;
      if (!has && remembered[action] === 0) return;
      const where = `production "${name}": hole "${this.#nameOf(hole)}" ${this.#why(hole)}, and ` +
        (has ? "it has a condition" : "a condition names it");
      const span = this.places([...pathOfSource(text.source).slice(0, -1), "name"], "value");
      const hint = "let conditions name, and stand at, productions of other holes";
      this.findings.add("nested-condition", `Cannot use ${where}`, span, hint);
    });
  }

  /** A clause is taken once, after everything else: neither it nor its hole is within a tree. */
  clauses(): void {
    this.spec.clauses.forEach(({ hole }, i) => {
      const number = this.grammar.holes.findIndex(({ name }) => name === hole);
      if (!this.nested[number].isNested) return;
      const message = `Cannot use clause "${hole}": its hole ${this.#why(number)}`;
      const hint = "give the clause a hole with a production that has this one";
      this.findings.add(
        "nested-clause",
        message,
        this.places(["clauses", i, "hole"], "value"),
        hint,
      );
    });
    this.grammar.actions.forEach(({ name, hole, text }) => {
      const clause = text.holes.find((inner) => this.grammar.holes[inner].clause >= 0);
      if (clause === undefined || !this.nested[hole].isNested) return;
      const message = `Cannot use production "${name}": hole "${this.#nameOf(hole)}" ` +
        `${this.#why(hole)}, and its text has the clause "${this.#nameOf(clause)}"`;
      const span = this.places(pathOfSource(text.source), "value");
      this.findings.add("nested-clause", message, span, "let the clause's hole stand outside");
    });
  }

  normalForms(): void {
    this.spec.holes.forEach((hole) => {
      hole.productions.forEach((production: ProductionSpec, i) => {
        const path = ["holes", hole.name, "productions", i];
        checkNormalForm(hole, production, path, this.places, this.findings);
        checkBrackets(this.spec, hole, production, path, this.places, this.findings);
      });
    });
  }

  /** Derivations end with probability 1, and are of finite length on average. */
  mass(): void {
    for (const circle of circlesOf(this.grammar, this.nested)) {
      if (circle.growth >= 1 - 1e-9) this.#infinite(circle);
    }
  }

  #infinite({ holes, leadingBack, growth, bearable }: Circle): void {
    const weights = leadingBack.map((action) => this.grammar.actions[action]);
    const written = weights.map(({ name, weight }) => `${name} = ${weight}`).join(", ");
    const name = this.#nameOf(holes[0]);
    const average = growth === Infinity ? "ever more" : growth.toFixed(growth < 1.005 ? 4 : 2);
    const message = `Cannot use hole "${name}": it leaves ${average} holes like it to be filled ` +
      `on average, so derivations need not end and their mass is infinite; wanted below 1 ` +
      `(weights that lead back: ${written})`;
    const mended = weights.map((one) => `${one.name} = ${rounded(one.weight * bearable * 0.9)}`);
    const hint = bearable > 0
      ? `multiply these weights by less than ${rounded(bearable)}, as in ${mended.join(", ")}; ` +
        "or write depth = 3 at the top of the file"
      : "give it a production that does not lead back";
    this.findings.add("infinite-mass", message, this.places(["holes", name], "key"), hint);
  }

  #why(hole: number): string {
    const { isRecursive } = this.nested[hole];
    if (isRecursive) return "leads back to itself";
    if (this.grammar.holes[hole].number) return "is a number within bounds";
    const { actions } = this.grammar.holes[hole];
    const isNormal = actions.some((action) => this.grammar.actions[action].normal);
    return isNormal ? "has a normal form" : "may stand within itself or within a normal form";
  }

  #nameOf(hole: number): string {
    return this.grammar.holes[hole].name;
  }
}

/** Two digits, never more than the number. */
function rounded(value: number): number {
  const digits = Number(value.toPrecision(2));
  return digits <= value ? digits : Number((value * 0.99).toPrecision(2));
}
