/** Checks the derivations of a grammar for dead ends, unreachable productions, and equal texts. */
import type { Span } from "../../base/span.ts";
import { compileGrammar } from "./compile.ts";
import { grammarEnvironment } from "./environment.ts";
import type { Findings } from "./findings.ts";
import { pathOfSource, type Places } from "./places.ts";
import { legalProductions, measure, reach, type Reached } from "./reach.ts";
import { Situations } from "./situations.ts";
import { legalWithin } from "./nested/legal_within.ts";
import { mostChoices } from "./bounds.ts";
import type { GrammarSpec } from "./spec.ts";

/** Texts are compared in grammars of at most so many programs, which takes a second. */
const mostCompared = 20_000;

/** The same where holes are nested, whose texts take longer. */
const mostNested = 4_000;

/** Reports faults found over all situations; then, if there are none, equal texts. */
export function checkReach(spec: GrammarSpec, places: Places, findings: Findings): void {
  const situations = new Situations(compileGrammar(spec));
  const walk = new ReachCheck(situations, places, findings);
  const reached = reach(situations);
  walk.deadEnds(reached);
  walk.clausesOpenedTwice(reached);
  walk.unreachable(reached);
  if (findings.list.length > 0) return;
  const { programs, longest } = measure(situations);
  const compared = hasNested(situations) ? shallow(spec, programs) : spec;
  if (longest > mostChoices + 1) tooLong(spec, longest, places, findings);
  else if (compared && (compared !== spec || programs <= mostCompared)) {
    checkEqualTexts(compared, places, findings);
  }
}

function hasNested({ rooms: { nested } }: Situations): boolean {
  return nested.some((hole) => hole.isNested);
}

/** Policies have positions for so many choices; Infinity where nothing bounds them. */
function tooLong(spec: GrammarSpec, longest: number, places: Places, findings: Findings): void {
  const most = mostChoices.toLocaleString("en");
  const message = `Cannot use the grammar: a derivation can take ${longest.toLocaleString("en")} ` +
    `choices, at most ${most} are walked`;
  const hint = `lower depth or operands, or write choices = 64`;
  const span = places([spec.depth === undefined ? "choices" : "depth"], "value");
  findings.add("too-long", message, span, hint);
}

/** The same grammar with as many levels as have few enough programs to be compared, if any. */
function shallow(spec: GrammarSpec, programs: number): GrammarSpec | undefined {
  if (programs <= mostNested) return spec;
  let most: GrammarSpec | undefined;
  for (let depth = 1; depth <= (spec.depth ?? 4); depth++) {
    const next = { ...coarse(spec), depth };
    const { programs } = measure(new Situations(compileGrammar(next)));
    if (programs > mostNested) break;
    most = next;
  }
  return most;
}

/** Numbers are apart by construction: two of each are enough to compare the texts around them. */
function coarse(spec: GrammarSpec): GrammarSpec {
  const holes = spec.holes.map((hole) =>
    hole.number ? { ...hole, number: { ...hole.number, bits: 1 } } : hole
  );
  return { ...spec, holes };
}

class ReachCheck {
  constructor(
    readonly situations: Situations,
    readonly places: Places,
    readonly findings: Findings,
  ) {}

  /** A hole for which no production is legal: once for each hole, by its shortest derivation. */
  deadEnds(reached: readonly Reached[]): void {
    const { holes } = this.situations.grammar;
    const told = new Set<number>();
    for (const { situation, actions } of reached) {
      if (situation.agenda.length === 0 || situation.mask.includes(1)) continue;
      const hole = situation.agenda[0];
      if (told.has(hole)) continue;
      told.add(hole);
      const { name } = holes[hole];
      const message = `Cannot use hole "${name}": no production of it is legal ${
        this.#after(actions)
      }`;
      const hint = "give it a production without conditions, or rule this derivation out before";
      this.findings.add("dead-end", message, this.places(["holes", name], "key"), hint);
    }
  }

  /** A clause whose hole stands twice, or opens when its turn has passed. */
  clausesOpenedTwice(reached: readonly Reached[]): void {
    const { grammar } = this.situations;
    const clausesIn = (holes: readonly number[]) =>
      holes.map((hole) => grammar.holes[hole].clause).filter((clause) => clause >= 0);
    const told = new Set<number>();
    const visit = (holes: readonly number[], open: readonly number[], turn: number) => {
      const opened = clausesIn(holes);
      opened.forEach((clause, i) => {
        const isTwice = open.includes(clause) || opened.indexOf(clause) !== i || clause < turn;
        if (isTwice && !told.has(clause)) this.#clauseTwice(clause, told);
      });
    };
    visit(grammar.start.holes, [], 0);
    for (const { situation } of reached) {
      for (const action of legalProductions(situation)) {
        const { hole, text } = grammar.actions[action];
        const isClause = situation.agenda.length === 0;
        const turn = isClause ? grammar.holes[hole].clause + 1 : situation.clause;
        visit(text.holes, situation.open, turn);
      }
    }
  }

  #clauseTwice(clause: number, told: Set<number>): void {
    told.add(clause);
    const { grammar } = this.situations;
    const { name } = grammar.holes[grammar.clauses[clause].hole];
    const message = `Cannot use clause "${name}": a derivation can have its hole twice, ` +
      "or after its turn";
    const span = this.places(["clauses", clause, "hole"], "value");
    const hint = "let its hole stand in one place, and clauses open in their order";
    this.findings.add("clause-twice", message, span, hint);
  }

  /** Productions that are legal nowhere; those behind a dead end are left to its finding. */
  unreachable(reached: readonly Reached[]): void {
    const { actions } = this.situations.grammar;
    const used = new Set(reached.flatMap(({ situation }) => legalProductions(situation)));
    const { rooms } = this.situations;
    const entries = reached.flatMap(({ situation: { filling, agenda } }) =>
      filling ? [rooms.entry(agenda[0])] : []
    );
    for (const action of legalWithin(rooms, entries)) used.add(action);
    if (this.findings.list.length > 0) return;
    actions.forEach(({ name, text, requires, requiresAny, excludes }, a) => {
      if (used.has(a)) return;
      const hasConditions = requires.length + requiresAny.length + excludes.length > 0;
      const { reason, hint } = this.#reason(a, hasConditions);
      const message = `Cannot use production "${name}": no derivation can reach it; ${reason}`;
      this.findings.add("unreachable", message, this.#nameSpan(text.source), hint);
    });
  }

  #reason(action: number, hasConditions: boolean) {
    const hint = "conditions see the productions that were chosen before; remove it or mend them";
    if (hasConditions) return { reason: "its conditions never hold", hint };
    const { rooms, grammar } = this.situations;
    if (!rooms.nested[grammar.actions[action].hole].isNested) {
      return { reason: "nothing leads to its hole", hint };
    }
    const more = "raise depth or choices, or remove it";
    return { reason: "depth and choices leave no room for it", hint: more };
  }

  #nameSpan(source: Parameters<typeof pathOfSource>[0]): Span | undefined {
    return this.places([...pathOfSource(source).slice(0, -1), "name"], "value");
  }

  #after(actions: readonly number[]): string {
    if (actions.length === 0) return "at the start";
    const names = actions.map((action) => this.situations.grammar.actions[action].name);
    return `after ${names.join(", ")}`;
  }
}

/** Two derivations with one text: once for each pair of choices in which they part. */
function checkEqualTexts(spec: GrammarSpec, places: Places, findings: Findings): void {
  const first = new Map<string, readonly string[]>();
  const told = new Set<string>();
  for (const { text, features } of grammarEnvironment(spec).enumerate()) {
    const other = first.get(text);
    if (!other) first.set(text, features);
    else reportEqual(spec, places, findings, told, [other, features]);
  }
}

function reportEqual(
  spec: GrammarSpec,
  places: Places,
  findings: Findings,
  told: Set<string>,
  [one, two]: readonly [readonly string[], readonly string[]],
): void {
  const parting = two.findIndex((name, i) => name !== one[i]);
  const [a, b] = [one[parting] ?? "exit", two[parting] ?? "exit"];
  if (told.has(`${a} ${b}`)) return;
  told.add(`${a} ${b}`);
  const message = `Cannot use production "${b}": two derivations have the same text: ` +
    `${one.join(", ")}; and ${two.join(", ")}`;
  const hole = spec.holes.find((h) => h.productions.some((p) => p.name === b));
  const index = hole?.productions.findIndex((p) => p.name === b) ?? 0;
  const span = places(["holes", hole?.name ?? "", "productions", index, "name"], "value");
  // The same choices in another order differ in what belongs to what.
  const isOrder = [...one].sort().join() === [...two].sort().join();
  const mend = isOrder ? "put brackets around its text" : "remove one of them";
  findings.add("equal-texts", message, span, `${mend}: every object has one derivation`);
}
