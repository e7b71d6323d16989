/** Checks questions, answers and classes of a grammar. */
import { type Findings, knownNames } from "./findings.ts";
import type { GrammarPath, Places } from "./places.ts";
import type { GrammarSpec, HoleSpec } from "./spec.ts";

/** Adds a finding for each nuisance that answers and each class that is none. */
export function checkMeaning(spec: GrammarSpec, places: Places, findings: Findings): void {
  for (const hole of spec.holes.filter(({ nuisance }) => nuisance)) {
    checkNuisance(spec, hole, places, findings);
  }
  checkClasses(spec, places, findings);
}

/** A nuisance answers nothing. */
function checkNuisance(
  { clauses }: GrammarSpec,
  hole: HoleSpec,
  places: Places,
  findings: Findings,
): void {
  const hint = "leave nuisance out, or the words";
  const add = (what: string, key: string, path: GrammarPath) => {
    const message = `Cannot read ${what}: it has ${key}, but hole "${hole.name}" is a nuisance`;
    findings.add("nuisance", message, places([...path, key], "value"), hint);
  };
  const path = ["holes", hole.name];
  if (hole.question !== undefined) add(`hole "${hole.name}"`, "question", path);
  hole.productions.forEach(({ name, answer }, i) => {
    if (answer !== undefined) add(`production "${name}"`, "answer", [...path, "productions", i]);
  });
  const i = clauses.findIndex((clause) => clause.hole === hole.name);
  if (clauses[i]?.answer !== undefined) add(`clause "${hole.name}"`, "answer", ["clauses", i]);
}

/** A class has two members or more, and the name of none but its own. */
function checkClasses(spec: GrammarSpec, places: Places, findings: Findings): void {
  const productions = spec.holes.flatMap(({ name: hole, productions }) =>
    productions.map((one, i) => ({ ...one, path: ["holes", hole, "productions", i, "class"] }))
  );
  const members = Map.groupBy(productions, (one) => one.class);
  const known = [...members.keys()].filter((name) => name !== undefined);
  for (const { name, class: own, path } of productions) {
    if (own === undefined) continue;
    const span = places(path, "value");
    const alike = productions.find((one) => one.name === own && one.class !== own);
    if (alike) {
      const message = `Cannot read production "${name}": class "${own}" has the name of a ` +
        "production that is not of it";
      findings.add("class-name", message, span, "give the class a name of its own");
    } else if (members.get(own)!.length === 1) {
      const others = known.filter((one) => one !== own);
      const message = `Cannot read production "${name}": nothing else is of class "${own}"`;
      findings.add("class-of-one", message, span, knownNames("classes", own, others));
    }
  }
}
