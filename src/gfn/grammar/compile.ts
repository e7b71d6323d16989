/** Turns a grammar into tables of actions, holes and clauses, addressed by number. */
import type { TextSource } from "./places.ts";
import type { ClauseSpec, GrammarSpec, HoleSpec, NumberRange, ProductionSpec } from "./spec.ts";
import { holesOf, parseTemplate, type Template } from "./template.ts";

/** A text, split, with the numbers of its holes in order. */
export interface CompiledText {
  /** Part of the grammar that it stands in. */
  readonly source: TextSource;
  /** Text as the grammar file has it. */
  readonly written: string;
  /** Texts and holes, in turn. */
  readonly template: Template;
  /** Numbers of its holes, in the order of the text. */
  readonly holes: readonly number[];
}

/** A production as an action. */
export interface CompiledAction {
  /** Name of the production; of a halving, `<hole>_lower`, `<hole>_upper`, `<hole>_stop`. */
  readonly name: string;
  /** Number of the hole that it fills. */
  readonly hole: number;
  /** Above 0; its prior is its share among legal actions. */
  readonly weight: number;
  /** Empty of a halving. */
  readonly text: CompiledText;
  /** Actions that must all have been chosen before. */
  readonly requires: readonly number[];
  /** Actions of which one must have been chosen before; no condition if empty. */
  readonly requiresAny: readonly number[];
  /** Actions none of which may have been chosen before. */
  readonly excludes: readonly number[];
  /** Present where several derivations would write one program, of which one is taken. */
  readonly normal?: NormalForm;
}

/** Normal form of a production with two holes. */
export interface NormalForm {
  /** Only the order of operands counts, not brackets. */
  readonly associative: boolean;
  /** Operands may be swapped. */
  readonly commutative: boolean;
  /** Most operands of a chain; 2 where it is not associative. */
  readonly operands: number;
}

/** A type of hole, by number. */
export interface CompiledHole {
  /** Name, as texts write it, without the braces. */
  readonly name: string;
  /** Numbers of its actions; of a number: lower half, upper half, and stop where it may stop. */
  readonly actions: readonly number[];
  /** Present where halvings of an interval fill it. */
  readonly number?: NumberRange;
  /** Number of its clause, −1 if it is mandatory. */
  readonly clause: number;
}

/** A hole that may stay empty, by number. */
export interface CompiledClause {
  /** Number of its hole. */
  readonly hole: number;
  /** Default, where the clause is not taken. */
  readonly text: CompiledText;
  /** Weight of the exit action once it has been taken. */
  readonly exit: number;
}

/** A grammar whose names have become numbers. */
export interface CompiledGrammar {
  /** As in `GrammarSpec`. */
  readonly writes?: "text";
  /** Text with which every derivation begins. */
  readonly start: CompiledText;
  /** Weight of the exit action when the mandatory part is complete. */
  readonly exit: number;
  /** Actions in the order of the file; the exit action follows them. */
  readonly actions: readonly CompiledAction[];
  /** Holes in the order of the file. */
  readonly holes: readonly CompiledHole[];
  /** Clauses, in the order in which a derivation may take them. */
  readonly clauses: readonly CompiledClause[];
  /** As in `GrammarSpec`. */
  readonly depth?: number;
  /** As in `GrammarSpec`. */
  readonly choices?: number;
  /** 1 for actions that some condition names: only these need to be remembered. */
  readonly remembered: Uint8Array;
}

/** Compiles a grammar whose names have been checked. */
export function compileGrammar(spec: GrammarSpec): CompiledGrammar {
  const holeNumbers = numbering(spec.holes);
  const productions = spec.holes.flatMap((hole) => [...hole.productions, ...halvings(hole)]);
  const actionNumbers = numbering(productions);
  const text = (source: TextSource, written: string): CompiledText => {
    const template = parseTemplate(written);
    const holes = holesOf(template).map((piece) => numberOf(holeNumbers, piece.hole));
    return { source, written, template, holes };
  };
  const actions = spec.holes.flatMap((hole, h) =>
    [...hole.productions, ...halvings(hole)].map((production, index) => ({
      ...conditions(production, actionNumbers),
      name: production.name,
      hole: h,
      weight: production.weight,
      text: text({ kind: "production", hole: hole.name, index }, production.text),
      ...normalForm(production),
    }))
  );
  const clauses = spec.clauses.map((clause: ClauseSpec, index) => ({
    hole: numberOf(holeNumbers, clause.hole),
    text: text({ kind: "default", index }, clause.default),
    exit: clause.exit,
  }));
  const holes = spec.holes.map(({ name, number }, h) => ({
    name,
    ...(number && { number }),
    actions: actions.flatMap((action, a) => (action.hole === h ? [a] : [])),
    clause: clauses.findIndex((clause) => clause.hole === h),
  }));
  const start = text({ kind: "template" }, spec.template);
  const { exit, writes, depth, choices } = spec;
  const own = { ...(writes && { writes }), ...(depth && { depth }), ...(choices && { choices }) };
  return { ...own, start, exit, actions, holes, clauses, remembered: remembered(actions) };
}

/** Names of the actions that halve the interval of a number, and that stop. */
export function halvingNames({ name, number }: Pick<HoleSpec, "name" | "number">): string[] {
  if (!number) return [];
  const ends = number.stop === undefined ? [] : [`${name}_stop`];
  return [`${name}_lower`, `${name}_upper`, ...ends];
}

/** Halvings of a number as productions that write no text. */
function halvings(hole: HoleSpec): ProductionSpec[] {
  const plain = { text: "", requires: [], requiresAny: [], excludes: [] };
  const stop = hole.number?.stop ?? 0;
  const weights = [(1 - stop) / 2, (1 - stop) / 2, stop];
  return halvingNames(hole).map((name, i) => ({ ...plain, name, weight: weights[i] }));
}

/** Most operands of a chain, by default. */
const mostOperands = 4;

function normalForm(production: ProductionSpec): { readonly normal?: NormalForm } {
  const { associative = false, commutative = false, operands = mostOperands } = production;
  if (!associative && !commutative) return {};
  return { normal: { associative, commutative, operands: associative ? operands : 2 } };
}

function numbering(named: readonly { readonly name: string }[]): ReadonlyMap<string, number> {
  return new Map(named.map(({ name }, i) => [name, i]));
}

function numberOf(numbers: ReadonlyMap<string, number>, name: string): number {
  const number = numbers.get(name);
  if (number === undefined) throw new Error(`internal: "${name}" is not part of the grammar`);
  return number;
}

function conditions(production: ProductionSpec, numbers: ReadonlyMap<string, number>) {
  const all = (names: readonly string[]) => names.map((name) => numberOf(numbers, name));
  return {
    requires: all(production.requires),
    requiresAny: all(production.requiresAny),
    excludes: all(production.excludes),
  };
}

function remembered(actions: readonly CompiledAction[]): Uint8Array {
  const flags = new Uint8Array(actions.length);
  for (const { requires, requiresAny, excludes } of actions) {
    for (const a of [...requires, ...requiresAny, ...excludes]) flags[a] = 1;
  }
  return flags;
}
