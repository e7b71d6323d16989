/** Checks a grammar as a whole: names, texts, trees, and reachable productions. */
import { checkMeaning } from "./check_meaning.ts";
import { checkNested } from "./check_nested.ts";
import { checkReach } from "./check_reach.ts";
import { checkTexts } from "./check_texts.ts";
import { halvingNames } from "./compile.ts";
import { Findings, knownNames } from "./findings.ts";
import type { GrammarPath, Places } from "./places.ts";
import { exitName, type GrammarSpec, type ProductionSpec } from "./spec.ts";

/**
 * Refuses a grammar that cannot be an environment.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkGrammar } from "./check.ts";
 * const empty = { format: 1, name: "none", template: "y = {slope}", exit: 1, holes: [], clauses: [] } as const;
 * assert.throws(() => checkGrammar(empty, () => undefined), /slope/);
 * ```
 *
 * @throws InputError with every finding of the first of four rounds that has one: names; texts;
 * holes that are filled by trees; productions that derivations can reach.
 */
export function checkGrammar(spec: GrammarSpec, places: Places): void {
  const names = new Findings();
  checkProductionNames(spec, places, names);
  checkConditions(spec, places, names);
  checkClauses(spec, places, names);
  checkMeaning(spec, places, names);
  names.throwIfAny();
  const texts = new Findings();
  checkTexts(spec, places, texts);
  texts.throwIfAny();
  const nested = new Findings();
  checkNested(spec, places, nested);
  nested.throwIfAny();
  const reached = new Findings();
  checkReach(spec, places, reached);
  reached.throwIfAny();
}

type Visit = (production: ProductionSpec, path: GrammarPath) => void;

function eachProduction(spec: GrammarSpec, visit: Visit): void {
  for (const hole of spec.holes) {
    hole.productions.forEach((production, i) => {
      visit(production, ["holes", hole.name, "productions", i]);
    });
  }
}

function checkProductionNames(spec: GrammarSpec, places: Places, findings: Findings): void {
  const seen = new Set<string>();
  eachProduction(spec, ({ name }, path) => {
    const span = places([...path, "name"], "value");
    if (name === exitName) {
      const message = `Cannot read production "${name}": the exit action has this name`;
      findings.add("name", message, span, "give the production another name");
    } else if (seen.has(name)) {
      const message = `Cannot read production "${name}": another production has the same name`;
      findings.add("duplicate-production", message, span, "names are unique in the whole grammar");
    }
    seen.add(name);
  });
  for (const hole of spec.holes) {
    const same = halvingNames(hole).find((name) => seen.has(name));
    if (same === undefined) continue;
    const message =
      `Cannot read hole "${hole.name}": a production has the name "${same}", as one ` +
      "of its choices";
    const span = places(["holes", hole.name], "key");
    findings.add("duplicate-production", message, span, "give the production another name");
  }
}

function checkConditions(spec: GrammarSpec, places: Places, findings: Findings): void {
  const known = spec.holes.flatMap((hole) => hole.productions.map(({ name }) => name));
  eachProduction(spec, (production, path) => {
    const { requires, requiresAny, excludes } = production;
    for (const [key, names] of Object.entries({ requires, requires_any: requiresAny, excludes })) {
      names.forEach((name, i) => {
        if (known.includes(name)) return;
        const message = `Cannot read production "${production.name}": ${key} names "${name}", ` +
          "which is not a production";
        const span = places([...path, key, i], "value");
        findings.add("unknown-production", message, span, knownNames("productions", name, known));
      });
    }
  });
}

function checkClauses(spec: GrammarSpec, places: Places, findings: Findings): void {
  const known = spec.holes.map(({ name }) => name);
  spec.clauses.forEach(({ hole }, i) => {
    const span = places(["clauses", i, "hole"], "value");
    if (!known.includes(hole)) {
      const message = `Cannot read clause "${hole}": there is no such hole`;
      findings.add("undeclared-hole", message, span, knownNames("holes", hole, known));
    } else if (spec.clauses.findIndex((clause) => clause.hole === hole) !== i) {
      const message = `Cannot read clause "${hole}": another clause has the same hole`;
      findings.add("clause-twice", message, span, "give each clause a hole of its own");
    }
  });
}
