/** Checks a grammar as a whole: names, texts, cycles, and what derivations can reach. */
import { checkMeaning } from "./check_meaning.ts";
import { checkReach } from "./check_reach.ts";
import { checkTexts } from "./check_texts.ts";
import { Findings, knownNames } from "./findings.ts";
import type { GrammarPath, Places } from "./places.ts";
import { exitName, type GrammarSpec, type ProductionSpec } from "./spec.ts";
import { holesOf, parseTemplate } from "./template.ts";

/**
 * Refuses a grammar that cannot be an environment.
 *
 * @throws InputError with every finding of the first of three rounds that has one: names; texts
 * and cycles; what derivations can reach.
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
  checkCycles(spec, places, texts);
  texts.throwIfAny();
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

/** A hole whose productions lead back to it would make derivations endless. */
function checkCycles(spec: GrammarSpec, places: Places, findings: Findings): void {
  const next = new Map(spec.holes.map((hole) => [
    hole.name,
    hole.productions.flatMap(({ text }) => holesOf(parseTemplate(text)).map((piece) => piece.hole)),
  ]));
  const done = new Set<string>();
  const visit = (hole: string, path: readonly string[]): void => {
    if (path.includes(hole)) {
      const cycle = [...path.slice(path.indexOf(hole)), hole].join(" -> ");
      const message = `Cannot use hole "${hole}": its productions lead back to it (${cycle})`;
      const hint = "a grammar must be finite: write the repetition out";
      findings.add("cycle", message, places(["holes", hole], "key"), hint);
    } else if (!done.has(hole)) {
      for (const inner of next.get(hole) ?? []) visit(inner, [...path, hole]);
      done.add(hole);
    }
  };
  for (const { name } of spec.holes) visit(name, []);
}
